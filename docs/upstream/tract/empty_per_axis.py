# empty_per_axis
# QuantizeLinear, opset_version 13. Written by qconform. By ONNX's specification:
#   y: UINT8[1,1,0], codes
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 13, 7
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1, 1, 0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [0],
                       bytes.fromhex(""), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1, 0]),]
expected = ["y: UINT8[1,1,0], codes"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"], axis=2),
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
