"""Answers the requests of the harness for a Python backend."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from qconform_worker import protocol
from qconform_worker.functions import FunctionBackend, FunctionBackends, Refused, Unsupported
from qconform_worker.protocol import Message


def _load_file(path: str) -> ModuleType:
    name = os.path.basename(path)[: -len(".py")]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not os.path.exists(path):
        raise ModuleNotFoundError("%s: expected a Python file, got none" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    folder, slash, module = name.rpartition("/")
    if name.endswith(".py"):
        sys.path.insert(0, os.path.abspath(folder or "."))
        return _load_file(os.path.abspath(name))
    if slash:
        sys.path.insert(0, os.path.abspath(folder or "/"))
    return importlib.import_module(module)


def _value(text: str) -> Any:
    """Returns an option's value: a number, true, false, or else the text itself."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, (int, float, bool)) else text


class Target:
    """What the command line names: a backend and its options. Found when it is first asked
    for, because that imports the user's code."""

    def __init__(self, name: str, options: Sequence[str] = ()) -> None:
        self.name = name
        self.options: dict[str, Any] = {}
        for option in options:
            key, _, value = option.partition("=")
            self.options[key] = _value(value)

    def find(self) -> Any:
        if self.name == "onnxruntime":
            from qconform_worker.known import OnnxRuntime

            options, self.options = self.options, {}
            return OnnxRuntime(**options)
        name = "onnx.reference:ReferenceEvaluator" if self.name == "onnx.reference" else self.name
        module, _, attributes = name.partition(":")
        found: Any = _load_module(module)
        for part in attributes.split(".") if attributes else []:
            if not hasattr(found, part):
                raise ImportError("%s has no %s" % (getattr(found, "__name__", module), part))
            found = getattr(found, part)
        if inspect.isclass(found) and inspect.isfunction(found.__dict__.get("prepare")):
            # Its prepare belongs to objects, which take the options.
            options, self.options = self.options, {}
            return found(**options)
        return found


def as_backend(found: Any) -> Any:
    """Returns what can be served: a list of functions becomes one backend."""
    if isinstance(found, (list, tuple)) and all(isinstance(f, FunctionBackend) for f in found):
        return FunctionBackends(found)
    by_functions = isinstance(found, (FunctionBackend, FunctionBackends))
    if by_functions or callable(getattr(found, "prepare", None)) or inspect.isclass(found):
        return found
    raise TypeError(
        "backend: expected a class or an object with prepare(model), or a function of "
        "@qconform.backend, got %s" % _described(found)
    )


def _described(found: Any) -> str:
    if inspect.isfunction(found):
        return "the plain function %s; put @qconform.backend(OP_TYPE) above it" % found.__name__
    return "%s %r" % (type(found).__name__, found)


def source_of(backend: Any) -> str:
    """Returns "FILE:LINE" of a backend's definition, or "" if it has none.

    Of a package's module, FILE begins with the package's folder: where a package lies differs
    from machine to machine.
    """
    if isinstance(backend, FunctionBackends):
        backend = next(iter(backend.functions.values()))
    if isinstance(backend, FunctionBackend):
        backend = backend.function
    elif not inspect.isclass(backend) and not inspect.ismodule(backend):
        backend = type(backend)
    try:
        file = inspect.getsourcefile(backend)
        line = inspect.getsourcelines(backend)[1]
    except (OSError, TypeError):
        return ""
    if not file:
        return ""
    module = inspect.getmodule(backend)
    place = Path(os.path.abspath(file))
    # An __init__.py is one folder further down than its name has dots.
    depth = (module.__name__.count(".") if module else 0) + (place.stem == "__init__")
    if depth:
        place = Path(*place.parts[-depth - 1 :])
    return "%s:%d" % (place, max(line, 1))


class Prepared:
    """A model that a backend of ONNX's interface, or of its reference evaluator's, prepared."""

    def __init__(self, backend: Any, model: Any, options: dict[str, Any]) -> None:
        self.by_name = not hasattr(backend, "prepare")
        # In onnx.backend.base a constant that is also a graph input need not be fed.
        constants = {constant.name for constant in model.graph.initializer}
        self.names = [i.name for i in model.graph.input if i.name not in constants]
        make = backend if self.by_name else backend.prepare
        self.model = make(model, **options)

    def run(self, arrays: Sequence[Any]) -> Any:
        if self.by_name:
            return self.model.run(None, dict(zip(self.names, arrays)))
        return self.model.run(arrays)


