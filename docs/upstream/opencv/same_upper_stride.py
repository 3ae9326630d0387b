# same_upper_stride
# QLinearConv, opset_version 28. Written by qconform. By ONNX's specification:
#   y: UINT8[1,1,1,2], codes 0x18 (24) 0x2b (43)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 1, 1, 4],
                       bytes.fromhex("01020304"), raw=True),
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [1, 1, 1, 3],
                       bytes.fromhex("010a01"), raw=True),
    helper.make_tensor("w_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1, 1, 2]),]
expected = ["y: UINT8[1,1,1,2], codes 0x18 (24) 0x2b (43)"]
cast_to = {}
nodes = [
    helper.make_node("QLinearConv", ["x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point"], ["y"], auto_pad="SAME_UPPER", strides=[1, 2]),
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
