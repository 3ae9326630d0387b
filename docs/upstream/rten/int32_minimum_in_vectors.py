# int32_minimum_in_vectors
# QuantizeLinear, opset_version 13. Written by qconform. By ONNX's specification:
#   y: UINT8[64], codes 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) ...
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 13, 7
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [64],
                       bytes.fromhex("9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e9976967e"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [64]),]
expected = ["y: UINT8[64], codes 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) 0xff (255) ..."]
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