class Worker:
    """One backend, and the models that it has prepared."""

    def __init__(
        self,
        target: Target,
        backend: Any = None,
        trace: Callable[[], object] = traceback.print_exc,
    ) -> None:
        self.target = target
        self.backend = backend
        self.trace = trace
        self.prepared: dict[int, Any] = {}
        self.last_handle = 0

    @property
    def by_functions(self) -> bool:
        return isinstance(self.backend, (FunctionBackend, FunctionBackends))

    def hello(self, _: Message) -> Message:
        if self.backend is None:
            self.backend = as_backend(self.target.find())
        import numpy

        details = {"python": sys.version.split()[0], "numpy": numpy.__version__}
        if not self.by_functions:
            import onnx

            details["onnx"] = onnx.__version__
        hello = {"protocol_version": 1, "device": "CPU", "details": details}
        identity = getattr(self.backend, "identity", None)
        if identity is not None:
            details.update(identity["details"])
            return {"hello": {**hello, "name": identity["name"], "version": identity["version"]}}
        source = source_of(self.backend)
        if source:
            details["source"] = source
        root = self.target.name.rpartition("/")[2].partition(":")[0].partition(".")[0]
        version = getattr(sys.modules.get(root), "__version__", "")
        return {"hello": {**hello, "name": self.target.name, "version": str(version)}}

    def _read_model(self, data: bytes) -> Any:
        if self.by_functions:
            from qconform_worker import model

            return model.read(data)
        import onnx

        return onnx.load_model_from_string(data)

    def prepare(self, request: Message) -> Message:
        try:
            model = self._read_model(request["model"])
        except (NotImplementedError, ModuleNotFoundError):
            raise
        except Exception as error:  # protobuf has several names for it
            return {"refused": {"reason": "model: expected a ModelProto, got: %s" % error}}
        handle = self.last_handle + 1
        if self.by_functions:
            self.prepared[handle] = self.backend.prepare(model)
        else:
            supports = getattr(self.backend, "is_compatible", None)
            if supports is not None and not supports(model):
                return {"unsupported": {"reason": "is_compatible returned False"}}
            self.prepared[handle] = Prepared(self.backend, model, self.target.options)
        self.last_handle = handle
        return {"prepared": {"handle": handle}}

    def run(self, request: Message) -> Message:
        prepared = self.prepared.get(request["handle"])
        if prepared is None:
            return {"error": {"text": "no model has the handle %d" % request["handle"]}}
        if self.by_functions:
            from qconform_worker import arrays as tensors
        else:
            from qconform_worker import tensors  # type: ignore[no-redef]
        inputs = [tensors.to_array(t["data_type"], t["dims"], t["data"]) for t in request["inputs"]]
        outputs = []
        for array in prepared.run(inputs):
            data_type, dims, data = tensors.from_array(array)
            outputs.append({"data_type": data_type, "dims": dims, "data": data})
        return {"outputs": {"tensors": outputs}}

    def _why_not_found(self, error: Exception) -> str:
        module = self.target.name.partition(":")[0]
        is_target = getattr(error, "name", None) == module.partition(".")[0]
        return "%s, in the interpreter %s; --python PATH chooses another one%s" % (
            error,
            sys.executable,
            ", and py:FOLDER/%s another folder" % self.target.name if is_target else "",
        )

    def answer(self, request: protocol.Request) -> Message:
        try:
            reply: Message = getattr(self, request.kind or "")(request.body)
            return reply
        except Refused as error:
            return {"refused": {"reason": str(error)}}
        except Unsupported as error:
            return {"unsupported": {"reason": str(error)}}
        except (NotImplementedError, ModuleNotFoundError) as error:
            if request.kind == "hello":
                return {"error": {"text": self._why_not_found(error)}}
            return {"unsupported": {"reason": _words(error)}}
        except Exception as error:
            if request.kind == "run" and _is_refusal(error):
                return {"refused": {"reason": _words(error)}}
            if request.kind != "hello" and getattr(self.backend, "identity", None) is None:
                self.trace()  # of the user's own code; those of a library have paths in them
            if request.kind == "prepare" and not _is_mistake(error):
                # A Python backend has no error of its own for "invalid" and for "not
                # implemented", so its words decide, and the report keeps them.
                kind = "unsupported" if _says_no_kernel(error) else "refused"
                return {kind: {"reason": _words(error)}}
            return {"error": {"text": _words(error) + _place(error)}}


def _is_mistake(error: Exception) -> bool:
    """Returns whether the error is a bug rather than a way to decline: an unknown name or
    attribute. An attribute that a module lacks may be a type that this numpy does not
    have, which is a way to decline."""
    if isinstance(error, AttributeError):
        return not str(error).startswith("module ")
    return isinstance(error, NameError)


# Words of backends that have no kernel for an operator, a type, a shape or an opset_version, in
# lower case.
NO_KERNEL = (
    "no implementation",
    "not implemented",
    "not supported",
    "unsupported",
    "could not find an implementation",
    "not registered",
    "not a registered",
    "not understood",
    "no op registered",
    "unknown op",
    "has no attribute",
)


def _says_no_kernel(error: Exception) -> bool:
    """Returns whether an error of prepare says that the backend has no kernel for the model. Any
    other one refuses a model, which is legal in all cases but those of negative models."""
    text = _words(error).lower()
    return any(words in text for words in NO_KERNEL)


def _is_refusal(error: Exception) -> bool:
    """Returns whether ONNX's reference evaluator raised the error because it holds operands to be
    invalid: a ValueError from a raise statement of its own, not from numpy."""
    frames = traceback.extract_tb(error.__traceback__)
    if not isinstance(error, ValueError) or not frames:
        return False
    last = frames[-1]
    folder = os.path.join("onnx", "reference", "")
    return folder in last.filename and (last.line or "").startswith("raise ")


def _words(error: Exception) -> str:
    return "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:500])


def _place(error: Exception) -> str:
    """Returns where an error was raised: " (mine.py, line 12)", or "" if that is the worker."""
    frames = traceback.extract_tb(error.__traceback__)
    own = os.path.dirname(os.path.abspath(__file__))
    for frame in reversed(frames):
        if not frame.filename.startswith(own):
            return " (%s, line %s)" % (os.path.basename(frame.filename), frame.lineno)
    return ""


def serve(worker: Worker, requests: BinaryIO, replies: protocol.RawWriter) -> None:
    """Answers requests until the harness closes the pipe."""
    for request in protocol.read_requests(requests):
        if request.kind == "release":
            worker.prepared.pop(request.body["handle"], None)
        elif request.kind is None:
            protocol.write_reply(replies, request.seq, {"error": {"text": "unknown request"}})
        else:
            protocol.write_reply(replies, request.seq, worker.answer(request))
