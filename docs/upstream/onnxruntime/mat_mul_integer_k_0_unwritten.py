# mat_mul_integer_k_0_unwritten
# MatMulInteger, opset_version 21. Written by qconform. By ONNX's specification:
#   Y: INT32[1], codes 0x00000000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("A", TensorProto.UINT8, [1, 0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("B", TensorProto.INT8, [0],
                       bytes.fromhex(""), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("Y", TensorProto.INT32, [1]),]
expected = ["Y: INT32[1], codes 0x00000000 (0)"]
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
    import numpy
    import onnxruntime
    # y is given to the session full of bytes 0x5a, so that it shows which are not written.
    session = onnxruntime.InferenceSession(model.SerializeToString())
    kind = model.graph.output[0].type.tensor_type
    dtype = helper.tensor_dtype_to_np_dtype(kind.elem_type)
    shape = [dim.dim_value for dim in kind.shape.dim]
    filled = numpy.full(int(numpy.prod(shape)) * dtype.itemsize, 0x5a, numpy.uint8).view(dtype).reshape(shape)
    y = onnxruntime.OrtValue.ortvalue_from_numpy(filled)
    binding = session.io_binding()
    for name, array in feeds.items():
        binding.bind_cpu_input(name, array)
    binding.bind_ortvalue_output(model.graph.output[0].name, y)
    session.run_with_iobinding(binding)
    return [y.numpy()]


print("expected", *expected, flush=True)
for name, run in [("ONNX Runtime", answer)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
