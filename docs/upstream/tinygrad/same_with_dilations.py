# same_with_dilations
# ConvInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   y: INT32[1,3,4,4], codes 0x00008813 (34835) 0x000105a2 (66978) 0x00015a08 (88584) 0x000047b6 (18358) 0x0000746f (29807) 0x0000bd43 (48451) 0x0001521f (86559) 0x00000b69 (2921) 0x0000c80d (51213) 0x00008933 (35123) 0x0000c17c (49532) 0xffffee1b (-4581) 0x000078da (30938) 0x0000554d (21837) 0x0000632c (25388) 0x00001dd4 (7636) ...
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 2, 8, 7],
                       bytes.fromhex("2d65f546182b9c6a435357356e5edf0b8ad5d41abc915778066d825855726b894e2468973cb9d4c694063d1e94768d237ce52329d5fd7b77ecf68cd6bfc5a50576e6aeba6d2a1f772c691099493c47dd3c77f25f15891f2c7a2afc9c5663cabd1c992ed320bef864b6dc0bf3e59b5dd6"), raw=True),
    helper.make_tensor("w", TensorProto.INT8, [3, 2, 3, 2],
                       bytes.fromhex("731aa7b5deb1f5e036923cfd290ca39ff0b4e00dec71621804835444547f66dca138308d"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("ff"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.INT8, [],
                       bytes.fromhex("17"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 3, 4, 4]),]
expected = ["y: INT32[1,3,4,4], codes 0x00008813 (34835) 0x000105a2 (66978) 0x00015a08 (88584) 0x000047b6 (18358) 0x0000746f (29807) 0x0000bd43 (48451) 0x0001521f (86559) 0x00000b69 (2921) 0x0000c80d (51213) 0x00008933 (35123) 0x0000c17c (49532) 0xffffee1b (-4581) 0x000078da (30938) 0x0000554d (21837) 0x0000632c (25388) 0x00001dd4 (7636) ..."]
cast_to = {}
nodes = [
    helper.make_node("ConvInteger", ["x", "w", "x_zero_point", "w_zero_point"], ["y"], dilations=[2, 3], strides=[2, 2], auto_pad="SAME_UPPER"),
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
