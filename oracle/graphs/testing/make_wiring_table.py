#!/usr/bin/env python3
"""Writes wiring_table.jsonl: what ONNX's reference evaluator gives for float nodes.

Each line is a node with integer operands, small enough for every result to be exact in
DOUBLE. wiring_test.cc computes the same from WireNode and compares shapes and values.
Elements of the operands of nodes that move data are all different, so that a value names
the element that it came from.

    python3 make_wiring_table.py > wiring_table.jsonl

It needs the Python package onnx and numpy. Shapes are compared with those of
onnx.shape_inference as well. A row is left out if the two differ, or if the reference
evaluator raises; why is printed.
"""

import json
import random
import struct
import sys

import numpy as np
import onnx
import onnx.defs
import onnx.helper
import onnx.shape_inference
from onnx.reference import ReferenceEvaluator

OPSETS = [13, 14, 16, 18, 19, 20, 21, 22, 23, 24, 25, onnx.defs.onnx_opset_version()]
ROWS_PER_OPERATOR = 16

random.seed(43)
RNG = np.random.default_rng(43)


def iota(shape, start=1):
    count = int(np.prod(shape))
    return np.arange(start, start + count, dtype=np.float64).reshape(shape)


def shuffled(shape):
    """Different integers of both signs in random order."""
    count = int(np.prod(shape))
    values = np.arange(count, dtype=np.float64) - count // 2
    RNG.shuffle(values)
    return values.reshape(shape)


def small(shape):
    return RNG.integers(-9, 10, size=shape).astype(np.float64)


def shape_of(rank, most=4, least=1):
    return [random.randint(least, most) for _ in range(rank)]


def ints(values):
    return np.array(values, dtype=np.int64)


def maybe_negative(axis, rank):
    return axis - rank if random.random() < 0.4 else axis


def broadcast_to_part(shape):
    """A shape that broadcasts to `shape`."""
    part = [1 if random.random() < 0.3 else size for size in shape]
    return part[random.randint(0, len(part)):]


def identity(opset):
    return [iota(shape_of(random.randint(0, 4)))], {}


def transpose(opset):
    rank = random.randint(1, 4)
    attributes = {}
    if random.random() < 0.8:
        attributes["perm"] = random.sample(range(rank), rank)
    return [iota(shape_of(rank))], attributes


