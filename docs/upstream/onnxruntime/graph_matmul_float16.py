# graph_matmul_float16
# graphs.weights, opset_version 21. Written by qconform. By ONNX's specification:
#   y: FLOAT16[1,1], codes 0x5028 (33.25)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("a", TensorProto.FLOAT16, [1, 2],
                       bytes.fromhex("0034003e"), raw=True),
]
constants = [
    helper.make_tensor("b", TensorProto.UINT8, [2, 1],
                       bytes.fromhex("8500"), raw=True),
    helper.make_tensor("b_scale", TensorProto.FLOAT16, [],
                       bytes.fromhex("003c"), raw=True),
    helper.make_tensor("b_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT16, [1, 1]),]
expected = ["y: FLOAT16[1,1], codes 0x5028 (33.25)"]
cast_to = {}
nodes = [
    helper.make_node("DequantizeLinear", ["b", "b_scale", "b_zero_point"], ["b_dequantized"]),
    helper.make_node("MatMul", ["a", "b_dequantized"], ["y"]),
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
    options.add_session_config_entry("optimization.disable_specified_optimizers", "QDQSelectorActionTransformer")
    return answer(options)


print("expected", *expected, flush=True)
for name, run in [("ONNX Runtime", answer), ("without QDQSelectorActionTransformer", answer_without)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
