# conv_one_dimension
# QLinearConv, opset_version 28. Written by qconform. By ONNX's specification:
#   y: UINT8[1,5,12], codes 0xb9 (185) 0x91 (145) 0xe3 (227) 0xd9 (217) 0xbd (189) 0xad (173) 0x2f (47) 0xc3 (195) 0xb3 (179) 0xc5 (197) 0x8d (141) 0x41 (65) 0x09 (9) 0x07 (7) 0x75 (117) 0x6f (111) ...
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 21, 68],
                       bytes.fromhex("0000000000000000000000002be8000000000000000000000000e8210000e64600000000000000007bf50000ffff0000000000140000cbb34200ffff820000f300ff0000ff00ffffff9000fff1ff0000fe46ff00ffffffff00ffffff0000ce70ffccffffffff00ffffff7c0097fcffffffffffff00ffffffff009162ffffffffffff00ffffffff00ffffffffffff00ffffffff002241ffffffffffff00ffffffff000d06ffffffffffff00ffffffffb263abffffffffffffa0ffffffffff47bfffffffffffffffffffffffffffffffffffffffffffffffff3f77ffffffffffffffffffffffffa024ffffffffffffffffffffffffeec7ffffffffffffffffffffffff5464f0fdfff0f6f7fae9e9ecf6fbfcfaf9fefafef5faf9f9f7fb26c5000000000000000000000000283800000000002b004bab0000004b2a0000000000ff00ffff00000936ad0000000000ff00ffff8700ff0000000000ff00ffffff55ffb4d30000000000ff00ffffffffff966c0000813100ff00ffffffffffbb040000ffff00ff00ffffffffffc9160000ffff00ff00ffffffffff0000ffff00ff00ffffffffffce9a0000ffff00ff00ffffffffffa2230000ffff00ff00ffffffffffe0cf0000ffff75ff25ffffffffff0ed8c393ffffffffffffffffffffffffffffffffffffffffffffac96ffffffffffffffffffffffff1f6fffffffffffffffffffffffff6061ffffffffffffffffffffffff5843fffffffffffffffffffffffffcf7f5eef4ededf0f8f5f1ea4c9ef5fcf9f6fef6fbf5fdfcf7f604c600000000000000ff000000ff1d8600000000000000ff000000fff6a300000000000000ff84a400ff00000000000000ffffff00ff853a00000000000000ffffff00ffa00e00000000000000ffffff00ffba9700000000004c00ffffff00ff571c000000008aff00ffffff00ff48000000ffff00ffffff08ff3182ff0056b6ffff86ffffffffff1765ff00ffffffffffffffffffffa859ffb2ffffffffffffffffffff7ea9ffffffffffffffffffffffffffffffffffffffffffffffff6590ffffffffffffffffffffffff9f65ffffffffffffffffffffffff108dffffffffffffffffffffffff2f3affffffffffffffffffffffffffffffffffffffffffffffff4e87f3fdf4fdf9f3f9fff8fbedff06f0f9f8fdfaf8fbf6fff8f7fbff03b4000000000000000000000000c9d000000000000000000000000000000000000000000000000034680000000000000000e1000011c73400002f0000000000ff0000fff6da0000ff0000000000ff0000ff9b2b005bff6b00000000ff0000ff00ffffff00000000ff0000ffa12b00ffffff00000000ff0000ff2a2300ffffff65850000ff0000ffa13f00ffffffffff0000ff0000ff0ad900ffffffffff4100ffd100ff00ffffffffffff00fffff0ffd1d500ffffffffffff00ffffffff5b5e00ffffffffffff00ffffffffb22869ffffffffffff00ffffffffabf9ffffffffffffff00ffffffffffffffffffffff45ffffffff4802ffffffffffffffffffffffff5833f5f3eff5f4f7f1f2fffeeaecfbc5fcfbf9f5fdfcfcfbfafdf9fb6b23000000000000000000000000000000000000000000000000f3c100000000000000003d000000997f0000000000000000ff0000bba3ba00000099e9000000ff0000ff6975c70000ffff003700ffd700ffff0000ffff00ff00ffff00ffe96eff0000ffff00ff00ffff00ff772cff0000ffff71ff00ffff00ffcf08ff0000ffffffff00ffff00ff6406ff005dffffffff00ffff00ffff00ffffffffffcbffff00fffda1ff00ffffffffffffffffa9ff283cff00ffffffffffffffffffff5310ff45ffffffffffffffffffff1894ffffffffffffffffffffffffffffffffffffffffffffffff9364ffffffffffffffffffffffffc3fcffffffffffffffffffffffff6518fcf1f3f8fff5effdeffefafbff94fcfcfaf9fcf6fbfbfef6fbf9"), raw=True),
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803d"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("ff"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [5, 21, 5],
                       bytes.fromhex("ffffffffffffffffffffffffffffffffffffff0b01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffffffffffffffffffffffffffffffffffff0b01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffffffffffffffffffffffffffffffffffff0b01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffffffffffffffffffffffffffffffffffff0b01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffffffffffffffffffffffffffffffffffff0b01"), raw=True),
    helper.make_tensor("w_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803d"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("00008041"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("ff"), raw=True),
    helper.make_tensor("B", TensorProto.INT32, [5],
                       bytes.fromhex("ef4c0000fcc9fdffdb3efeffeacf0100f175ffff"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 5, 12]),]
expected = ["y: UINT8[1,5,12], codes 0xb9 (185) 0x91 (145) 0xe3 (227) 0xd9 (217) 0xbd (189) 0xad (173) 0x2f (47) 0xc3 (195) 0xb3 (179) 0xc5 (197) 0x8d (141) 0x41 (65) 0x09 (9) 0x07 (7) 0x75 (117) 0x6f (111) ..."]
cast_to = {}
nodes = [
    helper.make_node("QLinearConv", ["x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point", "B"], ["y"], dilations=[14]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import os
    os.environ.update(DEV="CPU", CC="clang")
    from tinygrad.nn.onnx import OnnxRunner
    onnx.save(model, "case.onnx")
    outputs = OnnxRunner("case.onnx")(feeds)
    return [outputs[output.name].numpy() for output in model.graph.output]


print("expected", *expected)
print("tinygrad", *(repr(output) for output in answer()))
