"""python3 -m qconform_worker MODULE:NAME, or MODULE

Serves a Python backend. NAME is either a class or module with the interface of
onnx.backend.base.Backend (prepare(model) returns an object with run(inputs)), or a class
that takes a model and has run(None, feeds), such as onnx.reference:ReferenceEvaluator.
"""

import importlib
import sys
import traceback

from qconform_worker import protocol


def find(path):
    module, _, name = path.partition(":")
    found = importlib.import_module(module)
    for part in name.split(".") if name else []:
        found = getattr(found, part)
    return found


class Prepared:
    """A model that either kind of backend has prepared."""

    def __init__(self, backend, model):
        self.output_count = len(model.graph.output)
        self.by_name = not hasattr(backend, "prepare")
        # In onnx.backend.base a constant that is also a graph input need not be fed.
        constants = {constant.name for constant in model.graph.initializer}
        self.names = [i.name for i in model.graph.input if i.name not in constants]
        self.model = backend(model) if self.by_name else backend.prepare(model)

    def run(self, arrays):
        if self.by_name:
            return self.model.run(None, dict(zip(self.names, arrays)))
        return self.model.run(arrays)


class Worker:
    def __init__(self, path):
        self.path = path
        self.backend = None
        self.prepared = {}
        self.last_handle = 0

    def hello(self, _):
        import onnx
        self.backend = find(self.path)
        root = self.path.partition(":")[0].partition(".")[0]
        version = getattr(sys.modules.get(root), "__version__", "")
        return {"hello": {
            "protocol_version": 1,
            "name": self.path,
            "version": str(version),
            "device": "CPU",
            "details": {"python": sys.version.split()[0], "onnx": onnx.__version__},
        }}

    def prepare(self, request):
        import onnx
        try:
            model = onnx.load_model_from_string(request["model"])
        except Exception as error:  # protobuf has several names for it
            return {"refused": {"reason": "model: expected a ModelProto, got: %s" % error}}
        supports = getattr(self.backend, "is_compatible", None)
        if supports is not None and not supports(model):
            return {"unsupported": {"reason": "is_compatible returned False"}}
        handle = self.last_handle + 1
        self.prepared[handle] = Prepared(self.backend, model)
        self.last_handle = handle
        return {"prepared": {"handle": handle}}

    def run(self, request):
        from qconform_worker import tensors
        prepared = self.prepared.get(request["handle"])
        if prepared is None:
            return {"error": {"text": "no model has the handle %d" % request["handle"]}}
        arrays = [tensors.to_array(t["data_type"], t["dims"], t["data"])
                  for t in request["inputs"]]
        outputs = []
        for array in prepared.run(arrays):
            data_type, dims, data = tensors.from_array(array)
            outputs.append({"data_type": data_type, "dims": dims, "data": data})
        return {"outputs": {"tensors": outputs}}

    def answer(self, request):
        try:
            return getattr(self, request.kind)(request.body)
        except (NotImplementedError, ModuleNotFoundError) as error:
            if request.kind == "hello":
                return {"error": {"text": "%s: %s" % (self.path, error)}}
            return {"unsupported": {"reason": _words(error)}}
        except Exception as error:
            traceback.print_exc()
            if request.kind == "prepare" and not _is_mistake(error):
                # A Python backend does not say which of its errors mean "invalid" and
                # which mean "not implemented", so the report keeps the message.
                return {"unsupported": {"reason": _words(error)}}
            return {"error": {"text": _words(error)}}


def _is_mistake(error):
    """Returns whether the error is a bug rather than a way to decline: an unknown name or
    attribute. An attribute that a module lacks may be a type that this numpy does not
    have, which is a way to decline."""
    if isinstance(error, AttributeError):
        return not str(error).startswith("module ")
    return isinstance(error, NameError)


def _words(error):
    return "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:500])


def main(arguments):
    if len(arguments) != 1:
        sys.stderr.write(__doc__)
        return 2
    requests, replies = protocol.take_standard_files()
    worker = Worker(arguments[0])
    for request in protocol.read_requests(requests):
        if request.kind == "release":
            worker.prepared.pop(request.body["handle"], None)
        elif request.kind is None:
            protocol.write_reply(replies, request.seq,
                                 {"error": {"text": "unknown request"}})
        else:
            protocol.write_reply(replies, request.seq, worker.answer(request))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
