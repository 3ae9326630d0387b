"""run, explain, diff and reports, with backends of this process and of others."""

import os
import subprocess
import sys

import numpy as np
import pytest
import qconform
from halves import quantize

CELL = "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"


def run(backend, cells=CELL, **more):
    return qconform.run(backend, cells=cells, level="smoke", **more)


def shell(line, folder):
    """Runs a line as a user pastes it, with `qconform` on the path."""
    path = os.path.dirname(qconform.program()) + os.pathsep + os.environ["PATH"]
    return subprocess.run(
        line,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )


def test_wrong_function_is_diagnosed_and_its_rerun_line_works_elsewhere(tmp_path):
    report = run(quantize)
    assert report.deviates and report.exit_code == 1
    row = report[CELL]
    assert row["diagnosis"] == "adds_half_in_p" and row["clause"] == "QL-10"
    assert report.counts["nonconformant"] == 1 and len(report) == 1
    assert report.findings[0]["diagnosis"] == "adds_half_in_p"
    assert "halves:quantize" in repr(report) and "adds_half_in_p" in str(report)
    assert "qconform report" not in str(report) and "qconform replay" in str(report)
    assert "rounded, ties to even" in report.details()
    assert report.details(CELL).startswith("nonconformant ")
    done = shell(row["rerun"], tmp_path)
    assert done.returncode == 1 and "nonconformant" in done.stdout, done


def test_isolated_function_gives_the_same_answers():
    assert (
        run(quantize).data["results"]["cells"]
        == run(quantize, isolate=True).data["results"]["cells"]
    )


def test_function_of_this_session_only_is_rerun_by_python():
    def nearest(x, y_scale, y_zero_point):
        return np.zeros(x.shape, np.uint8)

    backend = qconform.backend("QuantizeLinear")(nearest)
    report = run(backend)
    assert "qconform.replay('QuantizeLinear/10@12/" in report[CELL]["rerun"]
    assert "', nearest)" in str(report)
    case = report[CELL]["rerun"].split("'")[1]
    assert qconform.replay(case, backend).deviates
    with pytest.raises(ValueError, match="another process can import"):
        run(backend, isolate=True)


def test_right_function_of_several_types_conforms():
    @qconform.backend("QuantizeLinear")
    def right(x, y_scale, y_zero_point, *, dtype):
        limits = np.iinfo(dtype)
        with np.errstate(all="ignore"):
            y = np.rint(x.astype(np.float32) / y_scale) + y_zero_point
            return np.clip(y, limits.min, limits.max).astype(dtype)

    report = run([right], "QuantizeLinear/10/*")
    assert not report.deviates and report.counts["conformant"] == 2, str(report)


def test_types_of_2_4_and_6_bits_go_through():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    seen = set()

    @qconform.backend("QuantizeLinear")
    def casts(x, y_scale, y_zero_point=None, *, dtype, **attributes):
        seen.add(dtype.name)
        if y_scale.ndim or y_scale.astype(np.float32) != 1 or attributes.get("precision"):
            raise qconform.Unsupported("y_scale is 1")
        with np.errstate(all="ignore"):
            if dtype.name.startswith("float"):
                return x.astype(dtype)
            low, high = ml_dtypes.iinfo(dtype).min, ml_dtypes.iinfo(dtype).max
            y = np.rint(x.astype(np.float32)) + y_zero_point.astype(np.float32)
            return np.clip(np.nan_to_num(y), low, high).astype(np.int8).astype(dtype)

    names = ["INT4", "UINT4", "INT2", "UINT2", "FLOAT4E2M1", "FLOAT6E2M3", "FLOAT6E3M2"]
    report = run(casts, ["QuantizeLinear/28/FLOAT16-FLOAT16-%s/per_tensor" % n for n in names])
    assert len(seen) == 7
    assert report.counts["nonconformant"] == 0 and report.counts["failed"] == 0, str(report)


