# blocks_of_rows
# QuantizeLinear, opset_version 21. Written by qconform. By ONNX's specification:
#   y: UINT8[2,2], codes 0x04 (4) 0x02 (2) 0x01 (1) 0x08 (8)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [2, 2],
                       bytes.fromhex("00008040000080400000804000008040"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [2, 2],
                       bytes.fromhex("0000803f00000040000080400000003f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [2, 2],
                       bytes.fromhex("00000000"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [2, 2]),]
expected = ["y: UINT8[2,2], codes 0x04 (4) 0x02 (2) 0x01 (1) 0x08 (8)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"], axis=0, block_size=1),
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
