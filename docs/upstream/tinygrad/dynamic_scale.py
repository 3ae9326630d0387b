# dynamic_scale
# DynamicQuantizeLinear, opset_version 28. Written by qconform. By ONNX's specification:
#   y: UINT8[1], codes 0xff (255)
#   y_scale: FLOAT[], codes 0x3f7efeff (0.996078432)
#   y_zero_point: UINT8[], codes 0x00 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1],
                       bytes.fromhex("00007e43"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1]),helper.make_tensor_value_info("y_scale", TensorProto.FLOAT, []),helper.make_tensor_value_info("y_zero_point", TensorProto.UINT8, []),]
expected = ["y: UINT8[1], codes 0xff (255)", "y_scale: FLOAT[], codes 0x3f7efeff (0.996078432)", "y_zero_point: UINT8[], codes 0x00 (0)"]
cast_to = {}
nodes = [
    helper.make_node("DynamicQuantizeLinear", ["x"], ["y", "y_scale", "y_zero_point"]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import os
    os.environ.update(DEV="CPU", CC="clang")
    from tinygrad.nn.onnx import OnnxRunner
    onnx.save(model, "case.onnx")
    outputs = OnnxRunner("case.onnx")(feeds)
    return [outputs[output.name].numpy() for output in model.graph.output]


print("expected", *expected)
print("tinygrad", *(repr(output) for output in answer()))
