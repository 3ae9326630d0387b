# graph_clip_int4
# graphs.choosers, opset_version 21. Written by qconform. By ONNX's specification:
#   y: INT4[1], codes 0x0 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
]
constants = [
    helper.make_tensor("x", TensorProto.INT4, [1],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.INT4, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("min", TensorProto.FLOAT, [],
                       bytes.fromhex("00000000"), raw=True),
    helper.make_tensor("max", TensorProto.FLOAT, [],
                       bytes.fromhex("00000000"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.INT4, [],
                       bytes.fromhex("00"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT4, [1]),]
expected = ["y: INT4[1], codes 0x0 (0)"]
cast_to = {"y": TensorProto.INT32}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "x_scale", "x_zero_point"], ["x_dequantized"]),
    helper.make_node("Clip", ["x_dequantized", "min", "max"], ["chosen"]),
    helper.make_node("QuantizeLinear", ["chosen", "y_scale", "y_zero_point"], ["y"]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer(options=None):
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
    return onnxruntime.InferenceSession(asked.SerializeToString(), options).run(None, feeds)


def answer_without():
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("optimization.disable_specified_optimizers", "ClipQuantRewrite")
    return answer(options)


print("expected", *expected, flush=True)
for name, run in [("ONNX Runtime", answer), ("without ClipQuantRewrite", answer_without)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
