# empty_batch
# MatMulInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   Y: INT32[0,2,0], codes
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("A", TensorProto.INT8, [0, 2, 3],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("B", TensorProto.INT8, [1, 3, 0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.INT8, [1],
                       bytes.fromhex("4d"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("Y", TensorProto.INT32, [0, 2, 0]),]
expected = ["Y: INT32[0,2,0], codes"]
cast_to = {}
nodes = [
    helper.make_node("MatMulInteger", ["A", "B", "a_zero_point"], ["Y"]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    from emx_onnx_cgen.compiler import Compiler, CompilerOptions
    return [Compiler(CompilerOptions(large_weight_threshold=0)).compile(model)]


print("expected", *expected)
print("emx-onnx-cgen", *(repr(output) for output in answer()))
