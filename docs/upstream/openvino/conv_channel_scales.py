# conv_channel_scales
# QLinearConv, opset_version 28. Written by qconform. By ONNX's specification:
#   y: UINT8[1,3,1,1], codes 0xef (239) 0x00 (0) 0x00 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 3, 1, 1],
                       bytes.fromhex("00001b"), raw=True),
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("w", TensorProto.INT8, [3, 3, 1, 1],
                       bytes.fromhex("00009b000000000000"), raw=True),
    helper.make_tensor("w_scale", TensorProto.FLOAT, [3],
                       bytes.fromhex("d596413f0000803f0000803f"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.INT8, [3],
                       bytes.fromhex("000000"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("231b8343"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("B", TensorProto.INT32, [3],
                       bytes.fromhex("bb4e01000000000000000000"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 3, 1, 1]),]
expected = ["y: UINT8[1,3,1,1], codes 0xef (239) 0x00 (0) 0x00 (0)"]
cast_to = {}
nodes = [
    helper.make_node("QLinearConv", ["x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point", "B"], ["y"]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import openvino
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
    return list(compiled({name: array.copy() for name, array in feeds.items()}).values())


print("expected", *expected)
print("OpenVINO", *(repr(output) for output in answer()))
