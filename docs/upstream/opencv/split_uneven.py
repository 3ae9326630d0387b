# split_uneven
# graphs.movers, opset_version 21. Written by qconform. By ONNX's specification:
#   y0: UINT8[2,1], codes 0x00 (0) 0x00 (0)
#   y1: UINT8[3,1], codes 0x00 (0) 0x00 (0) 0x00 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [5, 1],
                       bytes.fromhex("0000000000000000000000000000000000000000"), raw=True),
    helper.make_tensor("y0_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y0_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y1_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y1_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
    helper.make_tensor("split", TensorProto.INT64, [2],
                       bytes.fromhex("02000000000000000300000000000000"), raw=True),
]
outputs = [helper.make_tensor_value_info("y0", TensorProto.UINT8, [2, 1]),helper.make_tensor_value_info("y1", TensorProto.UINT8, [3, 1]),]
expected = ["y0: UINT8[2,1], codes 0x00 (0) 0x00 (0)", "y1: UINT8[3,1], codes 0x00 (0) 0x00 (0) 0x00 (0)"]
cast_to = {}
nodes = [
    helper.make_node("Split", ["x", "split"], ["moved0", "moved1"]),
    helper.make_node("QuantizeLinear", ["moved0", "y0_scale", "y0_zero_point"], ["y0"]),
    helper.make_node("QuantizeLinear", ["moved1", "y1_scale", "y1_zero_point"], ["y1"]),
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
