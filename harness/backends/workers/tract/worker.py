"""tract, by its Python package."""

from __future__ import annotations

import os
from typing import Any

import numpy
import tract
import worker_tools

_TYPES = worker_tools.NUMPY_TYPES
# The third one: its importer takes scales and zero points only as constants. The others are data
# types that it does not know, or that a kernel does not take.
_NO_KERNEL = (
    "unimplemented",
    "no parser for",
    "must be a const",
    "unknown datumtype",
    "unknown onnx tensorproto.datatype",
    ".datum_type ==",
    "tensor datum type error",
)


class Backend:
    def __init__(self) -> None:
        # A panic that ends the process prints a backtrace with folders of this machine, which would
        # go into reports.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        self._runtime = tract.runtime_for_name("default")
        self.identity = worker_tools.identity("tract", runtime="default")

    def prepare(self, model: Any) -> _Prepared:
        worker_tools.require_types(
            worker_tools.edge_types(model), _TYPES, "tract's Python interface"
        )
        with worker_tools.model_file(model) as path, worker_tools.errors(_NO_KERNEL):
            runnable = self._runtime.prepare(tract.onnx().load(path).into_model())
        return _Prepared(runnable)


class _Prepared:
    def __init__(self, runnable: Any) -> None:
        self._runnable = runnable

    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        with worker_tools.errors(_NO_KERNEL):
            return [output.to_numpy() for output in self._runnable.run(list(inputs))]
