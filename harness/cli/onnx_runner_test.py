"""Exported node tests in ONNX's own hands: onnx_runner_test.py QCONFORM DEPS_DIR FOLDER

Exports the stored cases of FOLDER as node tests, once with raw_data and once with int32_data,
runs ONNX's checker on each model and ONNX's backend runner with the reference evaluator. The
tests that the reference evaluator fails are listed in FOLDER/reference_evaluator.txt, and no
others may fail. Without a Python package onnx that has opset 28 nothing runs (exit code 77).
"""

import os
import subprocess
import sys
import tempfile
import unittest


def main(tool, folder):
    import onnx
    import onnx.backend.base
    import onnx.backend.test.runner
    from onnx.backend.test.case.test_case import TestCase
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

    class Runner(onnx.backend.test.runner.Runner):
        """ONNX's runner of these tests instead of those that it comes with."""

        def __init__(self, directory):
            load = onnx.backend.test.runner.load_model_tests
            onnx.backend.test.runner.load_model_tests = lambda **_: []
            try:
                super().__init__(Reference, __name__)
            finally:
                onnx.backend.test.runner.load_model_tests = load
            for name in sorted(os.listdir(directory)):
                path = os.path.join(directory, name)
                if not os.path.isdir(path):
                    continue
                onnx.checker.check_model(os.path.join(path, "model.onnx"), full_check=True)
                self._add_model_test(TestCase(
                    name=name, model_name=name, url=None, model_dir=path, model=None,
                    data_sets=None, kind="simple", rtol=1e-3, atol=1e-7), "Node")

    with open(os.path.join(folder, "reference_evaluator.txt")) as file:
        expected = {line.split()[0] for line in file if line.strip() and line[0] != "#"}
    cases = len([name for name in os.listdir(folder) if name.endswith(".json")])
    failed = False
    for flags in ([], ["--int32-data"]):
        with tempfile.TemporaryDirectory() as work:
            directory = os.path.join(work, "tests")
            subprocess.run([tool, "export", "--stored", folder, "--strict", *flags,
                            "--no-progress", directory], check=True)
            result = unittest.TestResult()
            Runner(directory).test_suite.run(result)
        words = {test.id().rsplit(".", 1)[1].removesuffix("_cpu"): text.strip().splitlines()
                 for test, text in result.failures + result.errors}
        skipped = len(result.skipped)  # those of the device CUDA
        print("onnx", onnx.__version__, *flags, "ran:", result.testsRun - skipped,
              "failed:", len(words))
        for name, text in sorted(words.items()):
            print("  %s: %s" % (name, text[-1]))
        if result.testsRun - skipped != cases:
            print("FAILED: there are %d stored cases" % cases)
            failed = True
        for name in sorted(expected ^ set(words)):
            print("FAILED: %s %s" % (name, "passes" if name in expected else
                                     "is not in reference_evaluator.txt"))
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
            return subprocess.run([python, os.path.abspath(__file__), *arguments,
                                   "here"]).returncode
    print("not run, because there is no Python here whose onnx has opset 28 "
          "(script/bootstrap --with python-onnx)")
    return 77


if __name__ == "__main__":
    if sys.argv[-1] == "here":
        sys.exit(main(sys.argv[1], sys.argv[3]))
    sys.exit(run_with_onnx(sys.argv[1:]))
