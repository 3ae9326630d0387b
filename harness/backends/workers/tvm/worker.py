"""Apache TVM: the ONNX importer of Relax, compiled by LLVM for a CPU."""

from __future__ import annotations

from typing import Any

import numpy
import tvm
import worker_tools
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

# The types of which TVM takes and gives numpy arrays without a cast.
_TYPES = worker_tools.NUMPY_TYPES | {"BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E5M2"}
_NO_KERNEL = ("cannot find", "has not been implemented", "param datatype should be one of")


class Backend:
    """`target` is TVM's: llvm is the code of any CPU of this kind."""

    def __init__(self, target: str = "llvm") -> None:
        self._target = target
        self.identity = worker_tools.identity("apache-tvm", target=target)

    def prepare(self, model: Any) -> _Prepared:
        worker_tools.require_types(worker_tools.edge_types(model), _TYPES, "the worker of TVM")
        with worker_tools.errors(_NO_KERNEL):
            module = from_onnx(model, keep_params_in_input=False)
            machine = relax.VirtualMachine(tvm.compile(module, target=self._target), tvm.cpu())
        return _Prepared(machine)


class _Prepared:
    def __init__(self, machine: Any) -> None:
        self._machine = machine

    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        result = self._machine["main"](*[tvm.runtime.tensor(array) for array in inputs])
        outputs = [result] if isinstance(result, tvm.runtime.Tensor) else list(result)
        return [output.numpy() for output in outputs]
