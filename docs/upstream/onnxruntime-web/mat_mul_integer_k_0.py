# mat_mul_integer_k_0
# MatMulInteger, opset_version 21. Written by qconform. By ONNX's specification:
#   Y: INT32[1,1], codes 0x00000000 (0)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 21, 10
fed = [
    helper.make_tensor("A", TensorProto.UINT8, [1, 0],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("B", TensorProto.UINT8, [0, 1],
                       bytes.fromhex(""), raw=True),
    helper.make_tensor("a_zero_point", TensorProto.UINT8, [],
                       bytes.fromhex("00"), raw=True),
    helper.make_tensor("b_zero_point", TensorProto.UINT8, [1, 1],
                       bytes.fromhex("00"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 1]),]
expected = ["Y: INT32[1,1], codes 0x00000000 (0)"]
cast_to = {}
nodes = [
    helper.make_node("MatMulInteger", ["A", "B", "a_zero_point", "b_zero_point"], ["y"]),
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
    # Each operand becomes an initializer, so that Node only has to run case.onnx.
    del model.graph.input[:]
    model.graph.initializer.extend(fed)
    onnx.save(model, "case.onnx")
    code = """
    import fs from "node:fs";
    import * as ort from "onnxruntime-web";
    const options = { executionProviders: ["wasm"], graphOptimizationLevel: "disabled" };
    const bytes = new Uint8Array(fs.readFileSync("case.onnx"));
    try {
      const session = await ort.InferenceSession.create(bytes, options);
      for (const y of Object.values(await session.run({}))) console.log(y.type, y.dims, y.data);
    } catch (error) { console.log(String(error)); }
    """
    done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, text=True)
    return (done.stdout + done.stderr).strip().splitlines()


print("expected", *expected, flush=True)
for name, run in [("ONNX Runtime Web", answer)]:
    try:
        print(name, *(repr(output) for output in run()))
    except Exception as error:
        print(name, "failed:", error)
