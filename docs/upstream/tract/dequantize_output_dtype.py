# dequantize_output_dtype
# DequantizeLinear, opset_version 23. Written by qconform. By ONNX's specification:
#   y: FLOAT16[1], codes 0x4200 (3)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 23, 11
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1],
                       bytes.fromhex("03"), raw=True),
]
constants = [
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT16, [1]),]
expected = ["y: FLOAT16[1], codes 0x4200 (3)"]
cast_to = {}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "x_scale"], ["y"], output_dtype=10),
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
