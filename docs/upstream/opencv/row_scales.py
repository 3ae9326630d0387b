# row_scales
# QLinearMatMul, opset_version 10. Written by qconform. By ONNX's specification:
#   y: UINT8[2,2], codes 0x04 (4) 0x08 (8) 0x08 (8) 0x10 (16)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 10, 5
fed = [
    helper.make_tensor("a", TensorProto.UINT8, [2, 2],
                       bytes.fromhex("08040804"), raw=True),
    helper.make_tensor("a_scale", TensorProto.FLOAT, [2],
                       bytes.fromhex("0000803f00000040"), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.UINT8, [2],
                       bytes.fromhex("0000"), raw=True),
    helper.make_tensor("b", TensorProto.UINT8, [2, 2],
                       bytes.fromhex("00010100"), raw=True),
    helper.make_tensor("b_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("b_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [2, 2]),]
expected = ["y: UINT8[2,2], codes 0x04 (4) 0x08 (8) 0x08 (8) 0x10 (16)"]
cast_to = {}
nodes = [
    helper.make_node("QLinearMatMul", ["a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point", "y_scale", "y_zero_point"], ["y"]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import cv2
    import numpy
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8))
    for name, array in feeds.items():
        net.setInput(array, name)
    return net.forward([output.name for output in model.graph.output])


print("expected", *expected)
print("OpenCV", *(repr(output) for output in answer()))
