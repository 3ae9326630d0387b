# argmax_last
# graphs.choosers, opset_version 21. Written by qconform. By ONNX's specification:
#   y: INT32[1,1,1], codes 0x00000000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.INT8, [2, 1, 1],
                       bytes.fromhex("7f7f"), raw=True),
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.INT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 1, 1]),]
expected = ["y: INT32[1,1,1], codes 0x00000000 (0)"]
cast_to = {}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "x_scale", "x_zero_point"], ["x_dequantized"]),
    helper.make_node("ArgMax", ["x_dequantized"], ["chosen"], axis=0),
    helper.make_node("Cast", ["chosen"], ["y"], to=6),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    # rten is a Rust crate, so that this only writes the model, and prints what to feed it.
    onnx.save(model, "case.onnx")
    return ["is to run case.onnx on", feeds]


print("expected", *expected)
print("rten", *(repr(output) for output in answer()))
