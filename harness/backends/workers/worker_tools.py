"""What the workers of this folder share: which types they take, how they decline, tensors as
codes, and files for libraries that read no bytes.

A worker's module has a class Backend with `identity` (shown in reports) and `prepare(model)`,
which returns an object with `run(arrays)`; qconform_worker serves it.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy
from qconform_worker import arrays
from qconform_worker.functions import Refused, Unsupported
from qconform_worker.serving import NO_KERNEL

NUMPY_TYPES = arrays.NUMPY_TYPES


def identity(package: str, **details: str) -> dict[str, Any]:
    """Returns what a report shows of a worker: the installed version of its package, and details
    that hold for all of its answers."""
    return {
        "name": package,
        "version": importlib.metadata.version(package),
        "details": details,
    }


def _type_name(value: Any) -> str:
    number = value.type.tensor_type.elem_type
    return arrays.NAMES.get(number, str(number))


def fed(model: Any) -> list[Any]:
    """Returns the graph inputs that are fed: those that are not constants too."""
    constants = {constant.name for constant in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in constants]


def output_types(model: Any) -> list[str]:
    """Returns the names of the data types of the outputs."""
    return [_type_name(value) for value in model.graph.output]


def edge_types(model: Any) -> list[str]:
    """Returns the names of the data types of the inputs that are fed and of the outputs."""
    return [_type_name(value) for value in fed(model)] + output_types(model)


def types(model: Any) -> set[str]:
    """Returns the names of all data types that the model mentions: inputs, outputs, constants
    and values between nodes."""
    values = [*model.graph.input, *model.graph.output, *model.graph.value_info]
    constants = {arrays.NAMES.get(c.data_type, str(c.data_type)) for c in model.graph.initializer}
    return constants | {_type_name(value) for value in values}


def require_types(found: Iterable[str], known: Iterable[str], who: str) -> None:
    """Raises Unsupported if one of the data types found is not among those known."""
    unknown = sorted(set(found) - set(known))
    if unknown:
        raise Unsupported("%s has no arrays of %s" % (who, ", ".join(unknown)))


def require_sizes(values: Iterable[Any], who: str) -> None:
    """Raises Unsupported if a dimension of one of the graph's inputs or outputs has no size."""
    dims = (dim for value in values for dim in value.type.tensor_type.shape.dim)
    if not all(dim.HasField("dim_value") for dim in dims):
        raise Unsupported("the worker of %s takes no dimensions with names" % who)


class Session:
    """A session with the interface of ONNX Runtime's, prepared for a model. Errors of a run pass
    as they are."""

    def __init__(self, session: Any, model: Any) -> None:
        self._session = session
        self._inputs = [value.name for value in fed(model)]

    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        return list(self._session.run(None, dict(zip(self._inputs, inputs))))


def _words(error: BaseException) -> str:
    """Returns an error's message on one line, without the folders of files that it names: they
    differ from machine to machine."""
    text = " ".join(str(error).split())
    return text.replace(tempfile.gettempdir() + os.sep, "")


@contextlib.contextmanager
def errors(no_kernel: Sequence[str] = (), invalid: Sequence[str] = ()) -> Iterator[None]:
    """Turns an error inside into Unsupported if its message has one of the words of
    serving.NO_KERNEL or of `no_kernel`, and into Refused if it has one of `invalid`. Words are
    compared in lower case. Other errors pass as they are."""
    try:
        yield
    except (Unsupported, Refused, NotImplementedError):
        raise
    except Exception as error:
        text = _words(error)
        lower = text.lower()
        if any(word.lower() in lower for word in (*NO_KERNEL, *no_kernel)):
            raise Unsupported(text) from error
        if any(word.lower() in lower for word in invalid):
            raise Refused(text) from error
        raise


def to_codes(array: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    """Returns the bytes of a tensor as UINT8, elements of less than 8 bits packed as in ONNX's
    raw_data."""
    return numpy.frombuffer(arrays.from_array(array)[2], numpy.uint8)


def from_codes(
    name: str, shape: Sequence[int], codes: numpy.ndarray[Any, Any]
) -> numpy.ndarray[Any, Any]:
    """The inverse of to_codes, for a data type given by its name."""
    data = numpy.ascontiguousarray(codes).tobytes()
    return arrays.to_array(arrays.NUMBERS[name], list(shape), data)


@contextlib.contextmanager
def scratch(prefix: str = "qconform_") -> Iterator[str]:
    """A folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        yield folder


@contextlib.contextmanager
def model_file(model: Any) -> Iterator[str]:
    """The path of a file that has the model, for libraries that read no bytes."""
    with scratch() as folder:
        path = os.path.join(folder, "model.onnx")
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        yield path
