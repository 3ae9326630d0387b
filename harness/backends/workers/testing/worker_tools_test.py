"""Tests of worker_tools and of the way to a worker, with packages that only pretend to be there:
python3 worker_tools_test.py [QCONFORM]. Without numpy it prints "not run, because" and exits 77.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import types
from pathlib import Path

WORKERS = Path(__file__).resolve().parent.parent
PROTOCOL = WORKERS.parent / "process" / "python"
sys.path[0:0] = [str(WORKERS), str(PROTOCOL)]

try:
    import numpy
except ModuleNotFoundError:
    print("not run, because this Python has no numpy")
    sys.exit(77)

import worker_tools  # noqa: E402
from qconform_worker import arrays  # noqa: E402
from qconform_worker.functions import Refused, Unsupported  # noqa: E402
from qconform_worker.serving import Target, Worker  # noqa: E402


def expect(condition, text):
    if not condition:
        print("FAILED:", text)
        sys.exit(1)


def raised(error, **words):
    """Returns the type of what worker_tools.errors makes of an error."""
    try:
        with worker_tools.errors(**words):
            raise error
    except Exception as found:
        return type(found)


def named(**members):
    return types.SimpleNamespace(**members)


def a_value(name, number):
    return named(name=name, type=named(tensor_type=named(elem_type=number)))


def a_model():
    """x FLOAT is fed, w INT4 is a constant that is an input too, y is UINT8."""
    graph = named(
        input=[a_value("x", 1), a_value("w", 22)],
        output=[a_value("y", 2)],
        value_info=[a_value("between", 10)],
        initializer=[named(name="w", data_type=22)],
    )
    return named(graph=graph, SerializeToString=lambda: b"the model")


def test_errors():
    kernel = raised(RuntimeError("Operator Q is NOT SUPPORTED"))
    expect(kernel is Unsupported, kernel)
    own = raised(RuntimeError("cannot find layer"), no_kernel=("Cannot find",))
    expect(own is Unsupported, own)
    invalid = raised(RuntimeError("bad axis"), invalid=("bad",))
    expect(invalid is Refused, invalid)
    other = raised(RuntimeError("something else"), no_kernel=("x",), invalid=("y",))
    expect(other is RuntimeError, other)
    kept = raised(Refused("not supported"))
    expect(kept is Refused, kept)


# What libraries say: messages of theirs that mean that there is no kernel.
NO_KERNEL = {
    "tract": [
        "TractError: Unknown DatumType Bfloat16",
        "TractError: unknown ONNX TensorProto.DataType (26): unknown enumeration value 26",
        "Applying rule inputs[1].datum_type == F32 2: Impossible to unify I32 with F32.",
        "Caused by: Tensor datum type error: tensor is U16, accessed as I32",
        'Evaluating #1 "y" DequantizeLinearF32 Caused by: Unsupported type U16',
        'Translating node #3 "y" QuantizeLinear Caused by: y_scale must be a const',
    ],
    "nxrt": [
        "DequantizeLinear failed: invalid tensor view: dtype Uint4 has no fixed-width byte layout",
        "kernel execution failed: QuantizeLinear: scale must be a scalar or 1-D tensor",
        "QuantizeLinear: only Float32, Float16, and BFloat16 inputs are supported, got Int32",
        "unsupported operator ai.onnx::ConvInteger: no available execution provider has a kernel",
    ],
    "onnxruntime-openvino": [
        "This session contains graph nodes that are assigned to the default CPU EP, but fallback "
        "to CPU EP has been explicitly disabled by the user.",
        "ONNX Runtime only *guarantees* support for models stamped with official released onnx "
        "opset versions. Opset 26 is under development",
    ],
    "opencv": [
        "(-215:Assertion failed) inptype == CV_8U || inptype == CV_8S "
        "in function 'dequantizeLinear'",
        "(-215:Assertion failed) outtype == CV_8U || outtype == CV_8S in function 'quantizeLinear'",
        "(-215:Assertion failed) sctype == CV_32F || sctype == CV_16F in function 'quantizeLinear'",
        "(-215:Assertion failed) inp.type() == CV_8SC1 || inp.type() == CV_8UC1 "
        "in function 'forward'",
        "(-215:Assertion failed) scale.dims <= 1 in function 'dequantizeLinear'",
        '(-2:Unspecified error) Can\'t create layer "onnx_node_output_0!y" of type',
    ],
    "rten": [
        "conversion error for input 1: expected tensor with type tensor(f32) but has type "
        "tensor(i32). Inputs were (tensor(f32) [813], tensor(i32) [], tensor(u8) [])",
        "operator error: QLinearMatMul operator not supported or not enabled",
        'operator error: error in attribute "block_size": unsupported value',
    ],
    "tinygrad": ["DequantizeLinear() got an unexpected keyword argument 'output_dtype'"],
    "iree": [
        "iree-compile: failed to legalize operation 'torch.operator'",
        "iree-compile: 'iree_linalg_ext.quantize_affine' op expected input to have a floating "
        "point element type, got 'i32'",
        "iree-compile: 'arith.divf' op operand #0 must be floating-point-like, but got 'i32'",
        "iree-compile: unsupported type",
    ],
    "openvino": [
        "Check 'is_supported_type' failed: Bad format for f8 conversion type: f4e2m1",
    ],
    "tvm": [
        "zero_point param datatype should be one of ['int8', 'uint8'], but got T.float8_e4m3fn",
        "scale param datatype should be one of [float16, float32], but got T.bfloat16",
        "The following operators are not supported for frontend ONNX: QLinearConv",
    ],
}
# And messages that do not: a legal model that is held to be invalid, or an error.
OTHERS = {
    "nxrt": [
        "kernel execution failed: QuantizeLinear: scale values must be finite and positive",
        "QuantizeLinear: output dtype Int8 must match zero_point dtype Uint8",
    ],
    "tract": [
        "running pass codegen: in output_facts invocation for Y.fix_quant_param: RmAxis 0: "
        "Removing non-trivial axis #0 of dim: 3",
        "Trying to substitute a 3,I8 by 3,U8 as output #0 of #4",
    ],
    "opencv": [
        "(-215:Assertion failed) inp.isContinuous() in function 'dequantizeLinear'",
        "(-215:Assertion failed) output_sc > 0.f in function 'ensureCoeffs'",
    ],
    "rten": ["input or attribute has invalid value: expected 2 stride values. Inputs were (...)"],
}


def words_of(name):
    """The words that a worker's source has for "no kernel"."""
    rust = WORKERS / name / "src" / "main.rs"
    if rust.exists():
        array = re.search(r"const NO_KERNEL: .*?= \[(.*?)\];", rust.read_text(), re.S)
        return re.findall('"(.*?)"', array[1])
    for node in ast.parse((WORKERS / name / "worker.py").read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "_NO_KERNEL":
            return ast.literal_eval(node.value)
    return []


def test_messages():
    for table, expected in ((NO_KERNEL, Unsupported), (OTHERS, RuntimeError)):
        for name, messages in table.items():
            words = words_of(name)
            expect(words, name + " has no words")
            for message in messages:
                found = raised(RuntimeError(message), no_kernel=words)
                expect(found is expected, "%s: %s: %s" % (name, message, found))


def test_types():
    model = a_model()
    expect([v.name for v in worker_tools.fed(model)] == ["x"], "w is fed")
    expect(worker_tools.edge_types(model) == ["FLOAT", "UINT8"], worker_tools.edge_types(model))
    expect(worker_tools.types(model) == {"FLOAT", "UINT8", "INT4", "FLOAT16"}, "types")
    worker_tools.require_types(["FLOAT"], worker_tools.NUMPY_TYPES, "it")
    try:
        worker_tools.require_types(["UINT4", "FLOAT", "INT4"], worker_tools.NUMPY_TYPES, "it")
        expect(False, "INT4 is taken")
    except Unsupported as error:
        expect(str(error) == "it has no arrays of INT4, UINT4", error)


def test_sizes():
    def sized(*dims):
        dims = [named(HasField=lambda _, has=has: has) for has in dims]
        return named(type=named(tensor_type=named(shape=named(dim=dims))))

    worker_tools.require_sizes([sized(), sized(True, True)], "it")
    try:
        worker_tools.require_sizes([sized(True), sized(True, False)], "it")
        expect(False, "a dimension with a name is taken")
    except Unsupported as error:
        expect(str(error) == "the worker of it takes no dimensions with names", error)


def test_codes():
    halves = numpy.array([[1.5], [-2.0], [0.0]], numpy.float16)
    codes = worker_tools.to_codes(halves)
    expect(codes.dtype == numpy.uint8 and codes.size == 6, codes)
    back = worker_tools.from_codes("FLOAT16", [3, 1], codes)
    expect(back.dtype == halves.dtype and back.tobytes() == halves.tobytes(), back)
    scalar = worker_tools.from_codes("INT8", [], numpy.array([0x80], numpy.uint8))
    expect(scalar.shape == () and int(scalar) == -128, scalar)
    empty = worker_tools.from_codes("INT32", [0, 3], numpy.array([], numpy.uint8))
    expect(empty.shape == (0, 3) and empty.dtype == numpy.int32, empty)


def test_model_file():
    with worker_tools.model_file(a_model()) as path:
        expect(Path(path).read_bytes() == b"the model", path)
    expect(not os.path.exists(path), "the file is left")


FAKE = """
import fake_runtime
import worker_tools

class Backend:
    def __init__(self, mode="plain"):
        self.identity = worker_tools.identity("fake-runtime", mode=mode)

    def prepare(self, model):
        worker_tools.require_types(worker_tools.edge_types(model), {"FLOAT"}, "fake")
        with worker_tools.errors():
            raise RuntimeError("everything is unsupported")
"""


def make_fake(folder):
    """A worker `fake` and its package fake-runtime 1.2.3 in `folder`."""
    package = folder / "fake_runtime-1.2.3.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-runtime\nVersion: 1.2.3\n")
    (folder / "fake_runtime.py").write_text("")
    (folder / "worker.py").write_text(FAKE)