def test_answers_that_are_no_answers():
    def answer(function):
        return run(qconform.backend("QuantizeLinear")(function))[CELL]

    row = answer(lambda x, y_scale, y_zero_point=0: x)
    assert row["verdict"] == "invalid_output" and "expected type UINT8, got FLOAT" in row["reason"]
    row = answer(lambda x: x)
    assert row["verdict"] == "unsupported" and "takes 1 operand, the node has" in row["reason"]

    def fails(x, y_scale, y_zero_point=0):
        return [0][x.size + 1]

    row = answer(fails)
    assert row["verdict"] == "failed"
    assert "IndexError: list index out of range (api_test.py, line " in row["reason"]

    def refuses(x, y_scale, y_zero_point=0):
        raise qconform.Refused("never seen")

    row = answer(refuses)
    assert row["verdict"] == "refused_legal" and "never seen" in row["reason"]


def test_what_is_no_backend():
    with pytest.raises(TypeError, match=r"put @qconform.backend\(OP_TYPE\) above it"):
        run(lambda x: x)
    with pytest.raises(TypeError, match="expected an op_type"):
        qconform.backend(quantize)
    with pytest.raises(qconform.QconformError, match="no_such_module"):
        run("py:no_such_module:Class")
    with pytest.raises(qconform.QconformError, match="expected one of ids such as"):
        run(quantize, "Nothing/*")


def test_explain():
    settings = {
        "x": np.float32([2.5, -1]),
        "y_scale": np.float32(1),
        "y_zero_point": np.uint8(1),
    }
    right = qconform.explain("QuantizeLinear", **settings)
    assert "y = [0x03 (3), 0x00 (0)]" in str(right) and not right.deviates
    wrong = qconform.explain("QuantizeLinear", **settings, opset=21, actual=np.uint8([4, 0]))
    assert wrong.deviates and "ties_away" in str(wrong)
    asked = qconform.explain("QuantizeLinear", **settings, backend=quantize)
    assert asked.deviates and "adds_half_in_p" in str(asked)
    texts = qconform.explain("QuantizeLinear", x="[2.5]:FLOAT16", y_scale="1:FLOAT16")
    assert "y = [0x02 (2)]" in str(texts)
    with pytest.raises(qconform.QconformError, match="no_such"):
        qconform.explain("QuantizeLinear", x=1, no_such=2)


def test_reports_and_what_changed(tmp_path):
    before = run(quantize)
    path = tmp_path / "report.json"
    before.save(path)
    again = qconform.load_report(path)
    assert again.rows == before.rows and again.deviates
    before.write(html=tmp_path / "report.html", csv=tmp_path / "report.csv")
    assert (tmp_path / "report.html").exists() and (tmp_path / "report.csv").exists()
    same = qconform.diff(before, path)
    assert not same.worse and same.words == []
    right = run("oracle")
    assert "next " not in str(right) and "\nPASS " in str(right)
    worse = qconform.diff(right, before)
    assert worse.worse and worse.words[0] == "1 regressed" and worse.cells[0]["cell"] == CELL
    path.write_text("{}")
    with pytest.raises(qconform.QconformError):
        qconform.load_report(path)


def test_rows_as_a_frame():
    pytest.importorskip("pandas")
    frame = run(quantize).to_pandas()
    assert frame.loc[CELL, "diagnosis"] == "adds_half_in_p"


def test_names_options_and_known_differences(tmp_path):
    known = tmp_path / "known.json"
    known.write_text(
        '{"known_differences_version": "1.2.0", "entries": [{"cells": ["%s"], '
        '"verdict": "nonconformant", "reason": "rounds halves up"}]}' % CELL
    )
    report = run(quantize, known=known, name="mine")
    assert report.backend == "mine" and report.exit_code in (0, 3)
    pytest.importorskip("onnxruntime")
    report = run("py:onnxruntime", options={"opt_level": "basic"}, name="ort")
    assert report.backend == "ort" and not report.deviates


def test_cells():
    assert CELL in qconform.list_cells("QuantizeLinear/10/*")
    assert len(qconform.list_cells("QuantizeLinear/10/*")) == 4
    assert len(qconform.list_cells(operators="QuantizeLinear")) < len(qconform.list_cells())


def test_module_is_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "qconform", "--version"], capture_output=True, text=True
    )
    assert done.returncode == 0 and done.stdout.startswith("qconform ")
