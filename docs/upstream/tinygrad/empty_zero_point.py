# empty_zero_point
# MatMulInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   Y: INT32[2,3,2,3], codes 0x00009680 (38528) 0x00005010 (20496) 0x00006168 (24936) 0x00010ba7 (68519) 0x0000837e (33662) 0x0000d160 (53600) 0x00005a48 (23112) 0x00003c58 (15448) 0xfffffb10 (-1264) 0x000073bf (29631) 0x00005b84 (23428) 0xffffea07 (-5625) 0x00006ed0 (28368) 0x00000e54 (3668) 0x00007ed4 (32468) 0x0000b561 (46433) ...
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("A", TensorProto.UINT8, [2, 1, 2, 3],
                       bytes.fromhex("2c944476ff2ddcf0550bd9eb"), raw=True),
    helper.make_tensor("B", TensorProto.INT8, [3, 3, 3],
                       bytes.fromhex("4d90687f584af4ba8ed9b0af0a1aa85be2e55f431213a1303edd6d"), raw=True),
    helper.make_tensor("b_zero_point", TensorProto.INT8, [1],
                       bytes.fromhex("be"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("Y", TensorProto.INT32, [2, 3, 2, 3]),]
expected = ["Y: INT32[2,3,2,3], codes 0x00009680 (38528) 0x00005010 (20496) 0x00006168 (24936) 0x00010ba7 (68519) 0x0000837e (33662) 0x0000d160 (53600) 0x00005a48 (23112) 0x00003c58 (15448) 0xfffffb10 (-1264) 0x000073bf (29631) 0x00005b84 (23428) 0xffffea07 (-5625) 0x00006ed0 (28368) 0x00000e54 (3668) 0x00007ed4 (32468) 0x0000b561 (46433) ..."]
cast_to = {}
nodes = [
    helper.make_node("MatMulInteger", ["A", "B", "", "b_zero_point"], ["Y"]),
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
