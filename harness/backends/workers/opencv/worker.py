"""OpenCV's module dnn."""

from __future__ import annotations

from typing import Any

import cv2
import numpy
import worker_tools
from qconform_worker.functions import Unsupported

# Of the types of OpenCV's matrices, those that its Python interface takes and gives as arrays.
_TYPES = worker_tools.NUMPY_TYPES
_NO_KERNEL = (
    "can't create layer",
    "unknown layer",
    # Kernels of one scale per tensor or along one axis.
    "scale.dims <= 1",
    "sc_total == 1 ||",
    # Kernels that list the types of x, y and the scale that they take.
    "inptype == cv_",
    "outtype == cv_",
    "sctype == cv_",
    "inp.type() == cv_",
)
# A scale that is not positive, which one kernel holds to be invalid.
_INVALID = ("output_sc > 0.f",)
_ENGINES = {"auto": "ENGINE_AUTO", "classic": "ENGINE_CLASSIC", "new": "ENGINE_NEW"}


class Backend:
    """`engine` is OpenCV's: auto tries the new one, and the classic one if it fails."""

    def __init__(self, engine: str = "auto") -> None:
        if engine not in _ENGINES:
            raise ValueError("engine: expected one of %s, got %r" % (", ".join(_ENGINES), engine))
        self._engine = getattr(cv2.dnn, _ENGINES[engine])
        cv2.setNumThreads(1)
        self.identity = worker_tools.identity("opencv-python-headless", engine=engine)

    def prepare(self, model: Any) -> _Prepared:
        worker_tools.require_types(
            worker_tools.edge_types(model), _TYPES, "OpenCV's Python interface"
        )
        if "BFLOAT16" in worker_tools.types(model):
            raise Unsupported("OpenCV's kernels take no scales of BFLOAT16")
        if "FLOAT16" in worker_tools.output_types(model):
            raise Unsupported("OpenCV's Python interface answers FLOAT for outputs of FLOAT16")
        data = numpy.frombuffer(model.SerializeToString(), numpy.uint8)
        with worker_tools.errors(_NO_KERNEL):
            net = cv2.dnn.readNetFromONNX(data, self._engine)
        return _Prepared(net, model)


class _Prepared:
    def __init__(self, net: Any, model: Any) -> None:
        self._net = net
        self._inputs = [value.name for value in worker_tools.fed(model)]
        self._outputs = [value.name for value in model.graph.output]

    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        for name, array in zip(self._inputs, inputs):
            self._net.setInput(array, name)
        with worker_tools.errors(_NO_KERNEL, _INVALID):
            return list(self._net.forward(self._outputs))
