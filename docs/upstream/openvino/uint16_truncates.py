# uint16_truncates
# QuantizeLinear, opset_version 21. Written by qconform. By ONNX's specification:
#   y: UINT16[4], codes 0x0002 (2) 0x0002 (2) 0xffff (65535) 0x0000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [4],
                       bytes.fromhex("0000c03f3333f33f00b888473333f3bf"), raw=True),
]
constants = [
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT16, [],
                       bytes.fromhex("0000"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT16, [4]),]
expected = ["y: UINT16[4], codes 0x0002 (2) 0x0002 (2) 0xffff (65535) 0x0000 (0)"]
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
    import openvino
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
    return list(compiled({name: array.copy() for name, array in feeds.items()}).values())


print("expected", *expected)
print("OpenVINO", *(repr(output) for output in answer()))
