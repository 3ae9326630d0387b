"""Tests of the Python worker: python3 python_worker_test.py QCONFORM DEPS_DIR TEST...

codec, declines, refusals and minimal need only Python. packing, onnx and short_names need a
Python with the package onnx; without it they print "not run, because" (exit code 77, CTest's
SKIP_RETURN_CODE).
"""

import json
import linecache
import os
import shlex
import subprocess
import sys
import tempfile
import types
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from qconform_worker import protocol  # noqa: E402


def expect(condition, text):
    if not condition:
        print("FAILED:", text)
        sys.exit(1)


def python_with_onnx(deps):
    for python in (os.path.join(deps, "python-onnx", "python3"), sys.executable, "python3"):
        try:
            found = subprocess.run(
                [python, "-c", "import onnx.reference, numpy"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            continue
        if found.returncode == 0:
            return python
    return None


def knows_float6(python):
    """Whether qconform is built with onnx 1.23 or newer, and ml_dtypes is as new."""
    code = "import ml_dtypes, onnx; ml_dtypes.float6_e2m3fn, onnx.TensorProto.FLOAT6E2M3"
    return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


def qconform(tool, *arguments):
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join([HERE, os.path.join(HERE, "testing")])
    done = subprocess.run(
        [tool, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def run_cells(tool, command, *cells):
    """Returns the exit code, and the cells' records by id, of a smoke run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        arguments = [
            "run",
            "--backend",
            "process:" + command,
            "--level",
            "smoke",
            "--jobs",
            "1",
            "--no-progress",
            "--report",
            path,
        ]
        for cell in cells:
            arguments += ["--cells", cell]
        code, output = qconform(tool, *arguments)
        expect(os.path.exists(path), output)
        with open(path) as file:
            results = json.load(file)["results"]
        return code, {record["cell"]: record for record in results["cells"]}, output


def test_codec():
    reply = {
        "outputs": {
            "tensors": [
                {"data_type": 2, "dims": [2, 0, 300], "data": b"abc"},
                {"data_type": 22, "shared": {"offset": 1 << 40, "size": 7}},
            ]
        }
    }
    data = protocol.encode(protocol._REPLY, dict(reply, seq=9))
    back = protocol.decode(protocol._REPLY, data)
    expect(back["seq"] == 9, back)
    first, second = back["outputs"]["tensors"]
    expect(first["dims"] == [2, 0, 300] and first["data"] == b"abc", first)
    expect(second["shared"] == {"offset": 1 << 40, "size": 7}, second)
    # A field of a later version is skipped, and a field that is cut off is an error.
    later = data + protocol._length_delimited(999, b"new") + protocol._varint(998 << 3) + b"\1"
    expect(protocol.decode(protocol._REPLY, later) == back, "an unknown field is read")
    try:
        protocol.decode(protocol._REPLY, data[:-1])
        expect(False, "a message that is cut off is read")
    except protocol.ProtocolError:
        pass
    negative = protocol.encode(protocol._TENSOR, {"dims": [-1]})
    expect(protocol.decode(protocol._TENSOR, negative)["dims"] == [-1], "-1 is lost")
    # Bytes that Python could not decode, which an error message may have.
    words = protocol.encode(protocol._REPLY, {"error": {"text": "a\udcffb"}})
    text = protocol.decode(protocol._REPLY, words)["error"]["text"]
    expect(text == "a\\udcffb", text)


def test_declines():
    """Which errors of prepare decline: with a package onnx that has one function."""
    from qconform_worker.serving import Target, Worker

    graph = types.SimpleNamespace(input=[], output=[], initializer=[])
    sys.modules["onnx"] = types.SimpleNamespace(
        load_model_from_string=lambda _: types.SimpleNamespace(graph=graph)
    )

    def not_there(_):
        return no_such_name  # noqa: F821

    def typo(_):
        return graph.outputs

    def older(_):
        return sys.no_such_type

    def of_type(_):
        raise TypeError("data type 'int4' not understood")

    def declines(_):
        raise NotImplementedError("no blocks")

    def knows_no_operator(_):
        raise RuntimeError("No implementation for operator 'QLinearConv' domain ''")

    def holds_an_attribute_invalid(_):
        raise ValueError("axis: expected 0 or 1, got -1")

    def infers_another_shape(_):
        raise RuntimeError("[ShapeInferenceError] (op_type:QuantizeLinear): y has no shape")

    for prepare, answer in (
        (not_there, "error"),
        (typo, "error"),
        (older, "unsupported"),
        (of_type, "unsupported"),
        (declines, "unsupported"),
        (knows_no_operator, "unsupported"),
        (holds_an_attribute_invalid, "refused"),
        (infers_another_shape, "refused"),
    ):
        worker = Worker(Target("backend"), types.SimpleNamespace(prepare=prepare))
        reply = worker.answer(types.SimpleNamespace(kind="prepare", body={"model": b""}))
        expect(list(reply) == [answer], (prepare.__name__, reply))
    del sys.modules["onnx"]


def test_refusals():
    """A ValueError that ONNX's reference evaluator raises itself refuses the operands. Others are
    errors: of numpy inside it, and of other backends."""
    from qconform_worker.serving import Target, Worker

    with tempfile.TemporaryDirectory() as folder:
        for place, line, answer in (
            (("onnx", "reference"), "raise ValueError('expected a zero point of 0')", "refused"),
            (("onnx", "reference"), "int('x')", "error"),
            (("onnx", "reference"), "raise TypeError('a bug')", "error"),
            (("mine",), "raise ValueError('a bug')", "error"),
        ):
            path = os.path.join(folder, *place, "operator.py")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write("def run(inputs):\n    %s\n" % line)
            linecache.checkcache(path)
            names = {}
            exec(compile(Path(path).read_text(), path, "exec"), names)
            worker = Worker(Target("backend"), types.SimpleNamespace(), trace=lambda: None)
            worker.run = names["run"]
            reply = worker.answer(types.SimpleNamespace(kind="run", body={}))
            expect(list(reply) == [answer], (place, line, reply))


def test_minimal(tool):
    command = "'%s' '%s'" % (sys.executable, os.path.join(HERE, "testing", "minimal_worker.py"))
    code, output = qconform(tool, "worker-check", command)
    expect(code == 0, output)
    code, cells, output = run_cells(tool, command, "QLinearMatMul/10/*")
    expect(code == 4, output)
    for record in cells.values():
        expect(record["verdict"] == "unsupported", record)


def need_python_with_onnx(deps):
    python = python_with_onnx(deps)
    if python is None:
        print(
            "not run, because there is no Python with onnx here "
            "(script/bootstrap --with python-onnx)"
        )
        sys.exit(77)
    return python


def test_packing(deps):
    done = subprocess.run(
        [need_python_with_onnx(deps), os.path.join(HERE, "testing", "packing.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    print(done.stdout)
    expect(done.returncode == 0, "the worker's packing is not ONNX's")


def run_short(tool, python, backend, folder, *more):
    """Returns the exit code, the first cell's record and what was printed, of a smoke run of
    one cell that is started in `folder`."""
    with tempfile.TemporaryDirectory() as output:
        path = os.path.join(output, "report.json")
        done = subprocess.run(
            [
                tool,
                "run",
                "--backend",
                backend,
                "--python",
                python,
                "--level",
                "smoke",
                "--cells",
                "QuantizeLinear/10/FLOAT-FLOAT-UINT8/*",
                "--no-progress",
                "--report",
                path,
                *more,
            ],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if not os.path.exists(path):
            return done.returncode, None, done.stdout
        with open(path) as file:
            report = json.load(file)
        return done.returncode, report, done.stdout


def test_short_names(tool, deps):
    """py:NAME, and its rerun line in another folder."""
    python = need_python_with_onnx(deps)
    testing = os.path.join(HERE, "testing")
    code, report, output = run_short(tool, python, "py:onnx.reference", "/")
    expect(code == 1, output)
    expect(report["results"]["backend"]["name"] == "py:onnx.reference", output)
    source = report["run"]["backend"]["details"]["source"]
    expect(source.startswith("onnx/reference/reference_evaluator.py:"), source)
    example = report["results"]["cells"][0]["counterexamples"][0]
    expect(
        " --backend py:onnx.reference --python %s --seed 1" % python in example["replay"], example
    )

    # The module is in the working directory, then in a folder, then a file.
    for backend, folder, name in (
        ("py:halves_up:quantize", testing, "py:halves_up:quantize"),
        ("py:testing/halves_up:quantize", HERE, "py:halves_up:quantize"),
        ("py:./halves_up.py:quantize", testing, "py:halves_up.py:quantize"),
        ("py:halves_up:both", testing, "py:halves_up:both"),
    ):
        code, report, output = run_short(tool, python, backend, folder)
        expect(code == 1 and "adds_half_in_p" in output, output)
        expect(report["results"]["backend"]["name"] == name, report["results"]["backend"])
        source = report["run"]["backend"]["details"]["source"]
        expect(source.startswith(os.path.join(testing, "halves_up.py:")), source)
        rerun = shlex.split(report["results"]["cells"][0]["counterexamples"][0]["replay"])
        done = subprocess.run(
            [tool, *rerun[1:]],
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        expect(done.returncode == 1 and "nonconformant" in done.stdout, done.stdout)
        expect(
            os.path.join(testing, "halves_up") in " ".join(report["run"]["command_line"]),
            report["run"]["command_line"],
        )

    # Options go to prepare, and to the constructor of an evaluator.
    code, report, output = run_short(
        tool,
        python,
        "py:noisy_backend:WithOptions,level=2,name=a,b",
        testing,
        "--backend-option",
        "fast=true",
        "--name",
        "short",
    )
    record = report["results"]["cells"][0]
    expect(code == 4 and "fast=True level=2 name='a,b'" in record["reason"], record)
    expect(report["results"]["backend"]["name"] == "short", report["results"]["backend"])

    for backend, words in (
        ("py:", "expected py:onnxruntime"),
        ("py", "expected py:onnxruntime"),
        ("py:a:b,c", "expected KEY=VALUE after a comma, got 'c'"),
        ("py:a:b,c=1,c=2", "each option once"),
        ("py:no_such_module:Nothing", "py:FOLDER/no_such_module:Nothing another folder"),
        ("py:no_such_file.py:Nothing", "no_such_file.py: expected a Python file"),
        ("py:halves_up:nothing", "halves_up has no nothing"),
        ("py:halves_up:plain", "put @qconform.backend(OP_TYPE) above it"),
        ("py:./no_folder/x:y", "No module named 'x'"),
    ):
        code, report, output = run_short(tool, python, backend, testing)
        expect(code == 2 and words in output, (backend, code, output))
    code, report, output = run_short(tool, "/no/python", "py:onnx.reference", "/")
    expect(code == 2 and "/no/python" in output, output)
    code, report, output = run_short(tool, python, "py:onnx.reference", "/", "--in-process")
    expect(code == 2 and "a process of its own" in output, output)


def check_six_bits(tool, python, reference):
    """FLOAT6 goes through the worker and back, in rows that begin inside a byte."""
    _, output = qconform(tool, "list", "cells", "--ids")
    newest = subprocess.run(
        [python, "-c", "import onnx; print(onnx.defs.onnx_opset_version())"],
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    if "QuantizeLinear/28/" not in output or int(newest) < 28:
        print("not run: FLOAT6, which needs ONNX 1.23 here and in qconform")
        return
    _, cells, output = run_cells(tool, reference, "QuantizeLinear/28/FLOAT-FLOAT-FLOAT6*/*")
    expect(len(cells) == 6, output)
    for name, record in cells.items():
        # Its only fault with these types is that DOUBLE quotients go through FLOAT.
        wrong = [
            c for c in record.get("counterexamples", []) if "precision=DOUBLE" not in c["case"]
        ]
        expect(
            record["verdict"] in ("conformant", "admissible", "nonconformant") and not wrong,
            (name, record["verdict"], wrong),
        )


def test_onnx(tool, deps):
    python = need_python_with_onnx(deps)
    reference = "'%s' -m qconform_worker onnx.reference:ReferenceEvaluator" % python
    code, output = qconform(tool, "worker-check", reference)
    expect(code == 0, output)
    code, cells, output = run_cells(
        tool,
        reference,
        "QuantizeLinear/10/*",
        "QuantizeLinear/19/FLOAT16-*/per_tensor",
        "QLinearMatMul/21/FLOAT-UINT8-UINT8-UINT8/*",
    )
    expect(code == 1, output)
    for name, record in sorted(cells.items()):
        print(record["verdict"], name, record.get("reason", ""))
    passes = [r for r in cells.values() if r["verdict"] in ("conformant", "admissible")]
    expect(len(passes) >= 4, "what the reference does right is not found right")
    # onnx 1.20: a value over the range of int32 becomes 0 where it should saturate.
    plain = cells["QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"]
    expect(plain["verdict"] == "nonconformant", plain)
    expect(plain["counterexamples"][0]["clause"] == "QL-11", plain)
    rerun = shlex.split(plain["counterexamples"][0]["replay"])
    code, output = qconform(tool, *rerun[1:])
    expect(code == 1 and "nonconformant" in output, output)
    check_six_bits(tool, python, reference)
    noisy = "'%s' -m qconform_worker noisy_backend:Noisy" % python
    code, cells, output = run_cells(tool, noisy, "QuantizeLinear/10/FLOAT-*", "QLinearMatMul/10/*")
    for name, record in cells.items():
        declines = record["verdict"] == "unsupported"
        expect(declines == ("MatMul" in name), record)
    for name, verdict in (("Broken", "failed"), ("Old", "unsupported")):
        fails = "'%s' -m qconform_worker noisy_backend:%s" % (python, name)
        code, cells, output = run_cells(tool, fails, "QuantizeLinear/10/FLOAT-*")
        for record in cells.values():
            expect(record["verdict"] == verdict, record)
    # The worker packs elements of 4, 6 and 8 bits: every code, at every place in a byte.
    casts = "'%s' -m qconform_worker ml_dtypes_backend:MlDtypes" % python
    types = ["FLOAT16-FLOAT16-FLOAT4E2M1", "FLOAT16-FLOAT16-FLOAT8E5M2"]
    if knows_float6(python):
        types += ["FLOAT16-FLOAT16-FLOAT6E2M3", "BFLOAT16-BFLOAT16-FLOAT6E3M2"]
    for name in types:
        code, output = qconform(
            tool,
            "prove",
            "line",
            name,
            "--scale",
            "1",
            "--saturate",
            "0" if "FLOAT8" in name else "1",
            "--no-progress",
            "--backend",
            "process:" + casts,
        )
        expect(code == 0 and "0 of 65 536 inputs differ" in output, output)
    missing = "'%s' -m qconform_worker no_such_module:Nothing" % python
    code, output = qconform(tool, "run", "--backend", "process:" + missing)
    expect(code == 2 and "no_such_module" in output, output)


if __name__ == "__main__":
    tool, deps = sys.argv[1:3]
    for test in sys.argv[3:]:
        {
            "codec": test_codec,
            "declines": test_declines,
            "refusals": test_refusals,
            "minimal": lambda: test_minimal(tool),
            "packing": lambda: test_packing(deps),
            "onnx": lambda: test_onnx(tool, deps),
            "short_names": lambda: test_short_names(tool, deps),
        }[test]()
        print("passed:", test)
