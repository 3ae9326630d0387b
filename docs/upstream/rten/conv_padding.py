# conv_padding
# ConvInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   y: INT32[1,1,1,1], codes 0x00000003 (3)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 2, 1, 1],
                       bytes.fromhex("0102"), raw=True),
    helper.make_tensor("w", TensorProto.INT8, [1, 2, 2, 2],
                       bytes.fromhex("0101010101010101"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 1, 1, 1]),]
expected = ["y: INT32[1,1,1,1], codes 0x00000003 (3)"]
cast_to = {}
nodes = [
    helper.make_node("ConvInteger", ["x", "w"], ["y"], pads=[0, 0, 1, 1], strides=[1, 1], dilations=[1, 1], kernel_shape=[2, 2]),
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
