"""Compares the worker's packing with ONNX's own, byte by byte: python3 packing.py.

It needs the package onnx. Types that this release of onnx does not have are left out.
"""

import importlib
import os
import sys
import types

import numpy
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from qconform_worker import arrays, tensors

SHAPES = ([], [0], [1], [2], [3], [4], [5], [1, 6], [7, 1], [3, 3], [2, 0, 3], [2, 1, 5], [3, 3, 3])


def packed(codes, bits):
    """The definition in onnx.proto: the lowest bit of the first element comes first."""
    stream = sum(code << (bits * i) for i, code in enumerate(codes))
    return stream.to_bytes((bits * len(codes) + 7) // 8, "little")


def check(name, bits, dims):
    number = TensorProto.DataType.Value(name)
    count = int(numpy.prod(dims, dtype=int))
    codes = [(11 + 37 * i) % (1 << bits) for i in range(count)]
    data = packed(codes, bits)
    # How the worker reads a tensor, and how it writes its answer.
    array = tensors.to_array(number, dims, data)
    assert list(array.shape) == dims, (name, dims, array.shape)
    got = (array.reshape(-1).view(numpy.uint8) & ((1 << bits) - 1)).tolist()
    assert got == codes, (name, dims, got, codes)
    assert tensors.from_array(array) == (number, dims, data), (name, dims)
    # The same without the package onnx.
    plain = arrays.to_array(number, dims, data)
    assert plain.dtype == array.dtype and (plain == array).all(), (name, dims)
    assert arrays.from_array(plain) == (number, dims, data), (name, dims)
    # The bytes that ONNX writes.
    assert numpy_helper.from_array(array).raw_data == data, (name, dims)
    made = helper.make_tensor("t", number, dims, array, raw=True)
    assert made.raw_data == data, (name, dims)
    if bits == 6:
        typed = TensorProto(data_type=number, dims=dims, int32_data=codes)
        again = numpy_helper.to_array(typed)
        assert again.tobytes() == array.tobytes(), (name, dims)
        made = helper.make_tensor("t", number, dims, array.reshape(-1))
        assert list(made.int32_data) == codes, (name, dims, made.int32_data)
        # Bits that must be 0 and are not: ONNX reads only bits 0 to 5.
        typed = TensorProto(
            data_type=number,
            dims=dims,
            int32_data=[code - 64 * (i + 1) for i, code in enumerate(codes)],
        )
        assert numpy_helper.to_array(typed).tobytes() == array.tobytes(), (name, dims)


def check_own_dtypes():
    """onnx before 1.19 has dtypes of its own, whose one field has the type's name."""
    own = {
        "INT4": numpy.dtype((numpy.int8, {"int4": (numpy.int8, 0)})),
        "UINT4": numpy.dtype((numpy.uint8, {"uint4": (numpy.uint8, 0)})),
        "FLOAT8E5M2": numpy.dtype((numpy.uint8, {"e5m2": (numpy.uint8, 0)})),
        "BFLOAT16": numpy.dtype((numpy.uint16, {"bfloat16": (numpy.uint16, 0)})),
    }
    older = "onnx.reference.custom_element_types"
    sys.modules[older] = types.SimpleNamespace(**own)
    importlib.reload(tensors)
    del sys.modules[older]
    for name, codes, data in (
        ("INT4", [-1, -8, 7], b"\x8f\x07"),
        ("UINT4", [15, 8, 7], b"\x8f\x07"),
        ("FLOAT8E5M2", [0x7C, 1], b"\x7c\x01"),
        ("BFLOAT16", [0x4142], b"\x42\x41"),
        ("INT4", [], b""),
    ):
        number = TensorProto.DataType.Value(name)
        array = tensors.to_array(number, [len(codes)], data)
        assert array.dtype == own[name] and array.dtype.names == own[name].names, (name, array)
        assert array.tolist() == codes, (name, array)
        assert tensors.from_array(array) == (number, [len(codes)], data), name
    try:
        tensors.to_array(99, [1], b"a")
        raise AssertionError("a data type that onnx does not have is read")
    except NotImplementedError as error:
        assert "has no data type 99" in str(error), error


if __name__ == "__main__":
    done = 0
    for name, bits in arrays.BITS.items():
        if bits >= 8:
            continue
        if name not in TensorProto.DataType.keys():  # noqa: SIM118 - of a protobuf enum
            print("left out, as this onnx has no", name)
            continue
        for dims in SHAPES:
            check(name, bits, dims)
            done += 1
    print("packed as ONNX packs them:", done, "tensors")
    check_own_dtypes()
