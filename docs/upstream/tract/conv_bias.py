# conv_bias
# QLinearConv, opset_version 28. Written by qconform. By ONNX's specification:
#   y: UINT8[1,1,2,2], codes 0x00 (0) 0x00 (0) 0x00 (0) 0x00 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 1, 1, 1],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [1, 1, 1, 1],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("w_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1, 2, 2]),]
expected = ["y: UINT8[1,1,2,2], codes 0x00 (0) 0x00 (0) 0x00 (0) 0x00 (0)"]
cast_to = {}
nodes = [
    helper.make_node("QLinearConv", ["x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point", ""], ["y"], pads=[1, 1, 0, 0]),
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
