# mat_mul_k_0
# QLinearMatMul, opset_version 21. Written by qconform. By ONNX's specification:
#   y: UINT8[1,1], codes 0x07 (7)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("a", TensorProto.UINT8, [1, 0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("a_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("01"), raw=True),
    helper.make_tensor("b", TensorProto.UINT8, [0, 1],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("b_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("b_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("0000803f"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("07"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1]),]
expected = ["y: UINT8[1,1], codes 0x07 (7)"]
cast_to = {}
nodes = [
    helper.make_node("QLinearMatMul", ["a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point", "y_scale", "y_zero_point"], ["y"]),
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
