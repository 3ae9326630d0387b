# zero_point_wraps
# QuantizeLinear, opset_version 28. Written by qconform. By ONNX's specification:
#   y: INT8[1], codes 0x80 (-128)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1],
                       bytes.fromhex("000000cf"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.INT8, [],
                       bytes.fromhex("80"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT8, [1]),]
expected = ["y: INT8[1], codes 0x80 (-128)"]
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
    from onnx.reference import ReferenceEvaluator
    return ReferenceEvaluator(model).run(None, feeds)


print("expected", *expected, flush=True)
for name, run in [("ONNX's reference evaluator", answer)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
