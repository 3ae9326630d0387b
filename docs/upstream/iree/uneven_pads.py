# uneven_pads
# QLinearConv, opset_version 28. Written by qconform. By ONNX's specification:
#   y: UINT8[1,1,1,3], codes 0x15 (21) 0x20 (32) 0x03 (3)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("x", TensorProto.UINT8, [1, 1, 1, 3],
                       bytes.fromhex("010203"), raw=True),
    helper.make_tensor("x_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("x_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("w", TensorProto.UINT8, [1, 1, 1, 2],
                       bytes.fromhex("010a"), raw=True),
    helper.make_tensor("w_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("w_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1, 1, 3]),]
expected = ["y: UINT8[1,1,1,3], codes 0x15 (21) 0x20 (32) 0x03 (3)"]
cast_to = {}
nodes = [
    helper.make_node("QLinearConv", ["x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point"], ["y"], pads=[0, 0, 0, 1]),
]


def info(tensor):
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


graph = helper.make_graph(nodes, "case", [info(t) for t in fed], outputs, constants)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", opset_version)], ir_version=ir_version)
onnx.checker.check_model(model, full_check=True)
feeds = {t.name: numpy_helper.to_array(t) for t in fed}


def answer():
    import subprocess
    import iree.runtime
    onnx.save(onnx.shape_inference.infer_shapes(model), "case.onnx")
    subprocess.run("iree-import-onnx case.onnx -o case.mlir", shell=True, check=True)
    subprocess.run("iree-compile --iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu "
                   "--iree-llvmcpu-target-cpu=generic case.mlir -o case.vmfb", shell=True, check=True)
    module = iree.runtime.load_vm_flatbuffer_file("case.vmfb", driver="local-sync")
    return [module[model.graph.name](*feeds.values()).to_host()]


print("expected", *expected)
print("IREE", *(repr(output) for output in answer()))
