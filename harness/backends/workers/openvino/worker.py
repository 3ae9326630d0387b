"""OpenVINO's CPU plugin."""

from __future__ import annotations

from typing import Any

import numpy
import openvino
import worker_tools
from qconform_worker import arrays

# The element types of OpenVINO by ONNX's names. Those of less than 8 bits are packed as in ONNX.
_TYPES = {
    "FLOAT": "f32",
    "FLOAT16": "f16",
    "BFLOAT16": "bf16",
    "DOUBLE": "f64",
    "UINT8": "u8",
    "INT8": "i8",
    "UINT16": "u16",
    "INT16": "i16",
    "UINT32": "u32",
    "INT32": "i32",
    "UINT64": "u64",
    "INT64": "i64",
    "BOOL": "boolean",
    "FLOAT8E4M3FN": "f8e4m3",
    "FLOAT8E5M2": "f8e5m2",
    "FLOAT8E8M0": "f8e8m0",
    "FLOAT4E2M1": "f4e2m1",
    "UINT4": "u4",
    "INT4": "i4",
    "UINT2": "u2",
}
_NAMES = {getattr(openvino.Type, type_): name for name, type_ in _TYPES.items()}
_NO_KERNEL = (
    "doesn't support",
    "bad format for f8 conversion type",
    "!implementations.empty()",  # the CPU plugin has no kernel of these types
    "shape_size(node_shape) == 1",  # a conversion for one scale and zero point per tensor
)


def _tensor(array: numpy.ndarray[Any, Any]) -> openvino.Tensor:
    number, shape, data = arrays.from_array(array)
    type_ = getattr(openvino.Type, _TYPES[arrays.NAMES[number]])
    tensor = openvino.Tensor(type_, openvino.Shape(shape))
    codes = numpy.frombuffer(data, numpy.uint8)
    if codes.size:
        tensor.data.reshape(-1).view(numpy.uint8)[: codes.size] = codes
    return tensor


def _array(tensor: openvino.Tensor) -> numpy.ndarray[Any, Any]:
    name = _NAMES.get(tensor.element_type)
    if name is None:
        raise ValueError("output: expected a type of ONNX, got %s" % tensor.element_type)
    codes = numpy.ascontiguousarray(tensor.data).reshape(-1).view(numpy.uint8)
    return worker_tools.from_codes(name, list(tensor.shape), codes)


class Backend:
    """`execution` is OpenVINO's execution mode: ACCURACY computes in the types of the model,
    PERFORMANCE lets the plugin choose narrower ones, such as BFLOAT16 on CPUs that have it."""

    def __init__(self, execution: str = "ACCURACY") -> None:
        self._core = openvino.Core()
        self._properties = {
            "INFERENCE_NUM_THREADS": 1,
            "NUM_STREAMS": 1,
            "EXECUTION_MODE_HINT": execution,
        }
        self.identity = worker_tools.identity(
            "openvino",
            build=openvino.__version__,
            execution_mode=execution,
            device=self._core.get_property("CPU", "FULL_DEVICE_NAME"),
        )

    def prepare(self, model: Any) -> _Prepared:
        worker_tools.require_types(worker_tools.edge_types(model), _TYPES, "OpenVINO")
        names = [value.name for value in worker_tools.fed(model)]
        with worker_tools.errors(_NO_KERNEL):
            read = self._core.read_model(model.SerializeToString())
            compiled = self._core.compile_model(read, "CPU", self._properties)
        return _Prepared(compiled, names, [value.name for value in model.graph.output])


class _Prepared:
    def __init__(self, compiled: Any, inputs: list[str], outputs: list[str]) -> None:
        self._request = compiled.create_infer_request()
        # An input that no node uses is no input of the compiled model.
        known = {name for port in compiled.inputs for name in port.get_names()}
        self._inputs = [name if name in known else None for name in inputs]
        self._outputs = outputs

    def run(self, given: list[numpy.ndarray[Any, Any]]) -> list[numpy.ndarray[Any, Any]]:
        for name, array in zip(self._inputs, given):
            if name is not None:
                self._request.set_tensor(name, _tensor(array))
        self._request.infer()
        return [_array(self._request.get_tensor(name)) for name in self._outputs]
