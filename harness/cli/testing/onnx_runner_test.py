"""Exported node tests in ONNX's own runner: onnx_runner_test.py QCONFORM DEPS_DIR FOLDER

Exports the stored cases of FOLDER as node tests: with raw_data, with int32_data, and as the Python
source that script/onnx-test-cases makes of them. In each form ONNX's checker must take every
model, and ONNX's backend runner runs the tests with the reference evaluator. The tests that the
reference evaluator fails are listed in FOLDER_reference_evaluator.txt, and no others may fail.
Without a Python package onnx that has opset 28 nothing is run (exit code 77).
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(__file__)
for _ in range(4):  # of harness/cli/testing/NAME
    ROOT = os.path.dirname(ROOT)


def run_tests(test_cases):
    """Returns the number of tests that ran, and the last line of each failure by test name."""
    import onnx.backend.base
    import onnx.backend.test.runner
    from onnx.reference import ReferenceEvaluator

    class Representation(onnx.backend.base.BackendRep):
        def __init__(self, model):
            self.evaluator = ReferenceEvaluator(model)

        def run(self, inputs, **_):
            return self.evaluator.run(None, dict(zip(self.evaluator.input_names, inputs)))

    class Reference(onnx.backend.base.Backend):
        @classmethod
        def prepare(cls, model, device="CPU", **_):
            return Representation(model)

        @classmethod
        def supports_device(cls, device):
            return device == "CPU"

    # The runner loads ONNX's own tests when it is created; it gets these instead.
    load = onnx.backend.test.runner.load_model_tests
    onnx.backend.test.runner.load_model_tests = lambda kind, **_: (
        test_cases if kind == "node" else [])
    try:
        suite = onnx.backend.test.runner.Runner(Reference, __name__).test_suite
    finally:
        onnx.backend.test.runner.load_model_tests = load
    result = unittest.TestResult()
    suite.run(result)
    failures = {test.id().rsplit(".", 1)[1].removesuffix("_cpu"): text.strip().splitlines()[-1]
                for test, text in result.failures + result.errors}
    return result.testsRun - len(result.skipped), failures  # skipped: those of CUDA


def of_folders(directory):
    """Returns the tests of folders with model.onnx and test_data_set_0."""
    import onnx
    from onnx.backend.test.case.test_case import TestCase
    cases = []
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        if not os.path.isdir(path):
            continue
        onnx.checker.check_model(os.path.join(path, "model.onnx"), full_check=True)
        cases.append(TestCase(name=name, model_name=name, url=None, model_dir=path, model=None,
                              data_sets=None, kind="simple", rtol=1e-3, atol=1e-7))
    return cases


def of_source(directory):
    """Returns the tests that the Python source of the same folders makes."""
    import onnx
    from onnx.backend.test.case import node
    path = os.path.join(directory, "quantizelinear_float6.py")
    with open(path, "w") as file:
        subprocess.run([sys.executable, os.path.join(ROOT, "script", "onnx-test-cases"),
                        directory, "QuantizeLinearFloat6"], check=True, stdout=file)
    before = len(node._NodeTestCases)
    spec = importlib.util.spec_from_file_location("quantizelinear_float6", path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    cases = node._NodeTestCases[before:]
    for case in cases:
        onnx.checker.check_model(case.model, full_check=True)
    return cases


def main(tool, folder):
    import onnx
    with open(folder.rstrip("/") + "_reference_evaluator.txt") as file:
        expected = {line.split()[0] for line in file if line.strip() and line[0] != "#"}
    count = len([name for name in os.listdir(folder) if name.endswith(".json")])
    failed = False
    for form, flags, load in (("raw_data", [], of_folders),
                              ("int32_data", ["--int32-data"], of_folders),
                              ("Python source", [], of_source)):
        with tempfile.TemporaryDirectory() as work:
            directory = os.path.join(work, "tests")
            subprocess.run([tool, "export", "--stored", folder, *flags,
                            "--no-progress", directory], check=True, stdout=subprocess.DEVNULL)
            ran, failures = run_tests(load(directory))
        print("onnx %s, %s: %d tests ran, %d failed" % (
            onnx.__version__, form, ran, len(failures)))
        for name, text in sorted(failures.items()):
            print("  %s: %s" % (name, text))
        if ran != count:
            print("FAILED: there are %d stored cases" % count)
            failed = True
        for name in sorted(expected ^ set(failures)):
            print("FAILED: %s %s" % (name, "passes" if name in expected else
                                     "is not in the list"))
            failed = True
    return 1 if failed else 0


def run_with_onnx(arguments):
    """Runs this file with a Python that has an onnx of opset 28."""
    deps = arguments[1]
    needs = "import onnx, sys; sys.exit(onnx.defs.onnx_opset_version() < 28)"
    for python in (os.path.join(deps, "python-onnx", "python3"), sys.executable):
        try:
            found = subprocess.run([python, "-c", needs], stderr=subprocess.DEVNULL)
        except OSError:
            continue
        if found.returncode == 0:
            environment = dict(os.environ, PYTHONWARNINGS="ignore")
            return subprocess.run([python, os.path.abspath(__file__), *arguments, "here"],
                                  env=environment).returncode
    print("not run, because there is no Python here whose onnx has opset 28 "
          "(script/bootstrap --with python-onnx)")
    return 77


if __name__ == "__main__":
    if sys.argv[-1] == "here":
        sys.exit(main(sys.argv[1], sys.argv[3]))
    sys.exit(run_with_onnx(sys.argv[1:]))
