# integer_sums
# MatMulInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   Y: INT32[1,1], codes 0xfef73885 (-17352571)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("A", TensorProto.UINT8, [1, 284],
                       bytes.fromhex("e8f3fdf4fbfeeee8fbebffe8f6f6f0f3f2f8f2f3f4f9e8f3fae8f3f0f1f1f8edf3ede8fbfbeae9e9f5efe8f8eef5f8e9f0f5f4eeebf8feeceaefeafbebecf4f2f9e9eeebeff6f8f7f7fbfcecfcf7faf0fdfbe9fcfaf4ffecf0fcf8f7f4fffdf4faeaeafdedfef3edeafae9eceefcfce8f0fef9f2f0f9fefcecfafaeee8eeeef8eaefe8e9ffebfdefffeafaeaf7eeecfff0ebf6ffebffeaece8f2f1f8f7e9f2eef8edfffdf3f3e8f6f4f6eaeef2f6ebecf3f1f8faf4faedfcfff2e9e8fbf3edfafff7fcf7fbfdfdfbf2f7ebedebebfdfdf3e9fdf0e9f5f0eaf4eefafbf2f3ecfbf4f1eff2fefbf5effcffeeffeaf0f7e8f8f6effaf8e8ecf1f8eeebe8ece8eff1fafdf8ebeae9f4ebeaedeffbf1f3e9f1fcf0f2e9f2f5f3e8ecf2edfb"), raw=True),
    helper.make_tensor("B", TensorProto.UINT8, [284, 1],
                       bytes.fromhex("000b000000000000070003000000000500000009001300150000110013000015111100000f0000000000000000000000000000001100000000000007000000000007000713000009000000000000000000000000000000000000000000090b000000001317000017000015000000000000000500001500000000000000000000001100031309000005000000110000000003000d0f170000000000000000000000000f00170000000000000000000000170000000000030000000f00000b0b0005090007150015000000000b0d11000f0007000000070000000000000000000000000b00000f0000000b000000000000000011000000001500000000000000010001000b0000001500090000170017000000000f0005000000000b07"), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("b_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("ff"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("Y", TensorProto.INT32, [1, 1]),]
expected = ["Y: INT32[1,1], codes 0xfef73885 (-17352571)"]
cast_to = {}
nodes = [
    helper.make_node("MatMulInteger", ["A", "B", "a_zero_point", "b_zero_point"], ["Y"]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import openvino
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
    return list(compiled({name: array.copy() for name, array in feeds.items()}).values())


print("expected", *expected)
print("OpenVINO", *(repr(output) for output in answer()))
