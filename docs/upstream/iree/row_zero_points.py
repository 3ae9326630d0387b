# row_zero_points
# MatMulInteger, opset_version 28. Written by qconform. By ONNX's specification:
#   Y: INT32[2,2], codes 0x00000000 (0) 0x00000000 (0) 0x00000000 (0) 0x00000000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 28, 14
fed = [
    helper.make_tensor("A", TensorProto.UINT8, [2, 2],
                       bytes.fromhex("0a0a1414"), raw=True),
    helper.make_tensor("B", TensorProto.UINT8, [2, 2],
                       bytes.fromhex("01020304"), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.UINT8, [2],
                       bytes.fromhex("0a14"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("Y", TensorProto.INT32, [2, 2]),]
expected = ["Y: INT32[2,2], codes 0x00000000 (0) 0x00000000 (0) 0x00000000 (0) 0x00000000 (0)"]
cast_to = {}
nodes = [
    helper.make_node("MatMulInteger", ["A", "B", "a_zero_point"], ["Y"]),
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