def test_identity_and_options():
    """The class is constructed with the options, and hello has its identity and no path."""
    sys.modules["onnx"] = named(__version__="0", load_model_from_string=lambda _: a_model())
    with tempfile.TemporaryDirectory() as scratch:
        make_fake(Path(scratch))
        worker = Worker(Target(scratch + "/worker.py:Backend", ["mode=odd"]), trace=lambda: None)
        hello = worker.answer(named(kind="hello", body={}))["hello"]
        expect((hello["name"], hello["version"]) == ("fake-runtime", "1.2.3"), hello)
        expect(hello["details"]["mode"] == "odd", hello)
        expect(scratch not in json.dumps(hello), hello)
        reply = worker.answer(named(kind="prepare", body={"model": b""}))
        expect(reply == {"unsupported": {"reason": "fake has no arrays of UINT8"}}, reply)


def test_command(tool):
    """worker:NAME without its environment, an unknown name, and an option that is given twice."""
    with tempfile.TemporaryDirectory() as empty:
        environment = dict(os.environ, QCONFORM_DEPS_DIR=empty)
        listed = subprocess.run(
            [tool, "list", "backends"], env=environment, cwd=empty, capture_output=True, text=True
        ).stdout
        names = {path.parent.name for path in WORKERS.glob("*/README.md")}
        expect(len(names) >= 9, names)
        for name in names:
            expect("worker:" + name in listed, listed)
        for spec, words in (
            ("worker:nosuch", "expected worker:NAME, one of "),
            ("worker:tract,mode=1,mode=2", "expected each option once, got 'mode' twice"),
            ("worker:", "expected "),
        ):
            done = subprocess.run(
                [tool, "run", "--backend", spec, "--level", "smoke"],
                env=environment,
                cwd=empty,
                capture_output=True,
                text=True,
            )
            expect(done.returncode == 2 and words in done.stderr, done.stderr)


def main(arguments):
    arguments = [os.path.abspath(path) for path in arguments]
    test_errors()
    test_messages()
    test_types()
    test_sizes()
    test_codes()
    test_model_file()
    test_identity_and_options()
    if arguments:
        test_command(arguments[0])
    expect(arrays.NUMBERS["UINT8"] == 2, "NUMBERS")


if __name__ == "__main__":
    main(sys.argv[1:])
