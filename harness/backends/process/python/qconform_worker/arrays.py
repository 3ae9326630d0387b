"""Tensors of the protocol as numpy arrays, and back, without the package onnx.

Types that numpy lacks are those of ml_dtypes, one element in each item of the array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

Array = numpy.ndarray[Any, numpy.dtype[Any]]

# ONNX's name of each data type, its number in TensorProto.DataType, the name of its dtype in
# numpy or ml_dtypes, and its bits.
_TYPES = (
    ("FLOAT", 1, "float32", 32),
    ("UINT8", 2, "uint8", 8),
    ("INT8", 3, "int8", 8),
    ("UINT16", 4, "uint16", 16),
    ("INT16", 5, "int16", 16),
    ("INT32", 6, "int32", 32),
    ("INT64", 7, "int64", 64),
    ("BOOL", 9, "bool", 8),
    ("FLOAT16", 10, "float16", 16),
    ("DOUBLE", 11, "float64", 64),
    ("UINT32", 12, "uint32", 32),
    ("UINT64", 13, "uint64", 64),
    ("BFLOAT16", 16, "bfloat16", 16),
    ("FLOAT8E4M3FN", 17, "float8_e4m3fn", 8),
    ("FLOAT8E4M3FNUZ", 18, "float8_e4m3fnuz", 8),
    ("FLOAT8E5M2", 19, "float8_e5m2", 8),
    ("FLOAT8E5M2FNUZ", 20, "float8_e5m2fnuz", 8),
    ("UINT4", 21, "uint4", 4),
    ("INT4", 22, "int4", 4),
    ("FLOAT4E2M1", 23, "float4_e2m1fn", 4),
    ("FLOAT8E8M0", 24, "float8_e8m0fnu", 8),
    ("UINT2", 25, "uint2", 2),
    ("INT2", 26, "int2", 2),
    ("FLOAT6E2M3", 27, "float6_e2m3fn", 6),
    ("FLOAT6E3M2", 28, "float6_e3m2fn", 6),
)
NAMES = {number: name for name, number, _, _ in _TYPES}
NUMBERS = {name: number for name, number, _, _ in _TYPES}
BITS = {name: bits for name, _, _, bits in _TYPES}
_BY_NUMBER = {number: (name, dtype, bits) for name, number, dtype, bits in _TYPES}
_BY_DTYPE = {dtype: (name, number) for name, number, dtype, _ in _TYPES}


# Types that numpy has itself.
NUMPY_TYPES = frozenset(
    [
        "FLOAT",
        "UINT8",
        "INT8",
        "UINT16",
        "INT16",
        "INT32",
        "INT64",
        "BOOL",
        "FLOAT16",
        "DOUBLE",
        "UINT32",
        "UINT64",
    ]
)


def dtype_of(number: int) -> numpy.dtype[Any]:
    """Returns the dtype of a data type. Raises NotImplementedError if this machine has none."""
    if number not in _BY_NUMBER:
        raise NotImplementedError("the data type %d has no dtype" % number)
    name, dtype, _ = _BY_NUMBER[number]
    try:
        return numpy.dtype(dtype)
    except TypeError:
        pass
    try:
        import ml_dtypes
    except ModuleNotFoundError:
        raise NotImplementedError(
            "%s needs the package ml_dtypes: pip install ml_dtypes" % name
        ) from None
    if not hasattr(ml_dtypes, dtype):
        raise NotImplementedError(
            "%s needs a newer ml_dtypes than %s" % (name, ml_dtypes.__version__)
        )
    found: numpy.dtype[Any] = numpy.dtype(getattr(ml_dtypes, dtype))
    return found


def type_name(dtype: numpy.dtype[Any]) -> str | None:
    """Returns ONNX's name of the data type of a dtype, or None."""
    return _BY_DTYPE.get(dtype.name, (None, 0))[0]


def pack(array: Array, bits: int) -> bytes:
    """Packs codes of less than 8 bits, one in each byte of `array`, lowest bits first. Eight
    of them take `bits` bytes, whatever `bits` is."""
    codes = array.reshape(-1).view(numpy.uint8) & ((1 << bits) - 1)
    size = (len(codes) * bits + 7) // 8
    words = numpy.concatenate([codes, numpy.zeros(-len(codes) % 8, numpy.uint8)]).view("<u8")
    for count in (1, 2, 4):  # the codes of each half of 16, 32 and 64 bits move together
        half, width = numpy.uint64(8 * count), numpy.uint64(bits * count)
        mask = numpy.uint64(sum(((1 << bits * count) - 1) << at for at in range(0, 64, 16 * count)))
        words = (words & mask) | (((words >> half) & mask) << width)
    return words.view(numpy.uint8).reshape(-1, 8)[:, :bits].tobytes()[:size]


def unpack(data: bytes, bits: int, count: int) -> Array:
    """The inverse of pack: `count` codes, one in each byte."""
    stream = numpy.unpackbits(numpy.frombuffer(data, numpy.uint8), bitorder="little")
    codes = stream[: count * bits].reshape(count, bits)
    return numpy.packbits(codes, axis=1, bitorder="little").reshape(-1)


def to_array(data_type: int, dims: Sequence[int], data: bytes) -> Array:
    """Returns the array of a tensor's packed bytes. Raises NotImplementedError if numpy and
    ml_dtypes lack the type."""
    dtype = dtype_of(data_type)
    bits = _BY_NUMBER[data_type][2]
    if not data:
        return numpy.empty(dims, dtype)
    if bits >= 8:
        return numpy.frombuffer(bytearray(data), dtype).reshape(dims)
    count = 1
    for size in dims:
        count *= size
    return unpack(data, bits, count).view(dtype).reshape(dims)


def from_array(array: Array) -> tuple[int, list[int], bytes]:
    """Returns (data_type, dims, data). Raises ValueError if ONNX has no such type."""
    found = _BY_DTYPE.get(array.dtype.name)
    if found is None:
        raise ValueError("output: expected a dtype that ONNX has, got %s" % array.dtype)
    name, number = found
    shape = list(array.shape)
    array = numpy.ascontiguousarray(array)
    if BITS[name] < 8:
        return number, shape, pack(array, BITS[name])
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    return number, shape, array.tobytes()
