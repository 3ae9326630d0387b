# mat_mul_integer_row_zero_points
# MatMulInteger, opset_version 21. Written by qconform. By ONNX's specification:
#   Y: INT32[2,2], codes 0x00000000 (0) 0x00000000 (0) 0x00000000 (0) 0x00000000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("A", TensorProto.UINT8, [2, 2],
                       bytes.fromhex("0a0a1414"), raw=True),
    helper.make_tensor("B", TensorProto.INT8, [2, 2],
                       bytes.fromhex("01020304"), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.UINT8, [2],
                       bytes.fromhex("0a14"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("Y", TensorProto.INT32, [2, 2]),]
expected = ["Y: INT32[2,2], codes 0x00000000 (0) 0x00000000 (0) 0x00000000 (0) 0x00000000 (0)"]
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
    from onnx.reference import ReferenceEvaluator
    return ReferenceEvaluator(model).run(None, feeds)


print("expected", *expected, flush=True)
for name, run in [("ONNX's reference evaluator", answer)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