def reshape(opset):
    shape = shape_of(random.randint(1, 4))
    kind = random.randint(0, 4)
    attributes = {}
    count = int(np.prod(shape))
    if kind == 0:
        to = [-1]
    elif kind == 1:
        to = [0, -1] if len(shape) > 1 else [0]
    elif kind == 2:
        divisor = random.choice([d for d in range(1, count + 1) if count % d == 0])
        to = [divisor, 1, count // divisor]
    elif kind == 3 and opset >= 14:
        shape, to = [2, 0, 3], [3, 0, random.choice([2, 5])]
        attributes["allowzero"] = 1
    else:
        to = [1] + shape + [-1]
    return [iota(shape), ints(to)], attributes


def flatten(opset):
    rank = random.randint(0, 4)
    attributes = {"axis": random.randint(-rank, rank)}
    if rank > 0 and random.random() < 0.3:
        attributes = {}
    return [iota(shape_of(rank))], attributes


def squeeze(opset):
    shape = shape_of(random.randint(2, 4), 3)
    ones = random.sample(range(len(shape)), random.randint(1, len(shape)))
    for axis in ones:
        shape[axis] = 1
    if random.random() < 0.3:
        return [iota(shape)], {}
    axes = [maybe_negative(axis, len(shape)) for axis in ones]
    return [iota(shape), ints(axes)], {}


def unsqueeze(opset):
    shape = shape_of(random.randint(0, 3))
    new = random.randint(1, 3)
    rank = len(shape) + new
    axes = [maybe_negative(axis, rank) for axis in random.sample(range(rank), new)]
    return [iota(shape), ints(axes)], {}


def slice_(opset):
    rank = random.randint(1, 3)
    shape = shape_of(rank, 6)
    axes = random.sample(range(rank), random.randint(1, rank))
    far = 2**62
    starts = [random.choice([random.randint(-8, 8), -far, far]) for _ in axes]
    ends = [random.choice([random.randint(-8, 8), -far, far]) for _ in axes]
    steps = [random.choice([1, 1, 2, 3, -1, -2]) for _ in axes]
    kind = random.randint(0, 2)
    dtype = random.choice([np.int32, np.int64])
    if dtype == np.int32:
        clip = lambda values: np.clip(values, -(2**31), 2**31 - 1)
        starts, ends = clip(starts), clip(ends)
    as_array = lambda values: np.array(values, dtype=dtype)
    named = [maybe_negative(axis, rank) for axis in axes]
    if kind == 0:
        return [iota(shape), as_array(starts), as_array(ends), as_array(named)], {}
    if kind == 1:
        return [iota(shape), as_array(starts), as_array(ends), as_array(named),
                as_array(steps)], {}
    while len(starts) < rank:
        starts, ends, steps = list(starts) + [0], list(ends) + [9], steps + [1]
    return [iota(shape), as_array(starts), as_array(ends), None, as_array(steps)], {}


def split(opset):
    shape = shape_of(random.randint(1, 3), 6)
    axis = random.randrange(len(shape))
    attributes = {"axis": maybe_negative(axis, len(shape))}
    size = shape[axis]
    if random.random() < 0.5:
        cut = random.randint(0, size)
        return [iota(shape), ints([cut, size - cut])], attributes, 2
    if opset < 18:
        number = random.choice([n for n in range(1, size + 1) if size % n == 0])
    else:
        fits = lambda n: size - -(-size // n) * (n - 1) > 0
        number = random.choice([n for n in range(1, size + 1) if fits(n)])
        attributes["num_outputs"] = number
    return [iota(shape)], attributes, number


def concat(opset):
    shape = shape_of(random.randint(1, 3))
    axis = random.randrange(len(shape))
    operands, start = [], 1
    for _ in range(random.randint(1, 4)):
        own = list(shape)
        own[axis] = random.randint(0 if start > 1 else 1, 3)
        operands.append(iota(own, start))
        start += operands[-1].size
    return operands, {"axis": maybe_negative(axis, len(shape))}


def gather(opset):
    shape = shape_of(random.randint(1, 3))
    axis = random.randrange(len(shape))
    indices = RNG.integers(-shape[axis], shape[axis], size=shape_of(random.randint(0, 2), 3))
    dtype = random.choice([np.int32, np.int64])
    attributes = {"axis": maybe_negative(axis, len(shape))}
    if axis == 0 and random.random() < 0.5:
        attributes = {}
    return [iota(shape), np.array(indices, dtype=dtype)], attributes


def gather_elements(opset):
    shape = shape_of(random.randint(1, 3))
    axis = random.randrange(len(shape))
    own = [random.randint(1, size) for size in shape]
    own[axis] = random.randint(1, 5)
    indices = RNG.integers(-shape[axis], shape[axis], size=own)
    return [iota(shape), np.array(indices, dtype=np.int64)], {
        "axis": maybe_negative(axis, len(shape))}


def expand(opset):
    shape = shape_of(random.randint(0, 3), 3)
    part = broadcast_to_part(shape)
    if random.random() < 0.3:  # the shape broadcasts to the input as well
        shape, part = broadcast_to_part(shape), shape
    return [iota(part), ints(shape)], {}


def tile(opset):
    shape = shape_of(random.randint(1, 3), 3)
    return [iota(shape), ints([random.randint(0 if i else 1, 3) for i in shape])], {}


def depth_to_space(opset):
    block = random.randint(1, 3)
    shape = [random.randint(1, 2), block**2 * random.randint(1, 2), *shape_of(2, 3)]
    attributes = {"blocksize": block}
    if random.random() < 0.7:
        attributes["mode"] = random.choice(["DCR", "CRD"])
    return [iota(shape)], attributes


def space_to_depth(opset):
    block = random.randint(1, 3)
    shape = [random.randint(1, 2), random.randint(1, 3), block * random.randint(1, 2),
             block * random.randint(1, 2)]
    attributes = {"blocksize": block}
    if opset >= 28 and random.random() < 0.8:
        attributes["mode"] = random.choice(["DCR", "CRD"])
    return [iota(shape)], attributes


def pad(opset):
    rank = random.randint(1, 3)
    shape = shape_of(rank, 4)
    modes = ["constant", "constant", "reflect", "edge"] + (["wrap"] if opset >= 19 else [])
    mode = random.choice(modes)
    attributes = {"mode": mode} if mode != "constant" or random.random() < 0.5 else {}
    axes = list(range(rank))
    names_axes = opset >= 18 and random.random() < 0.5
    if names_axes:
        axes = random.sample(axes, random.randint(1, rank))

    def amount(axis):
        if mode == "constant":
            return random.randint(-(shape[axis] // 2), 3)
        return random.randint(0, shape[axis] - 1 if mode == "reflect" else 3)

    pads = [amount(axis) for axis in axes + axes]
    operands = [iota(shape), ints(pads)]
    if random.random() < 0.5:
        operands.append(np.array(1000.0))
    if names_axes:
        if len(operands) == 2:
            operands.append(None)
        operands.append(ints([maybe_negative(axis, rank) for axis in axes]))
    return operands, attributes


def pool(opset, average):
    rank = random.randint(1, 2)
    kernel = shape_of(rank, 3)
    attributes = {"kernel_shape": kernel}
    if random.random() < 0.6:
        attributes["strides"] = shape_of(rank, 3)
    if random.random() < 0.4 and (not average or opset >= 19):
        attributes["dilations"] = shape_of(rank, 2)
    how = random.randint(0, 4)
    if how in (1, 2):
        attributes["pads"] = [random.randint(0, size - 1) for size in kernel + kernel]
    elif how == 3:
        attributes["auto_pad"] = random.choice(["SAME_UPPER", "SAME_LOWER"])
    elif how == 4:
        attributes["auto_pad"] = "VALID"
    if average and random.random() < 0.5:
        attributes["count_include_pad"] = 1
    shape = [random.randint(1, 2), random.randint(1, 2)] + [
        random.randint(5, 7) for _ in range(rank)]
    x = small(shape) * 27720 if average else shuffled(shape)
    return [x], attributes


def reduction(opset, data):
    rank = random.randint(0, 4)
    shape = shape_of(rank, 3)
    attributes = {}
    if random.random() < 0.7:
        attributes["keepdims"] = random.randint(0, 1)
    axes = [maybe_negative(axis, rank)
            for axis in random.sample(range(rank), random.randint(0, rank))]
    operands = [data(shape)]
    if opset < 18:
        if axes:
            attributes["axes"] = axes
        return operands, attributes
    if random.random() < 0.8:
        operands.append(ints(axes))
    if random.random() < 0.4:
        attributes["noop_with_empty_axes"] = random.randint(0, 1)
    return operands, attributes


def variadic(opset):
    shape = shape_of(random.randint(0, 3), 3)
    count = random.randint(1, 4)
    return [small(broadcast_to_part(shape)) for _ in range(count)], {}


def unary(opset):
    return [shuffled(shape_of(random.randint(0, 3), 4))], {}


def clip(opset):
    low, high = random.choice([(None, None), (-2, None), (None, 3), (-3, 2), (4, -1)])
    bound = lambda value: None if value is None else np.array(float(value))
    operands = [shuffled([4, 4]), bound(low), bound(high)]
    while operands[-1] is None:
        operands.pop()
    return operands, {}


def arg(opset):
    rank = random.randint(1, 3)
    attributes = {}
    axis = random.randrange(rank)
    if axis != 0 or random.random() < 0.5:
        attributes["axis"] = maybe_negative(axis, rank)
    if random.random() < 0.6:
        attributes["keepdims"] = random.randint(0, 1)
    if random.random() < 0.6:
        attributes["select_last_index"] = random.randint(0, 1)
    return [RNG.integers(-2, 3, size=shape_of(rank)).astype(np.float64)], attributes


def binary(opset):
    shape = shape_of(random.randint(0, 3), 3)
    return [small(broadcast_to_part(shape)), small(broadcast_to_part(shape))], {}


def div(opset):
    shape = shape_of(random.randint(0, 3), 3)
    b = RNG.integers(1, 8, size=broadcast_to_part(shape)).astype(np.float64)
    return [840 * small(broadcast_to_part(shape)), b], {}


def leaky_relu(opset):
    return [shuffled(shape_of(2))], {"alpha": float(random.randint(-3, 5))}


def prelu(opset):
    shape = shape_of(random.randint(1, 3), 3)
    return [shuffled(shape), small(broadcast_to_part(shape))], {}


def hard_sigmoid(opset):
    return [small(shape_of(2))], {"alpha": float(random.choice([1, -1, 2])),
                                  "beta": float(random.randint(-2, 3))}


def hard_swish(opset):
    return [6 * RNG.integers(-2, 3, size=shape_of(2)).astype(np.float64)], {}


def cast(opset):
    return [small(shape_of(2))], {"to": random.choice([1, 3, 6, 7, 10, 11])}


def matmul(opset):
    m, k, n = shape_of(3, 4)
    batch = shape_of(random.randint(0, 2), 2)
    left, right = broadcast_to_part(batch) + [m, k], broadcast_to_part(batch) + [k, n]
    if random.random() < 0.2:
        left = [k]
    if random.random() < 0.2:
        right = [k]
    return [small(left), small(right)], {}


def gemm(opset):
    m, k, n = shape_of(3, 4)
    attributes = {}
    transposes_a, transposes_b = random.randint(0, 1), random.randint(0, 1)
    if transposes_a or random.random() < 0.3:
        attributes["transA"] = transposes_a
    if transposes_b or random.random() < 0.3:
        attributes["transB"] = transposes_b
    if random.random() < 0.4:
        attributes["alpha"] = float(random.randint(-2, 3))
    if random.random() < 0.4:
        attributes["beta"] = float(random.randint(-2, 3))
    operands = [small([k, m] if transposes_a else [m, k]),
                small([n, k] if transposes_b else [k, n])]
    if random.random() < 0.7:
        operands.append(small(broadcast_to_part([m, n])))
    return operands, attributes


def conv(opset):
    rank = random.randint(1, 2)
    group = random.randint(1, 3)
    kernel = shape_of(rank, 3)
    inner, outer = random.randint(1, 2), random.randint(1, 2)
    attributes = {}
    if group != 1:
        attributes["group"] = group
    if random.random() < 0.5:
        attributes["kernel_shape"] = kernel
    if random.random() < 0.5:
        attributes["strides"] = shape_of(rank, 3)
    if random.random() < 0.4:
        attributes["dilations"] = shape_of(rank, 2)
    how = random.randint(0, 4)
    if how in (1, 2):
        attributes["pads"] = [random.randint(0, 2) for _ in range(2 * rank)]
    elif how == 3:
        attributes["auto_pad"] = random.choice(["SAME_UPPER", "SAME_LOWER"])
    elif how == 4:
        attributes["auto_pad"] = "VALID"
    spatial = [random.randint(5, 6) for _ in range(rank)]
    operands = [small([1, group * inner] + spatial), small([group * outer, inner] + kernel)]
    if random.random() < 0.5:
        operands.append(small([group * outer]))
    return operands, attributes


def global_average_pool(opset):
    rank = random.randint(1, 3)
    return [small([2, 2] + shape_of(rank, 3)) * 27720], {}


MAKERS = {
    "Identity": identity, "Transpose": transpose, "Reshape": reshape, "Flatten": flatten,
    "Squeeze": squeeze, "Unsqueeze": unsqueeze, "Slice": slice_, "Split": split,
    "Concat": concat, "Gather": gather, "GatherElements": gather_elements,
    "Expand": expand, "Tile": tile, "DepthToSpace": depth_to_space,
    "SpaceToDepth": space_to_depth, "Pad": pad,
    "MaxPool": lambda opset: pool(opset, False),
    "ReduceMax": lambda opset: reduction(opset, shuffled),
    "ReduceMin": lambda opset: reduction(opset, shuffled),
    "Max": variadic, "Min": variadic, "Relu": unary, "Clip": clip, "ArgMax": arg,
    "ArgMin": arg, "Add": binary, "Sub": binary, "Mul": binary, "Div": div,
    "LeakyRelu": leaky_relu, "PRelu": prelu, "HardSigmoid": hard_sigmoid,
    "HardSwish": hard_swish, "Neg": unary, "Abs": unary, "Cast": cast,
    "MatMul": matmul, "Gemm": gemm, "Conv": conv,
    "AveragePool": lambda opset: pool(opset, True),
    "GlobalAveragePool": global_average_pool,
    "ReduceMean": lambda opset: reduction(opset, lambda shape: 27720 * small(shape)),
}

TYPE_NAMES = {np.dtype(np.float64): "DOUBLE", np.dtype(np.int64): "INT64",
              np.dtype(np.int32): "INT32"}


def attribute_json(value):
    if isinstance(value, float):
        return {"bits": struct.unpack("<I", struct.pack("<f", value))[0]}
    return value


def inferred_shapes(model, operands):
    """The shapes that onnx.shape_inference finds for the outputs; None where unknown."""
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    except Exception:  # the reference evaluator decides
        return None
    shapes = []
    for value in inferred.graph.output:
        if not value.type.tensor_type.HasField("shape"):
            return None
        dims = value.type.tensor_type.shape.dim
        if any(not d.HasField("dim_value") for d in dims):
            return None
        shapes.append([d.dim_value for d in dims])
    return shapes


def row(op_type, opset):
    made = MAKERS[op_type](opset)
    operands, attributes = made[0], made[1]
    outputs = ["y"] if len(made) == 2 else [f"y{i}" for i in range(made[2])]
    names = [f"x{i}" if x is not None else "" for i, x in enumerate(operands)]
    node = onnx.helper.make_node(op_type, names, outputs, **attributes)
    given = {name: x for name, x in zip(names, operands) if x is not None}
    # Operands of shapes and amounts as initializers, for the inference of shapes.
    constants = {name: x for name, x in given.items() if x.dtype != np.float64}
    graph = onnx.helper.make_graph(
        [node], "g",
        [onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
         for name, x in given.items() if name not in constants],
        [onnx.helper.make_empty_tensor_value_info(name) for name in outputs],
        [onnx.numpy_helper.from_array(x, name) for name, x in constants.items()])
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=10)
    feeds = {name: x for name, x in given.items() if name not in constants}
    expected = ReferenceEvaluator(model).run(None, feeds)
    shapes = inferred_shapes(model, operands)
    actual = [list(y.shape) for y in expected]
    if shapes is not None and shapes != actual:
        raise ValueError(f"inferred {shapes}, evaluated {actual}")
    values = []
    for y in expected:
        as_float = np.asarray(y, dtype=np.float64)
        if not np.all(np.isfinite(as_float)):
            raise ValueError("not finite")
        if op_type in ("AveragePool", "GlobalAveragePool", "ReduceMean", "HardSwish"):
            as_float = np.round(as_float)  # a mean is computed with more roundings
        if not np.array_equal(as_float, np.round(as_float)):
            raise ValueError("not an integer")
        values.append([int(v) for v in as_float.reshape(-1)])
    since = onnx.defs.get_schema(op_type, opset, "").since_version
    return {
        "op_type": op_type,
        "since_version": since,
        "attributes": {k: attribute_json(v) for k, v in attributes.items()},
        "operands": [
            None if x is None else
            {"type": TYPE_NAMES[x.dtype], "shape": list(x.shape),
             "values": [int(v) for v in x.reshape(-1)]} for x in operands],
        "outputs": [{"shape": shape, "values": v} for shape, v in zip(actual, values)],
    }


def main():
    for op_type in MAKERS:
        made, failed = 0, []
        while made < ROWS_PER_OPERATOR and len(failed) < 200:
            opset = random.choice([v for v in OPSETS if op_type != "HardSwish" or v >= 14])
            try:
                one = row(op_type, opset)
            except Exception as error:  # of the reference evaluator
                failed.append(f"{type(error).__name__}: {error}")
                continue
            made += 1
            print(json.dumps(one, separators=(",", ":")))
        if failed:
            kinds = sorted({f.split(" at 0x")[0][:150] for f in failed})[:6]
            print(f"{op_type}: {made} rows, {len(failed)} left out: {kinds}",
                  file=sys.stderr)


if __name__ == "__main__":
    main()
