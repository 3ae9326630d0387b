# short_last_block
# QuantizeLinear, opset_version 21. Written by qconform. By ONNX's specification:
#   y: UINT8[1,3], codes 0x01 (1) 0x02 (2) 0x03 (3)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1, 3],
                       bytes.fromhex("0000803f0000004000004040"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [1, 2],
                       bytes.fromhex("0000803f0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [1, 2],
                       bytes.fromhex("0000"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 3]),]
expected = ["y: UINT8[1,3], codes 0x01 (1) 0x02 (2) 0x03 (3)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"], axis=1, block_size=2),
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
