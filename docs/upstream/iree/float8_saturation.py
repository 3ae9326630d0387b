# float8_saturation
# QuantizeLinear, opset_version 19. Written by qconform. By ONNX's specification:
#   y: FLOAT8E4M3FN[1], codes 0x7e (448)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 19, 9
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1],
                       bytes.fromhex("00009643"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000003f"), raw=True),
]
constants = [
    helper.make_tensor("y_zero_point", TensorProto.FLOAT8E4M3FN, [],
                       bytes.fromhex("00"), raw=True),
]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT8E4M3FN, [1]),]
expected = ["y: FLOAT8E4M3FN[1], codes 0x7e (448)"]
cast_to = {"y": TensorProto.FLOAT}
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
