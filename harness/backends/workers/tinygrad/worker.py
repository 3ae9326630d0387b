"""tinygrad's ONNX runner on its CPU device."""

from __future__ import annotations

import os
from typing import Any

# Read when tinygrad is imported: its device, no cache on disk, and a compiler that it works with.
os.environ.setdefault("DEV", "CPU")
os.environ.setdefault("CC", "clang")
os.environ.setdefault("CACHELEVEL", "0")

import numpy
import worker_tools
from tinygrad.nn.onnx import OnnxRunner

_TYPES = worker_tools.NUMPY_TYPES
_NO_KERNEL = ("unexpected keyword argument",)  # an attribute that its operator does not have


class Backend:
    def __init__(self) -> None:
        self.identity = worker_tools.identity("tinygrad", tinygrad_device=os.environ["DEV"])

    def prepare(self, model: Any) -> _Prepared:
        worker_tools.require_types(
            worker_tools.edge_types(model), _TYPES, "numpy, by which tinygrad answers,"
        )
        # The runner keeps the sizes of its first run, and fails at others.
        worker_tools.require_sizes(worker_tools.fed(model), "tinygrad")
        with worker_tools.model_file(model) as path, worker_tools.errors():
            runner = OnnxRunner(path)
        return _Prepared(runner, model)


class _Prepared:
    def __init__(self, runner: Any, model: Any) -> None:
        self._runner = runner
        self._inputs = [value.name for value in worker_tools.fed(model)]
        self._outputs = [value.name for value in model.graph.output]

    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        with worker_tools.errors(_NO_KERNEL):
            outputs = self._runner(dict(zip(self._inputs, inputs)))
            return [outputs[name].numpy() for name in self._outputs]
