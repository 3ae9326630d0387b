# empty_crash
# DequantizeLinear, opset_version 13. Written by qconform. By ONNX's specification:
#   y: FLOAT[0], codes
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 13, 7
fed = [
    helper.make_tensor("x", TensorProto.INT8, [0],
                       bytes.fromhex(""), raw=True),
]
constants = [
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.INT8, [],
                       bytes.fromhex("00"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [0]),]
expected = ["y: FLOAT[0], codes"]
cast_to = {}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "x_scale", "x_zero_point"], ["y"]),
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
