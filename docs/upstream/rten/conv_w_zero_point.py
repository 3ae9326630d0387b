# conv_w_zero_point
# ConvInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   y: INT32[2,1,1,1], codes 0xffffffe2 (-30) 0xffffffe2 (-30)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [2, 2, 1, 2],
                       bytes.fromhex("0102010201020102"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [1, 2, 1, 2],
                       bytes.fromhex("00000000"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("05"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [2, 1, 1, 1]),]
expected = ["y: INT32[2,1,1,1], codes 0xffffffe2 (-30) 0xffffffe2 (-30)"]
cast_to = {}
nodes = [
    helper.make_node("ConvInteger", ["x", "w", "x_zero_point", "w_zero_point"], ["y"], strides=[1, 1], dilations=[1, 1], pads=[0, 0, 0, 0]),
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
