# precision_float16
# QuantizeLinear, opset_version 23. Written by qconform. By ONNX's specification:
#   y: UINT16[1], codes 0x029a (666)
import onnx
from onnx import TensorProto, helper, numpy_helper

opset_version, ir_version = 23, 11
fed = [
    helper.make_tensor("x", TensorProto.FLOAT, [1],
                       bytes.fromhex("0000fa44"), raw=True),
    helper.make_tensor("y_scale", TensorProto.FLOAT, [],
                       bytes.fromhex("00004040"), raw=True),
    helper.make_tensor("y_zero_point", TensorProto.UINT16, [],
                       bytes.fromhex("0000"), raw=True),
]
constants = [
]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT16, [1]),]
expected = ["y: UINT16[1], codes 0x029a (666)"]
cast_to = {}
nodes = [
    helper.make_node("QuantizeLinear", ["x", "y_scale", "y_zero_point"], ["y"], precision=10),
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
