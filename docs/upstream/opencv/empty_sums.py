# empty_sums
# QLinearMatMul, opset_version 20. Written by qconform. By ONNX's specification:
#   y: UINT8[2,2,3], codes 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 20, 9
fed = [
    helper.make_tensor("a", TensorProto.UINT8, [2, 2, 0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("a_scale", TensorProto.FLOAT, [1],
                       bytes.fromhex("fb67d13e"), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.UINT8, [1],
                       bytes.fromhex("07"), raw=True),
    helper.make_tensor("b", TensorProto.UINT8, [2, 0, 3],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("b_scale", TensorProto.FLOAT, [1],
                       bytes.fromhex("bb71d23e"), raw=True),
    helper.make_tensor("b_zero_point", TensorProto.UINT8, [1],
                       bytes.fromhex("80"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [1],
                       bytes.fromhex("091ad339"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [1],
                       bytes.fromhex("25"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [2, 2, 3]),]
expected = ["y: UINT8[2,2,3], codes 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37) 0x25 (37)"]
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
