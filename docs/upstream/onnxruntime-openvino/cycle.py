# cycle
# graphs.dynamic, opset_version 13. Written by qconform. By ONNX's specification:
#   y: FLOAT[1,3,3,3], codes 0x43c14d76 (386.605164) 0x4302ac6e (130.673553) 0x42abbe96 (85.8722382) 0x430316b6 (131.088715) 0x43b553ae (362.653748) 0xc1de6e6f (-27.8039227) 0x4347ea2b (199.914719) 0x423a629c (46.5962982) 0xc1d69151 (-26.8209553) 0x438c84bb (281.036957) 0x42fe5ff0 (127.187378) 0xc32056f1 (-160.339615) 0x43c0215f (384.260712) 0x43abd157 (343.635468) 0xc2cf24bc (-103.571747) 0x43854edb (266.616058) ...
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 13, 7
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1, 2, 5, 5],
                       bytes.fromhex("b1fd7c3d81837abc598f98bc5b41a6bc1f5371be5147443df5ecc43db3cc6abd6930b73cc7f11b3ef3d67a3c9bd9d73ce712483f0b75533c7fe1dcbd1166e63ca718683fb7be64bcf3f3ce3cfbf924bfcd1b65bc91dc9d3c6155e83dcd3a753dc5a9b63ded40dfbd5353dd3e31cb10bc855317bd957626bfe1139e3c759b373dcf368a3e6b33963cc32adcbe819ffbbcab3f503fa39f41beab50873ee9ee9c3ce3657a3c75d6b5bc3753093e795cedbedb88a43cfd240c3de946e6bd932a1bbe9196593c71900abc"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [3, 2, 3, 3],
                       bytes.fromhex("000263c40086e748a90a6b012d00ef50b11273d43596f758001a7b003dffffffc10183e445a60700c9008bec4dae0f70d13293000000"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3, 3, 3]),]
expected = ["y: FLOAT[1,3,3,3], codes 0x43c14d76 (386.605164) 0x4302ac6e (130.673553) 0x42abbe96 (85.8722382) 0x430316b6 (131.088715) 0x43b553ae (362.653748) 0xc1de6e6f (-27.8039227) 0x4347ea2b (199.914719) 0x423a629c (46.5962982) 0xc1d69151 (-26.8209553) 0x438c84bb (281.036957) 0x42fe5ff0 (127.187378) 0xc32056f1 (-160.339615) 0x43c0215f (384.260712) 0x43abd157 (343.635468) 0xc2cf24bc (-103.571747) 0x43854edb (266.616058) ..."]
cast_to = {}
nodes = [
    helper.make_node("DynamicQuantizeLinear", ["x"], ["codes", "x_scale", "x_zero_point"]),
    helper.make_node("ConvInteger", ["codes", "w", "x_zero_point", "w_zero_point"], ["sums"]),
    helper.make_node("Cast", ["sums"], ["sums_as_floats"], to=1),
    helper.make_node("Mul", ["sums_as_floats", "x_scale"], ["y"]),
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
