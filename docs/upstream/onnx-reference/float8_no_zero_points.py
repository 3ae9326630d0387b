# float8_no_zero_points
# DequantizeLinear, opset_version 21. Written by qconform. By ONNX's specification:
#   y: FLOAT[2,0], codes
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x_scale", TensorProto.FLOAT, [0],
                       bytes.fromhex(""), raw=True),
]
constants = [
    helper.make_tensor("x", TensorProto.FLOAT8E4M3FN, [2, 0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.FLOAT8E4M3FN, [0],
                       bytes.fromhex(""), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 0]),]
expected = ["y: FLOAT[2,0], codes"]
cast_to = {}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "x_scale", "x_zero_point"], ["y"], axis=1),
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
