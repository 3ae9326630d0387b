"""emx-onnx-cgen: a model becomes one C file, which a C compiler makes a shared library of."""

from __future__ import annotations

import _ctypes
import ctypes
import os
import re
import shutil
import subprocess
from typing import Any

import numpy
import worker_tools
from emx_onnx_cgen import CodegenError, Compiler, ShapeInferenceError, UnsupportedOpError
from emx_onnx_cgen.compiler import CompilerOptions
from qconform_worker import arrays
from qconform_worker.functions import Refused, Unsupported

# The generated C has _BitInt for these, and arithmetic of __bf16: Clang 16 has both.
_NEED_CLANG = frozenset(["INT4", "UINT4", "INT2", "UINT2", "BFLOAT16"])
_PLAIN = worker_tools.NUMPY_TYPES | frozenset(
    ["FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT8E8M0"]
)


def _clang() -> str | None:
    """Returns a Clang of version 16 or newer, if there is one."""
    for name in ["clang"] + ["clang-%d" % version for version in range(24, 15, -1)]:
        path = shutil.which(name)
        if path is None:
            continue
        said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"version (\d+)", said)
        if found and int(found[1]) >= 16:
            return path
    return None


class Backend:
    def __init__(self) -> None:
        self._clang = _clang()
        self._compiler = self._clang or shutil.which("cc")
        if self._compiler is None:
            raise ImportError("emx: expected a C compiler, clang or cc, got none")
        said = subprocess.run([self._compiler, "--version"], capture_output=True, text=True).stdout
        self.identity = worker_tools.identity("emx-onnx-cgen", compiler=said.partition("\n")[0])
        # Kept over models, because most of the first one's time goes into its templates.
        self._generator = Compiler(CompilerOptions(large_weight_threshold=0))

    def prepare(self, model: Any) -> _Prepared:
        types = worker_tools.types(model)
        if types & _NEED_CLANG and self._clang is None:
            raise Unsupported(
                "%s needs Clang 16 or newer, which is not installed"
                % ", ".join(sorted(types & _NEED_CLANG))
            )
        worker_tools.require_types(types, _PLAIN | _NEED_CLANG, "emx")
        worker_tools.require_sizes([*worker_tools.fed(model), *model.graph.output], "emx")
        try:
            source = self._generator.compile(model)
        except (UnsupportedOpError, NotImplementedError) as error:
            raise Unsupported(str(error)) from error
        except (CodegenError, ShapeInferenceError) as error:
            with worker_tools.errors():
                raise Refused(str(error)) from error
        return _Prepared(self._library(source), model)

    def _library(self, source: str) -> ctypes.CDLL:
        with worker_tools.scratch() as folder:
            path = os.path.join(folder, "model.c")
            with open(path, "w") as file:
                file.write(source)
            command = [self._compiler, "-O2", "-w", "-shared", "-fPIC", "model.c", "-lm"]
            done = subprocess.run(
                [*command, "-o", "model.so"], cwd=folder, capture_output=True, text=True
            )
            if done.returncode != 0:
                first = next(
                    (line for line in done.stderr.splitlines() if "error" in line), "no message"
                )
                raise RuntimeError("the C file does not compile: " + first)
            return ctypes.CDLL(os.path.join(folder, "model.so"))


class _Prepared:
    def __init__(self, library: ctypes.CDLL, model: Any) -> None:
        self._library = library
        self._outputs = [
            (
                arrays.NAMES[value.type.tensor_type.elem_type],
                [d.dim_value for d in value.type.tensor_type.shape.dim],
            )
            for value in model.graph.output
        ]

    def run(self, inputs: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        # An element of less than 8 bits is the low bits of a byte.
        given = [numpy.ascontiguousarray(array) for array in inputs]
        for i, array in enumerate(given):
            bits = arrays.BITS[arrays.type_name(array.dtype) or ""]
            if bits < 8:
                given[i] = array.view(numpy.uint8) & ((1 << bits) - 1)
        outputs = [
            numpy.zeros(shape, arrays.dtype_of(arrays.NUMBERS[name]))
            for name, shape in self._outputs
        ]
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in [*given, *outputs]]
        self._library.model(*pointers)
        return [
            array.astype(array.dtype) if arrays.BITS[name] >= 8 else _in_range(array, name)
            for array, (name, _) in zip(outputs, self._outputs)
        ]

    def __del__(self) -> None:
        _ctypes.dlclose(self._library._handle)


def _in_range(array: numpy.ndarray[Any, Any], name: str) -> numpy.ndarray[Any, Any]:
    codes = array.view(numpy.uint8) & ((1 << arrays.BITS[name]) - 1)
    return codes.view(array.dtype)
