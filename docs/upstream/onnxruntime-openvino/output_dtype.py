# output_dtype
# QuantizeLinear, opset_version 21. Written by qconform. By ONNX's specification:
#   y: INT8[2], codes 0xfe (-2) 0x7f (127)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [2],
                       bytes.fromhex("0000c0bf00004843"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT8, [2]),]
expected = ["y: INT8[2], codes 0xfe (-2) 0x7f (127)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale"], ["y"], output_dtype=3),
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
    providers = [("OpenVINOExecutionProvider", {"device_type": "CPU", "precision": "ACCURACY"})]
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=providers).run(None, feeds)


print("expected", *expected)
print("OpenVINO's provider of ONNX Runtime", *(repr(output) for output in answer()))
