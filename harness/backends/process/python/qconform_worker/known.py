"""Backends that have a short name of their own: py:onnxruntime."""

from __future__ import annotations

from typing import Any

from qconform_worker import arrays
from qconform_worker.functions import Refused, Unsupported

_LEVELS = {
    "disable": "ORT_DISABLE_ALL",
    "basic": "ORT_ENABLE_BASIC",
    "extended": "ORT_ENABLE_EXTENDED",
    "layout": "ORT_ENABLE_LAYOUT",
    "all": "ORT_ENABLE_ALL",
}


class OnnxRuntime:
    """The package onnxruntime. Its options are those of qconform's backend onnxruntime that
    the Python interface has: opt_level, threads, provider."""

    def __init__(self, opt_level: str = "all", threads: int = 1, provider: str = "cpu") -> None:
        import onnxruntime

        if opt_level not in _LEVELS:
            raise ValueError(
                "opt_level: expected one of %s, got %r" % (", ".join(_LEVELS), opt_level)
            )
        self._provider = "CPUExecutionProvider" if provider == "cpu" else provider
        providers = onnxruntime.get_available_providers()
        if self._provider not in providers:
            raise ValueError(
                "provider: expected one of %s, got %r" % (", ".join(providers), provider)
            )
        self._options = onnxruntime.SessionOptions()
        self._options.graph_optimization_level = getattr(
            onnxruntime.GraphOptimizationLevel, _LEVELS[opt_level]
        )
        self._options.intra_op_num_threads = threads
        self._options.inter_op_num_threads = 1
        self._options.log_severity_level = 4

    def prepare(self, model: Any) -> Any:
        import onnxruntime

        for value in list(model.graph.input) + list(model.graph.output):
            number = value.type.tensor_type.elem_type
            name = arrays.NAMES.get(number, str(number))
            if name not in arrays.NUMPY_TYPES:
                raise Unsupported(
                    "onnxruntime's Python interface has no arrays of %s; "
                    "--backend onnxruntime asks the same library through its C interface" % name
                )
        try:
            session = onnxruntime.InferenceSession(
                model.SerializeToString(), self._options, providers=[self._provider]
            )
        except Exception as error:
            raise _declined(error) from None
        return _Session(session)


class _Session:
    def __init__(self, session: Any) -> None:
        self._session = session
        self._names = [value.name for value in session.get_inputs()]

    def run(self, inputs: Any) -> Any:
        try:
            return self._session.run(None, dict(zip(self._names, inputs)))
        except Exception as error:
            raise _declined(error) from None


# The rule of harness/backends/onnxruntime/classify.cc: what says that there is no kernel for
# the operator, its types, its shapes or the opset_version.
_NO_KERNEL = (
    "Could not find an implementation",
    "Failed to find kernel",
    "is under development",
    "max supported IR version",
    "is not a registered function/op",
    "No Op registered for",
    "is not currently registered or supported",
    "not supported",
    "not implemented",
    "Tensor type mismatch",
    "IsScalarOr1ElementVector(",
)
_INVALID = (
    "ShapeInferenceError",
    "TypeInferenceError",
    "Type Error",
    "This is an invalid model",
    " was false.",
)


def _declined(error: Exception) -> Exception:
    """Returns the exception by which the worker declines or refuses; the same one if the
    library just failed."""
    kind, text = type(error).__name__, str(error)
    if kind in ("NotImplemented", "EPFail") or any(words in text for words in _NO_KERNEL):
        return Unsupported(text)
    if kind in ("InvalidGraph", "InvalidProtobuf", "InvalidArgument") or any(
        words in text for words in _INVALID
    ):
        return Refused(text)
    return error
