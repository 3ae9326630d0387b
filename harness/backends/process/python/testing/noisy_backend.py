"""Backends with ONNX's own interface: one that prints and declines, one that
shows its options, and two that fail."""

from onnx.backend.base import Backend, BackendRep
from onnx.reference import ReferenceEvaluator


class Rep(BackendRep):
    def __init__(self, model):
        self.evaluator = ReferenceEvaluator(model)

    def run(self, inputs, **kwargs):
        print("running")
        names = self.evaluator.input_names
        return tuple(self.evaluator.run(None, dict(zip(names, inputs))))


class Noisy(Backend):
    @classmethod
    def is_compatible(cls, model, device="CPU", **kwargs):
        return model.graph.node[0].op_type == "QuantizeLinear"

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        print("preparing")
        return Rep(model)


class Broken(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        return Rep(modle)  # noqa: F821 - a typing error, on purpose


class Old(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        import onnx

        return onnx.no_such_type_in_this_version


class WithOptions(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **options):
        raise NotImplementedError(" ".join("%s=%r" % option for option in options.items()))
