# requantize_to_other_type
# graphs.requantization, opset_version 21. Written by qconform. By ONNX's specification:
#   y: UINT8[285], codes 0x00 (0) 0x00 (0) 0x73 (115) 0x00 (0) 0x2e (46) 0x00 (0) 0x00 (0) 0x6a (106) 0x00 (0) 0x25 (37) 0x00 (0) 0x00 (0) 0x61 (97) 0x00 (0) 0x1c (28) 0x9d (157) ...
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.INT8, [285],
                       bytes.fromhex("90f55abf2489ee53b81d82e74cb1167be045aa0f74d93ea3086dd2379c0166cb3095fa5fc4298ef358bd2287ec51b61b80e54aaf1479de43a80d72d73ca1066bd0359aff64c92e93f85dc2278cf156bb2085ea4fb4197ee348ad1277dc41a60b70d53a9f0469ce3398fd62c72c91f65bc0258aef54b91e83e84db2177ce146ab1075da3fa4096ed3389d0267cc3196fb60c52a8ff459be2388ed52b71c81e64bb0157adf44a90e73d83da2076cd1369b0065ca2f94f95ec3288df257bc2186eb50b51a7fe449ae1378dd42a70c71d63ba0056acf3499fe63c82d92f75cc1268bf055ba1f84e94eb3187de247ac1176db40a50a6fd4399e0368cd3297fc61c62b90f55abf2489ee53b81d82e74cb1167be045aa0f74d93ea3086dd2379c"), raw=True),
]
constants = [
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("d90f833f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.INT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("31f54c3f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [285]),]
expected = ["y: UINT8[285], codes 0x00 (0) 0x00 (0) 0x73 (115) 0x00 (0) 0x2e (46) 0x00 (0) 0x00 (0) 0x6a (106) 0x00 (0) 0x25 (37) 0x00 (0) 0x00 (0) 0x61 (97) 0x00 (0) 0x1c (28) 0x9d (157) ..."]
cast_to = {}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "x_scale", "x_zero_point"], ["x_dequantized"]),
    helper.make_node("QuantizeLinear", ["x_dequantized", "y_scale", "y_zero_point"], ["y"]),
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
