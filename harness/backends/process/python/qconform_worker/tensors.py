"""Tensors of the protocol as numpy arrays, and back.

Types that numpy lacks are represented as in onnx: its own helpers unpack elements of less than
8 bits and choose the ml_dtypes type if there is one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy
import onnx
from onnx import TensorProto, numpy_helper

from qconform_worker import arrays
from qconform_worker.arrays import Array

_NAMES: dict[int, str] = {value: name for name, value in TensorProto.DataType.items()}
# The names of the same types in onnx's older helpers for numpy.
_BY_DTYPE_NAME = {
    "float8_e4m3fn": "FLOAT8E4M3FN",
    "float8_e4m3fnuz": "FLOAT8E4M3FNUZ",
    "float8_e5m2": "FLOAT8E5M2",
    "float8_e5m2fnuz": "FLOAT8E5M2FNUZ",
    "float8_e8m0fnu": "FLOAT8E8M0",
    "float6_e2m3fn": "FLOAT6E2M3",
    "float6_e3m2fn": "FLOAT6E3M2",
    "float4_e2m1fn": "FLOAT4E2M1",
    "bfloat16": "BFLOAT16",
    "int4": "INT4",
    "uint4": "UINT4",
    "int2": "INT2",
    "uint2": "UINT2",
    "e4m3fn": "FLOAT8E4M3FN",
    "e4m3fnuz": "FLOAT8E4M3FNUZ",
    "e5m2": "FLOAT8E5M2",
    "e5m2fnuz": "FLOAT8E5M2FNUZ",
    "float4e2m1": "FLOAT4E2M1",
}


def _own_dtypes() -> dict[int, numpy.dtype[Any]]:
    """Returns the dtypes that onnx before 1.19 has for types that numpy lacks, by data type. Its
    reference evaluator tells the types by them, and numpy_helper does not make all of them."""
    try:
        from onnx.reference import custom_element_types
    except ImportError:
        return {}
    return {
        TensorProto.DataType.Value(_BY_DTYPE_NAME[dtype.names[0]]): dtype
        for dtype in vars(custom_element_types).values()
        if isinstance(dtype, numpy.dtype) and dtype.names
    }


_OWN_DTYPES = _own_dtypes()


def to_array(data_type: int, dims: Sequence[int], data: bytes) -> Array:
    """Raises NotImplementedError if this release of onnx does not know the data type."""
    if data_type not in _NAMES:
        raise NotImplementedError("onnx %s has no data type %d" % (onnx.__version__, data_type))
    own = _OWN_DTYPES.get(data_type)
    if own is not None:
        bits = arrays.BITS[_NAMES[data_type]]
        if bits == 8 * own.itemsize:
            return numpy.frombuffer(bytearray(data), own).reshape(dims)
        codes = arrays.unpack(data, bits, math.prod(dims)).astype(own)
        if own.kind == "i":  # the sign bit is that of the byte too
            codes = (codes ^ (1 << bits - 1)) - (1 << bits - 1)
        return codes.reshape(dims).view(own)
    proto = TensorProto()
    proto.data_type = data_type
    # onnx 1.20 does not unpack scalars of 2 bits, which is a helper's fault, not the backend's.
    proto.dims.extend(dims or [1])
    proto.raw_data = bytes(data)
    array: Array = numpy_helper.to_array(proto).reshape(dims)
    return array


def _name_of(array: Array) -> str | None:
    dtype = array.dtype
    if dtype.names:  # older onnx: a structured type whose one field names it
        return _BY_DTYPE_NAME.get(dtype.names[0])
    if dtype.name in _BY_DTYPE_NAME:
        return _BY_DTYPE_NAME[dtype.name]
    try:
        return _NAMES[onnx.helper.np_dtype_to_tensor_dtype(dtype)]
    except (KeyError, ValueError):
        return None


def from_array(array: Any) -> tuple[int, list[int], bytes]:
    """Returns (data_type, dims, data). Raises ValueError if ONNX has no such type."""
    array = numpy.asarray(array)
    name = _name_of(array)
    if name is None:
        raise ValueError("output: expected a numpy type that ONNX has, got %s" % array.dtype)
    array = numpy.ascontiguousarray(array).reshape(array.shape)
    if arrays.BITS.get(name, 8) < 8:
        data = arrays.pack(array, arrays.BITS[name])
    elif array.dtype.byteorder == ">":
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
    else:
        data = array.tobytes()
    return int(TensorProto.DataType.Value(name)), list(array.shape), data
