# e4m3fn_480
# QuantizeLinear, opset_version 19. Written by qconform. By ONNX's specification:
#   y: FLOAT8E4M3FN[2], codes 0x7f (NaN) (any NaN is right) 0xff (NaN) (any NaN is right)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 19, 9
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [2],
                       bytes.fromhex("0000f0430000f0c3"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
]
constants = [
    helper.make_tensor("y_zero_point", TensorProto.FLOAT8E4M3FN, [],
                       bytes.fromhex("00"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT8E4M3FN, [2]),]
expected = ["y: FLOAT8E4M3FN[2], codes 0x7f (NaN) (any NaN is right) 0xff (NaN) (any NaN is right)"]
cast_to = {"y": TensorProto.FLOAT}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"], saturate=0),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import onnxruntime
    # onnxruntime cannot return types that numpy does not have, or returns their codes: a
    # Cast after the node turns them into values.
    asked = onnx.ModelProto()
    asked.CopyFrom(model)
    for output in asked.graph.output:
        if output.name in cast_to:
            to = cast_to[output.name]
            asked.graph.node.append(
                helper.make_node("Cast", [output.name], [output.name + "_cast"], to=to))
            output.name += "_cast"
            output.type.tensor_type.elem_type = to
    return onnxruntime.InferenceSession(asked.SerializeToString()).run(None, feeds)


print("expected", *expected, flush=True)
for name, run in [("ONNX Runtime", answer)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
