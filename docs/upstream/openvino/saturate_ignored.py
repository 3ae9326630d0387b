# saturate_ignored
# QuantizeLinear, opset_version 19. Written by qconform. By ONNX's specification:
#   y: FLOAT8E5M2[1], codes 0x7c (+Inf)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 19, 9
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1],
                       bytes.fromhex("0000807f"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
]
constants = [
    helper.make_tensor("y_zero_point", TensorProto.FLOAT8E5M2, [],
                       bytes.fromhex("00"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT8E5M2, [1]),]
expected = ["y: FLOAT8E5M2[1], codes 0x7c (+Inf)"]
cast_to = {"y": TensorProto.FLOAT}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"], saturate=0),
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
