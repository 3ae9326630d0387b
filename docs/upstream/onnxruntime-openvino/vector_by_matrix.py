# vector_by_matrix
# MatMulInteger, opset_version 13. Written by qconform. By ONNX's specification:
#   Y: INT32[1], codes 0x00000005 (5)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 13, 7
fed = [
    helper.make_tensor("A", TensorProto.UINT8, [2],
                       bytes.fromhex("0102"), raw=True),
    helper.make_tensor("B", TensorProto.UINT8, [2, 1],
                       bytes.fromhex("0102"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("Y", TensorProto.INT32, [1]),]
expected = ["Y: INT32[1], codes 0x00000005 (5)"]
cast_to = {}
nodes = [
    helper.make_node("MatMulInteger", ["A", "B"], ["Y"]),
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
