# conv_w_zero_points
# ConvInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   y: INT32[1,2,1,1], codes 0x00000004 (4) 0x00000000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 2, 1, 2],
                       bytes.fromhex("01010101"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [2, 2, 1, 2],
                       bytes.fromhex("0101010101010101"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [2],
                       bytes.fromhex("0001"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 2, 1, 1]),]
expected = ["y: INT32[1,2,1,1], codes 0x00000004 (4) 0x00000000 (0)"]
cast_to = {}
nodes = [
    helper.make_node("ConvInteger", ["x", "w", "x_zero_point", "w_zero_point"], ["y"]),
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
