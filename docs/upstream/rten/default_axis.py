# default_axis
# QuantizeLinear, opset_version 13. Written by qconform. By ONNX's specification:
#   y: UINT8[1,2,2], codes 0x0a (10) 0x0a (10) 0x05 (5) 0x05 (5)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 13, 7
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1, 2, 2],
                       bytes.fromhex("00002041000020410000204100002041"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [2],
                       bytes.fromhex("0000803f00000040"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [2],
                       bytes.fromhex("0000"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 2, 2]),]
expected = ["y: UINT8[1,2,2], codes 0x0a (10) 0x0a (10) 0x05 (5) 0x05 (5)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"]),
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
