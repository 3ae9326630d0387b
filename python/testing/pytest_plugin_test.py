"""BackendTest and the pytest plugin, as a user runs them."""

import importlib.util
import json
import os
import shutil

import pytest
import qconform
from qconform import _cells

HERE = os.path.dirname(os.path.abspath(__file__))
CELLS = "QuantizeLinear/1[03]/FLOAT-*"  # 6 cells: 4 per_tensor, 2 per_axis

BACKEND_TEST = """
import qconform
from halves import quantize

backend_test = qconform.BackendTest(quantize, __name__, cells="%s")
backend_test.exclude("10_FLOAT_FLOAT_INT8").xfail("13/FLOAT-FLOAT-INT8/per_tensor")
globals().update(backend_test.enable_report("made.json").test_cases)
"""


def need(package):
    """Like importorskip, which would import the package: pytester forgets what was imported."""
    if importlib.util.find_spec(package) is None:
        pytest.skip("no " + package)


@pytest.fixture
def folder(pytester):
    shutil.copy(os.path.join(HERE, "halves.py"), pytester.path)
    pytester.syspathinsert()
    return pytester


def pytest_run(folder, *arguments):
    return folder.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def of_cells(folder, *arguments):
    return pytest_run(
        folder, "--qconform-backend", "halves:quantize", "--qconform-cells", CELLS, *arguments
    )


def test_each_cell_is_a_test_with_its_evidence(folder):
    result = of_cells(folder, "--qconform-report", "made.json")
    result.assert_outcomes(failed=4, skipped=2)
    result.stdout.fnmatch_lines(
        [
            "collected 6 items",
            "nonconformant, diagnosis adds_half_in_p, *",
            "*: expected 0x*, actual 0x*, clause QL-10",
            "rerun: qconform replay QuantizeLinear/*halves:quantize*",
            "FAILED qconform::QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor - nonconf*",
        ]
    )
    assert result.stdout.str().count("rerun: ") == 4
    report = qconform.load_report(folder.path / "made.json")
    assert len(report) == 6


@pytest.mark.parametrize("more", [[], ["-n", "2"]])
def test_k_selects_cells_before_the_run(folder, more):
    if more:
        need("xdist")
    result = of_cells(
        folder, "-k", "UINT8 and not per_axis", "--qconform-report", "made.json", *more
    )
    result.assert_outcomes(failed=2, deselected=0 if more else 4)
    report = qconform.load_report(folder.path / "made.json")
    assert [row["types"][2] for row in report] == ["UINT8", "UINT8"]


def test_processes_share_the_cells(folder):
    need("xdist")
    folder.makepyfile(test_cells=BACKEND_TEST % CELLS)
    result = of_cells(folder, "-n", "3", "--qconform-report", "cells.json")
    result.assert_outcomes(failed=4 + 2, skipped=2 + 3, xfailed=1)
    for name, cells in (("cells.json", 6), ("made.json", 5)):
        assert len(qconform.load_report(folder.path / name)) == cells


def test_a_process_that_tests_all_cells_runs_every_shard(tmp_path, monkeypatch):
    folder = tmp_path / "shared"
    folder.mkdir()
    monkeypatch.setattr(_cells, "shared", _cells.Shared(str(folder), 1, 3))
    report = str(tmp_path / "report.json")
    cell_run = _cells.CellRun("oracle", cells=CELLS, level="smoke", report=report)
    cell_run.select(cell_run.cells)
    for cell in cell_run.cells:
        assert cell_run.outcome(cell).kind == "passed"
    assert len(list(folder.glob("*/shard-*.json"))) == 3
    _cells.merge_shards(str(folder))
    assert len(qconform.load_report(report)) == 6


def test_known_differences_are_strict(folder):
    entry = {"verdict": "nonconformant", "reason": "rounds halves up"}
    cells = "QuantizeLinear/%s/FLOAT-FLOAT-UINT8/per_tensor"
    entries = [
        {**entry, "cells": [cells % 10], "diagnosis": "adds_half_in_p"},
        {**entry, "cells": [cells % 13], "diagnosis": "ties_away"},
        {**entry, "cells": ["QuantizeLinear/10/*-INT8/*"], "expires": "2020-01-01"},
    ]
    document = {"known_differences_version": "1.2.0", "entries": entries}
    (folder.path / "known.json").write_text(json.dumps(document))
    result = of_cells(folder, "--qconform-known", "known.json", "-rA")
    result.assert_outcomes(failed=4, skipped=2, xfailed=1)
    text = result.stdout.str()
    assert "XFAIL qconform::%s - rounds halves up" % (cells % 10) in text
    assert "entry 1 expects nonconformant (ties_away)" in text
    assert "2020-01-01" in text


