"""IREE: ONNX's importer, the compiler for LLVM CPUs, and the runtime that computes in this thread.

The compiler runs inside the worker, because starting it as a process takes longer than compiling.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import Any

import iree.runtime
import numpy
import onnx
import worker_tools
from iree.compiler import api, ir
from iree.compiler.extras import onnx_importer
from qconform_worker import arrays

_ELEMENT = {
    "FLOAT": "FLOAT_32",
    "FLOAT16": "FLOAT_16",
    "BFLOAT16": "BFLOAT_16",
    "DOUBLE": "FLOAT_64",
    "UINT8": "UINT_8",
    "INT8": "SINT_8",
    "UINT16": "UINT_16",
    "INT16": "SINT_16",
    "UINT32": "UINT_32",
    "INT32": "SINT_32",
    "UINT64": "UINT_64",
    "INT64": "SINT_64",
    "BOOL": "BOOL_8",
    "FLOAT8E4M3FN": "FLOAT_8_E4M3_FN",
    "FLOAT8E4M3FNUZ": "FLOAT_8_E4M3_FNUZ",
    "FLOAT8E5M2": "FLOAT_8_E5M2",
    "FLOAT8E5M2FNUZ": "FLOAT_8_E5M2_FNUZ",
    "FLOAT8E8M0": "FLOAT_8_E8M0_FNU",
}
_NO_KERNEL = (
    "failed to legalize",
    "unimplemented",
    "unknown type",
    "floating point element type",
    "floating-point-like",
)
_FLAGS = (
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
)


@contextlib.contextmanager
def _stderr() -> Iterator[Any]:
    """Yields a function that returns what was written to stderr inside, by any code."""
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)

        def read() -> str:
            file.seek(0)
            return file.read().decode("utf-8", "replace")

        try:
            yield read
        finally:
            os.dup2(kept, 2)
            os.close(kept)


class Backend:
    """`cpu` is the CPU that LLVM makes code for, such as generic or host."""

    def __init__(self, cpu: str = "generic") -> None:
        self._flags = [*_FLAGS, "--iree-llvmcpu-target-cpu=" + cpu]
        self._config = iree.runtime.Config("local-sync")
        self.identity = worker_tools.identity("iree-base-compiler", target_cpu=cpu)
        self.identity["name"] = "iree"

    def _compile(self, text: str) -> bytes:
        session = api.Session()
        session.set_flags(*self._flags)
        invocation = session.invocation()
        with _stderr() as said:
            invocation.enable_console_diagnostics()
            source = api.Source.wrap_buffer(session, text.encode() + b"\0")
            done = invocation.parse_source(source) and invocation.execute()
            if done:
                output = api.Output.open_membuffer()
                invocation.output_vm_bytecode(output)
                compiled = bytes(output.map_memory())
            words = said()
        if not done:
            first = next((line for line in words.splitlines() if "error:" in line), words[:300])
            raise RuntimeError("iree-compile: " + first.partition("error:")[2].strip())
        return compiled

    def prepare(self, model: Any) -> _Prepared:
        worker_tools.require_types(worker_tools.edge_types(model), _ELEMENT, "IREE's runtime")
        worker_tools.require_sizes(worker_tools.fed(model), "IREE")
        with worker_tools.errors(_NO_KERNEL):
            inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
            info = onnx_importer.ModelInfo(inferred)
            module = info.create_module(context=ir.Context()).operation
            onnx_importer.NodeImporter.define_function(info.main_graph, module).import_all()
            module.verify()
            compiled = self._compile(module.get_asm())
        return _Prepared(self._config, compiled, model)


class _Prepared:
    def __init__(self, config: Any, compiled: bytes, model: Any) -> None:
        context = iree.runtime.SystemContext(config=config)
        module = iree.runtime.VmModule.copy_buffer(context.instance, compiled)
        context.add_vm_module(module)
        self._device = config.device
        self._run = context.modules[module.name][model.graph.name]
        self._outputs = [
            arrays.NAMES[value.type.tensor_type.elem_type] for value in model.graph.output
        ]

    def _given(self, array: numpy.ndarray[Any, Any]) -> Any:
        element = getattr(
            iree.runtime.HalElementType, _ELEMENT[arrays.type_name(array.dtype) or ""]
        )
        # IREE does not know ml_dtypes, so arrays are given as codes.
        codes = numpy.ascontiguousarray(array).view("u%d" % array.dtype.itemsize)
        return self._device.allocator.allocate_buffer_copy(
            memory_type=iree.runtime.MemoryType.DEVICE_LOCAL,
            allowed_usage=iree.runtime.BufferUsage.DEFAULT | iree.runtime.BufferUsage.MAPPING,
            device=self._device,
            buffer=codes.reshape(array.shape),
            element_type=element,
        )

    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        result = self._run(*[self._given(array) for array in inputs])
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        outputs = []
        for name, value in zip(self._outputs, results):
            # IREE's integers have no sign, so the declared type says how the codes are read.
            view = value._buffer_view
            size = arrays.BITS[name] // 8
            if view.element_type & 0xFF != 8 * size:
                raise ValueError(
                    "output: expected %d bits, got element type 0x%x"
                    % (8 * size, view.element_type)
                )
            count = int(numpy.prod(view.shape, dtype=numpy.int64))
            codes = numpy.empty(0, "u1")
            if count:
                codes = view.map().asarray([count], numpy.dtype("u%d" % size)).copy()
            outputs.append(worker_tools.from_codes(name, list(view.shape), codes))
        return outputs
