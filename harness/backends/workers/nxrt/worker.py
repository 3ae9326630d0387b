"""nxrt, by its Python package, which has the interface of ONNX Runtime's."""

from __future__ import annotations

from typing import Any

import numpy
import nxrt
import worker_tools
from qconform_worker.functions import Unsupported

_TYPES = worker_tools.NUMPY_TYPES | {"BFLOAT16"}
_NO_KERNEL = (
    "no kernel",
    "unimplemented",
    "are supported",
    "must be a scalar or 1-D tensor",  # a kernel that has no blocks
    "has no fixed-width byte layout",  # types of less than 8 bits
)
# What its kernels hold to be invalid.
_INVALID = ("must be finite and positive", "must match zero_point dtype")


class Backend:
    def __init__(self) -> None:
        self.identity = worker_tools.identity("nxrt", provider="CPUExecutionProvider")

    def prepare(self, model: Any) -> _Prepared:
        worker_tools.require_types(
            worker_tools.edge_types(model), _TYPES, "nxrt's Python interface"
        )
        with worker_tools.errors(_NO_KERNEL):
            session = nxrt.InferenceSession(
                model.SerializeToString(), providers=["CPUExecutionProvider"]
            )
        return _Prepared(session, model)


class _Prepared(worker_tools.Session):
    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        if any(array.ndim == 0 and array.dtype.name == "bfloat16" for array in inputs):
            raise Unsupported("nxrt's Python interface makes a scalar of BFLOAT16 a vector")
        with worker_tools.errors(_NO_KERNEL, _INVALID):
            return super().run(inputs)
