# output_dtype
# QuantizeLinear, opset_version 21. Written by qconform. By ONNX's specification:
#   y: INT8[1], codes 0xfd (-3)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1],
                       bytes.fromhex("000040c0"), raw=True),
]
constants = [
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT8, [1]),]
expected = ["y: INT8[1], codes 0xfd (-3)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale"], ["y"], output_dtype=3),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import tract
    onnx.save(model, "case.onnx")
    runtime = tract.runtime_for_name("default")
    outputs = runtime.prepare(tract.onnx().load("case.onnx").into_model()).run(list(feeds.values()))
    return [output.to_numpy() for output in outputs]


print("expected", *expected)
print("tract", *(repr(output) for output in answer()))
