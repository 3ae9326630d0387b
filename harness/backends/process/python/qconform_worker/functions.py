"""A Python function on numpy arrays as a backend: @backend(OP_TYPE)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qconform_worker.arrays import Array
    from qconform_worker.model import Model


class Unsupported(Exception):
    """Raised by a backend to decline a model or its inputs: it has no kernel for them."""


class Refused(Exception):
    """Raised by a backend that holds a model or its inputs to be invalid."""


class FunctionBackend:
    """What @backend makes: a function that computes one operator. It can be called as before.

    The function gets the node's operands by position, None or its own default for those that
    are absent, and the attributes that the node has by name. Two further names are filled in
    if the function has them and the node has no such attribute: `dtype`, the dtype of the
    output, and `opset_version`. The arrays may be kept but not changed.
    """

    def __init__(self, function: Callable[..., Any], op_type: str) -> None:
        self.function = function
        self.op_type = op_type
        functools.update_wrapper(self, function)
        parameters = list(inspect.signature(function).parameters.values())
        kinds = {p.kind for p in parameters}
        self._any_operands = inspect.Parameter.VAR_POSITIONAL in kinds
        self._any_attributes = inspect.Parameter.VAR_KEYWORD in kinds
        self._operands = [
            p
            for p in parameters
            if p.kind
            in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        ]
        self._names = {
            p.name
            for p in parameters
            if p.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        }

    def __call__(self, *operands: Any, **attributes: Any) -> Any:
        return self.function(*operands, **attributes)

    def _call_of(self, model: Model) -> Callable[[dict[str, Array]], Any]:
        """Returns what calls the function on the values of a model's tensors by name."""
        from qconform_worker import arrays

        node = model.nodes[0]
        name = getattr(self.function, "__name__", "the function")
        attributes = dict(node.attributes)
        for attribute in attributes:
            if not self._any_attributes and attribute not in self._names:
                raise Unsupported("%s does not take the attribute %s" % (name, attribute))
        for extra, value in (
            ("dtype", lambda: arrays.dtype_of(model.outputs[0][1])),
            ("opset_version", lambda: model.opset_version),
        ):
            if extra in self._names and extra not in attributes:
                attributes[extra] = value()
        operands = list(node.inputs)
        while operands and not operands[-1]:
            operands.pop()
        if len(operands) > len(self._operands) and not self._any_operands:
            raise Unsupported(
                "%s takes %d operand%s, the node has %d"
                % (name, len(self._operands), "s"[len(self._operands) == 1 :], len(operands))
            )
        for parameter in self._operands[len(operands) :]:
            required = parameter.default is inspect.Parameter.empty
            if required and parameter.name not in attributes:
                raise Unsupported("%s needs %s, which the node lacks" % (name, parameter.name))
        absent = {
            i: None if p.default is inspect.Parameter.empty else p.default
            for i, p in enumerate(self._operands)
        }

        def call(values: dict[str, Array]) -> Any:
            positional = [
                values[operand] if operand else absent.get(i) for i, operand in enumerate(operands)
            ]
            return self.function(*positional, **attributes)

        return call

    def prepare(self, model: Model) -> PreparedFunction:
        """Raises Unsupported if the function does not compute this model."""
        if len(model.nodes) != 1 or model.nodes[0].op_type != self.op_type:
            raise Unsupported("only %s is implemented" % self.op_type)
        return PreparedFunction(model, self._call_of(model))


class FunctionBackends:
    """Several functions, each for its own operator, as one backend."""

    def __init__(self, functions: Sequence[FunctionBackend]) -> None:
        self.functions = {function.op_type: function for function in functions}

    def prepare(self, model: Model) -> PreparedFunction:
        if len(model.nodes) == 1 and model.nodes[0].op_type in self.functions:
            return self.functions[model.nodes[0].op_type].prepare(model)
        raise Unsupported("only %s are implemented" % ", ".join(sorted(self.functions)))


class PreparedFunction:
    def __init__(self, model: Model, call: Callable[[dict[str, Array]], Any]) -> None:
        self._model = model
        self._call = call

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        values = dict(self._model.constants)
        values.update(zip(self._model.inputs, inputs))
        result = self._call(values)
        return list(result) if isinstance(result, (tuple, list)) else [result]


def backend(op_type: str) -> Callable[[Callable[..., Any]], FunctionBackend]:
    """Makes a function on numpy arrays a backend that computes the operator `op_type`."""
    if not isinstance(op_type, str):
        raise TypeError(
            "qconform.backend: expected an op_type, as in @qconform.backend(OP_TYPE), "
            "got %r" % (op_type,)
        )

    def decorate(function: Callable[..., Any]) -> FunctionBackend:
        return FunctionBackend(function, op_type)

    return decorate
