# int32_to_bfloat16
# QuantizeLinear, opset_version 28. Written by qconform. By ONNX's specification:
#   y: UINT8[1], codes 0x6a (106)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.INT32, [1],
                       bytes.fromhex("ffff5503"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
    helper.make_tensor("y_scale", TensorProto.FLOAT8E8M0, [],
                       bytes.fromhex("92"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1]),]
expected = ["y: UINT8[1], codes 0x6a (106)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"], precision=16),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    from onnx.reference import ReferenceEvaluator
    return ReferenceEvaluator(model).run(None, feeds)


print("expected", *expected, flush=True)
for name, run in [("ONNX's reference evaluator", answer)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
