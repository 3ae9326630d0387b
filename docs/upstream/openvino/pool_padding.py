# pool_padding
# graphs.sums, opset_version 13. Written by qconform. By ONNX's specification:
#   y: UINT8[1,1,1,1], codes 0xe3 (227)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 13, 7
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 1, 1, 1],
                       bytes.fromhex("00"), raw=True),
]
constants = [
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("ff"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("ff"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1, 1, 1]),]
expected = ["y: UINT8[1,1,1,1], codes 0xe3 (227)"]
cast_to = {}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "x_scale", "x_zero_point"], ["x_dequantized"]),
    helper.make_node("AveragePool", ["x_dequantized"], ["mean"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1),
    helper.make_node("QuantizeLinear", ["mean", "y_scale", "y_zero_point"], ["y"]),
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