def test_a_known_difference_that_is_gone_fails(folder):
    document = {
        "known_differences_version": "1.2.0",
        "entries": [{"cells": [CELLS], "verdict": "nonconformant", "reason": "was wrong"}],
    }
    (folder.path / "known.json").write_text(json.dumps(document))
    result = pytest_run(
        folder,
        *("--qconform-backend", "oracle", "--qconform-cells", CELLS),
        *("--qconform-known", "known.json"),
    )
    result.assert_outcomes(failed=6, passed=1)
    # Where CI is set, pytest's summary says it once more at the end of its own lines.
    assert sum(line.startswith("XPASS(strict): ") for line in result.outlines) == 6


def test_wrong_names_are_errors_of_usage(folder):
    result = pytest_run(folder, "--qconform-backend", "simd", "--qconform-cells", "Nothing/*")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: qconform: *Nothing/*"])
    result = pytest_run(
        folder, "--qconform-backend", "halves:nothing", "--qconform-cells", "QuantizeLinear/10/*"
    )
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["qconform: backend py:halves:nothing: *halves has no nothing"])


def test_without_the_flag_nothing_is_added_or_imported(folder):
    folder.makepyfile(
        "import sys\ndef test_light():\n    assert 'qconform._api' not in sys.modules\n"
    )
    pytest_run(folder).assert_outcomes(passed=1)


def test_backend_test_in_pytest(folder):
    folder.makepyfile(test_cells=BACKEND_TEST % CELLS)
    result = pytest_run(folder)
    result.assert_outcomes(failed=2, skipped=3, xfailed=1)
    assert len(qconform.load_report(folder.path / "made.json")) == 5
    result = pytest_run(folder, "-k", "test_QuantizeLinear_10_FLOAT_FLOAT_UINT8_per_tensor")
    result.assert_outcomes(failed=1, deselected=5)
    assert len(qconform.load_report(folder.path / "made.json")) == 1


def test_backend_test_in_unittest(folder):
    folder.makepyfile(test_cells=BACKEND_TEST % CELLS)
    result = folder.runpython_c("import unittest; unittest.main('test_cells')")
    assert "FAILED (failures=2, skipped=3, expected failures=1)" in result.stderr.str()
    result = folder.runpython_c(
        "import sys, unittest; sys.argv[1:] = ['-k', '*13*UINT8*']; unittest.main('test_cells')"
    )
    assert "Ran 2 tests" in result.stderr.str()
    assert len(qconform.load_report(folder.path / "made.json")) == 2


def test_an_expected_failure_that_passes_fails(folder):
    folder.makepyfile(
        test_cells="""
import qconform
test = qconform.BackendTest("oracle", __name__, cells="QuantizeLinear/10/*").xfail("UINT8")
test.include("per_tensor")
globals().update(test.test_cases)
"""
    )
    pytest_run(folder).assert_outcomes(failed=2, passed=2)


@pytest.mark.parametrize("isolate", [False, True])
def test_any_class_with_the_interface_of_onnx(folder, isolate):
    need("onnx")
    folder.makepyfile(
        backends="""
import onnx
from onnx.backend.base import Backend, BackendRep
from onnx.reference import ReferenceEvaluator

class Rep(BackendRep):
    def __init__(self, model, wrong):
        self.evaluator, self.wrong = ReferenceEvaluator(model), wrong
    def run(self, inputs, **kwargs):
        outputs = self.evaluator.run(None, dict(zip(self.evaluator.input_names, inputs)))
        return tuple(y + self.wrong for y in outputs)

class Off(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        if model.graph.output[0].type.tensor_type.elem_type != onnx.TensorProto.UINT8:
            raise NotImplementedError("only UINT8")
        return Rep(model, 1)
""",
        test_cells="""
import qconform
from backends import Off
test = qconform.BackendTest(Off, __name__, cells="QuantizeLinear/10/*", isolate=%s)
globals().update(test.test_cases)
"""
        % isolate,
    )
    pytest_run(folder).assert_outcomes(failed=2, skipped=2)
