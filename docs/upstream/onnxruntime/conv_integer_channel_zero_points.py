# conv_integer_channel_zero_points
# ConvInteger, opset_version 21. Written by qconform. By ONNX's specification:
#   y: INT32[1,2,3], codes 0x00000001 (1) 0x00000002 (2) 0x00000003 (3) 0x00000000 (0) 0x00000000 (0) 0x00000000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 1, 3],
                       bytes.fromhex("010203"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [2, 1, 1],
                       bytes.fromhex("0101"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [2],
                       bytes.fromhex("0001"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 2, 3]),]
expected = ["y: INT32[1,2,3], codes 0x00000001 (1) 0x00000002 (2) 0x00000003 (3) 0x00000000 (0) 0x00000000 (0) 0x00000000 (0)"]
cast_to = {}
nodes = [
    helper.make_node("ConvInteger", ["x", "w", "", "w_zero_point"], ["y"]),
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
