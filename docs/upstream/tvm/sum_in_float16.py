# sum_in_float16
# QuantizeLinear, opset_version 21. Written by qconform. By ONNX's specification:
#   y: INT16[1], codes 0x1001 (4097)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("x", TensorProto.FLOAT16, [1],
                       bytes.fromhex("006c"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT16, [],
                       bytes.fromhex("003c"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.INT16, [],
                       bytes.fromhex("0100"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT16, [1]),]
expected = ["y: INT16[1], codes 0x1001 (4097)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import tvm
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx
    module = from_onnx(model, keep_params_in_input=False)
    machine = relax.VirtualMachine(tvm.compile(module, target="llvm"), tvm.cpu())
    result = machine["main"](*[tvm.runtime.tensor(array) for array in feeds.values()])
    return [output.numpy() for output in ([result] if isinstance(result, tvm.runtime.Tensor) else result)]


print("expected", *expected)
print("Apache TVM", *(repr(output) for output in answer()))
