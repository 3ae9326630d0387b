#!/usr/bin/env python3
"""Composes the graphs of stored cases with unbounded fractions, from ONNX's text alone.

compose_by_fractions.py CASE.json...: prints the outputs of each case as codes, one line
for each output, such as "case.json y 0x00 0xff". It shares no code with qconform and
knows only the nodes of the cases of docs/findings/graphs_onnxruntime.md. A value is a
Fraction, or "nan", "+inf", "-inf".
"""
import itertools
import json
import sys
from fractions import Fraction

INTEGERS = {
    "UINT8": (0, 255), "INT8": (-128, 127), "UINT16": (0, 65535), "INT16": (-32768, 32767),
    "UINT4": (0, 15), "INT4": (-8, 7), "UINT2": (0, 3), "INT2": (-2, 1),
    "INT32": (-2**31, 2**31 - 1), "INT64": (-2**63, 2**63 - 1)}
# Exponent bits, fraction bits, bias, and whether the format has infinities.
FLOATS = {
    "FLOAT": (8, 23, 127, True), "FLOAT16": (5, 10, 15, True), "BFLOAT16": (8, 7, 127, True),
    "FLOAT8E5M2": (5, 2, 15, True), "FLOAT8E4M3FN": (4, 3, 7, False),
    "FLOAT8E4M3FNUZ": (4, 3, 8, False), "FLOAT8E5M2FNUZ": (5, 2, 16, False)}


def decode(kind, code):
    if kind in INTEGERS:
        low, high = INTEGERS[kind]
        return Fraction(code if code <= high else code - (high - low + 1))
    exponents, fractions, bias, infinite = FLOATS[kind]
    sign = -1 if code >> (exponents + fractions) & 1 else 1
    exponent = code >> fractions & (1 << exponents) - 1
    fraction = code & (1 << fractions) - 1
    if kind.endswith("FNUZ") and sign == -1 and exponent == fraction == 0:
        return "nan"
    if infinite and exponent == (1 << exponents) - 1:
        return "nan" if fraction else ("+inf" if sign > 0 else "-inf")
    if kind == "FLOAT8E4M3FN" and exponent == 15 and fraction == 7:
        return "nan"
    if exponent == 0:
        return sign * Fraction(fraction) * Fraction(2) ** (1 - bias - fractions)
    return sign * Fraction((1 << fractions) + fraction) * Fraction(2) ** (
        exponent - bias - fractions)


def nearest(kind):
    """All finite values of a small format, or None."""
    return None if kind in ("FLOAT", "FLOAT16", "BFLOAT16") else sorted(
        {v for c in range(256) if not isinstance(v := decode(kind, c), str)})


def half_even(value):
    floor = value.numerator // value.denominator
    rest = value - floor
    if rest > Fraction(1, 2) or rest == Fraction(1, 2) and floor % 2:
        floor += 1
    return floor


def round_to(kind, value, saturate=False):
    """Rounds to a float format once, ties to even."""
    if isinstance(value, str):
        if value != "nan" and saturate:
            value = Fraction(10) ** 60 * (1 if value == "+inf" else -1)
        else:
            return value
    if value == 0:
        return value
    exponents, fractions, bias, infinite = FLOATS[kind]
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, 1 - bias) - fractions)
    rounded = half_even(size / unit) * unit
    greatest = max(nearest(kind)) if nearest(kind) else (
        (2 - Fraction(2) ** -fractions) * Fraction(2) ** ((1 << exponents) - 2 - bias))
    if rounded > greatest:
        if saturate:
            rounded = greatest
        else:
            return "+inf" if value > 0 else "-inf"
    return rounded if value > 0 else -rounded


def encode(kind, value):
    if kind in INTEGERS:
        low, high = INTEGERS[kind]
        return int(value) % (high - low + 1)
    exponents, fractions, bias, _ = FLOATS[kind]
    bits = 1 + exponents + fractions
    top = (1 << exponents) - 1 << fractions
    if value == "nan":
        return top | 1 << fractions - 1
    if isinstance(value, str):
        return top | (value == "-inf") << bits - 1
    size, sign = abs(value), (value < 0) << bits - 1
    if size == 0:
        return 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    units = size / Fraction(2) ** (exponent - fractions)
    assert units.denominator == 1, "the value is not one of the format"
    if units < 1 << fractions:
        return sign | int(units)
    return sign | (exponent + bias) << fractions | int(units) - (1 << fractions)


class Tensor:
    def __init__(self, kind, shape, values):
        self.kind, self.shape, self.values = kind, list(shape), list(values)
        assert len(self.values) == count(self.shape), "values and shape differ"

    def at(self, index):
        """The value at an index, broadcast as numpy does."""
        place = 0
        index = list(index)[len(index) - len(self.shape):]
        for size, i in zip(self.shape, index):
            place = place * size + (0 if size == 1 else i)
        return self.values[place]


def count(shape):
    product = 1
    for size in shape:
        product *= size
    return product


def indices(shape):
    return itertools.product(*(range(size) for size in shape))


def parameter(tensor, shape, index, attributes):
    """The scale or zero point of an element: per tensor, per axis or blocked."""
    if not tensor.shape or count(tensor.shape) == 1:
        return tensor.values[0]
    axis = attributes.get("axis", 1) % len(shape)
    block = attributes.get("block_size", 0)
    if block:
        return tensor.at([i // block if k == axis else i for k, i in enumerate(index)])
    return tensor.values[index[axis]]


def times(a, b):
    if "nan" in (a, b) or (isinstance(a, str) and b == 0) or (isinstance(b, str) and a == 0):
        return "nan"
    if isinstance(a, str) or isinstance(b, str):
        negative = (a == "-inf" or not isinstance(a, str) and a < 0) != (
            b == "-inf" or not isinstance(b, str) and b < 0)
        return "-inf" if negative else "+inf"
    return a * b


def plus(a, b):
    if "nan" in (a, b) or {a, b} == {"+inf", "-inf"}:
        return "nan"
    return a if isinstance(a, str) else b if isinstance(b, str) else a + b


def dequantize(x, scale, zero, attributes):
    values = []
    for index, value in zip(indices(x.shape), x.values):
        if zero is not None:
            value = plus(value, times(Fraction(-1), parameter(zero, x.shape, index, attributes)))
        values.append(round_to(scale.kind, times(
            value, parameter(scale, x.shape, index, attributes))))
    return Tensor(scale.kind, x.shape, values)


def quantize(x, scale, zero, attributes):
    kind = zero.kind if zero is not None else "UINT8"
    values = []
    for index, value in zip(indices(x.shape), x.values):
        divisor = parameter(scale, x.shape, index, attributes)
        quotient = round_to(x.kind, times(value, 1 / divisor))
        offset = parameter(zero, x.shape, index, attributes) if zero is not None else 0
        if kind in FLOATS:
            values.append(round_to(kind, quotient, attributes.get("saturate", 1) != 0))
            continue
        low, high = INTEGERS[kind]
        if isinstance(quotient, str):
            values.append(Fraction(high if quotient == "+inf" else low))
        else:
            values.append(Fraction(min(high, max(low, half_even(quotient) + offset))))
    return Tensor(kind, x.shape, values)


def broadcast(a, b):
    rank = max(len(a), len(b))
    a, b = [1] * (rank - len(a)) + a, [1] * (rank - len(b)) + b
    return [m if n == 1 else n for m, n in zip(a, b)]


def pairwise(a, b, operation):
    shape = broadcast(a.shape, b.shape)
    return Tensor(a.kind, shape, [round_to(a.kind, operation(a.at(i), b.at(i)))
                                  for i in indices(shape)])


def each(x, operation):
    return Tensor(x.kind, x.shape, [round_to(x.kind, operation(v)) for v in x.values])


def total(terms):
    result = Fraction(0)
    for term in terms:
        result = plus(result, term)
    return result


def matmul(a, b):
    rows, inner, columns = a.shape[-2], a.shape[-1], b.shape[-1]
    batch = broadcast(a.shape[:-2], b.shape[:-2])
    shape = batch + [rows, columns]
    values = [round_to(a.kind, total(
        times(a.at(i[:-1] + (k,)), b.at(i[:-2] + (k, i[-1]))) for k in range(inner)))
        for i in indices(shape)]
    return Tensor(a.kind, shape, values)


def gemm(a, b, c, attributes):
    alpha = Fraction(attributes.get("alpha", 1))
    beta = Fraction(attributes.get("beta", 1))
    trans_a, trans_b = attributes.get("transA", 0), attributes.get("transB", 0)
    rows = a.shape[1] if trans_a else a.shape[0]
    inner = a.shape[0] if trans_a else a.shape[1]
    columns = b.shape[0] if trans_b else b.shape[1]
    values = []
    for m, n in indices([rows, columns]):
        value = total(times(a.at((k, m) if trans_a else (m, k)),
                            b.at((n, k) if trans_b else (k, n))) for k in range(inner))
        value = times(alpha, value)
        if c is not None:
            value = plus(value, times(beta, c.at((m, n))))
        values.append(round_to(a.kind, value))
    return Tensor(a.kind, [rows, columns], values)


def conv(x, w, bias, attributes):
    rank = len(x.shape) - 2
    strides = attributes.get("strides", [1] * rank)
    dilations = attributes.get("dilations", [1] * rank)
    pads = attributes.get("pads", [0] * 2 * rank)
    group = attributes.get("group", 1)
    kernel = w.shape[2:]
    sizes = [(x.shape[2 + d] + pads[d] + pads[d + rank] - dilations[d] * (kernel[d] - 1) - 1)
             // strides[d] + 1 for d in range(rank)]
    shape = [x.shape[0], w.shape[0]] + sizes
    values = []
    for index in indices(shape):
        terms = []
        first = index[1] // (w.shape[0] // group) * w.shape[1]
        for channel in range(w.shape[1]):
            for offset in indices(kernel):
                place = [index[2 + d] * strides[d] + offset[d] * dilations[d] - pads[d]
                         for d in range(rank)]
                if all(0 <= p < x.shape[2 + d] for d, p in enumerate(place)):
                    terms.append(times(x.at([index[0], first + channel] + place),
                                       w.at([index[1], channel] + list(offset))))
        if bias is not None:
            terms.append(bias.values[index[1]])
        values.append(round_to(x.kind, total(terms)))
    return Tensor(x.kind, shape, values)


def average_pool(x, attributes, kernel):
    """AveragePool and GlobalAveragePool without padding."""
    assert not any(attributes.get("pads", [])) and "dilations" not in attributes
    rank = len(kernel)
    strides = attributes.get("strides", [1] * rank)
    shape = x.shape[:2] + [(x.shape[2 + d] - kernel[d]) // strides[d] + 1
                           for d in range(rank)]
    values = [round_to(x.kind, times(Fraction(1, count(kernel)), total(
        x.at(index[:2] + tuple(index[2 + d] * strides[d] + offset[d] for d in range(rank)))
        for offset in indices(kernel)))) for index in indices(shape)]
    return Tensor(x.kind, shape, values)


def extreme(x, attributes, sign):
    """ArgMax and ArgMin; the first of equal values, or the last."""
    axis = attributes.get("axis", 0) % len(x.shape)
    keep = attributes.get("keepdims", 1)
    shape = [1 if k == axis else s for k, s in enumerate(x.shape)]
    values = []
    for index in indices(shape):
        best = 0
        for i in range(1, x.shape[axis]):
            new, old = (sign * x.at([p if k == axis else j for k, j in enumerate(index)])
                        for p in (i, best))
            if new > old or new == old and attributes.get("select_last_index", 0):
                best = i
        values.append(Fraction(best))
    return Tensor("INT64", shape if keep else shape[:axis] + shape[axis + 1:], values)


def transpose(x, attributes):
    order = attributes.get("perm", list(range(len(x.shape)))[::-1])
    shape = [x.shape[k] for k in order]
    return Tensor(x.kind, shape, [
        x.at([index[order.index(k)] for k in range(len(order))]) for index in indices(shape)])


def reshape(x, shape):
    shape = [x.shape[i] if s == 0 else int(s) for i, s in enumerate(shape.values)]
    if -1 in shape:
        shape[shape.index(-1)] = len(x.values) // -count(shape)
    return Tensor(x.kind, shape, x.values)


def evaluate(node, operands, attributes):
    kind = node["op_type"]
    get = lambda i: operands[i] if i < len(operands) else None
    x = get(0)
    if kind == "DequantizeLinear":
        return dequantize(x, get(1), get(2), attributes)
    if kind == "QuantizeLinear":
        return quantize(x, get(1), get(2), attributes)
    if kind == "Relu":
        return each(x, lambda v: v if v == "+inf" else Fraction(0) if isinstance(v, str)
                    else max(v, Fraction(0)))
    if kind == "Clip":
        low, high = get(1), get(2)
        return each(x, lambda v: min(max(v, low.values[0] if low else v),
                                     high.values[0] if high else max(v, low.values[0])))
    if kind == "Add":
        return pairwise(x, get(1), plus)
    if kind == "Sub":
        return pairwise(x, get(1), lambda a, b: plus(a, times(Fraction(-1), b)))
    if kind == "Mul":
        return pairwise(x, get(1), times)
    if kind == "MatMul":
        return matmul(x, get(1))
    if kind == "Gemm":
        return gemm(x, get(1), get(2), attributes)
    if kind == "Conv":
        return conv(x, get(1), get(2), attributes)
    if kind == "AveragePool":
        return average_pool(x, attributes, attributes["kernel_shape"])
    if kind == "GlobalAveragePool":
        return average_pool(x, {}, x.shape[2:])
    if kind in ("ArgMax", "ArgMin"):
        return extreme(x, attributes, 1 if kind == "ArgMax" else -1)
    if kind == "Cast":
        return Tensor("INT32", x.shape, x.values)
    if kind == "Transpose":
        return transpose(x, attributes)
    if kind in ("Identity",):
        return x
    if kind == "Reshape":
        return reshape(x, get(1))
    if kind in ("Squeeze", "Unsqueeze", "Flatten"):
        return None  # the shape follows from the output
    raise SystemExit(f"compose_by_fractions: expected a node that it knows, got {kind}")


def compose(case):
    values = {operand["name"]: Tensor(
        operand["type"], operand["shape"],
        [decode(operand["type"], int(code, 16)) for code in operand["codes"]])
        for operand in case["operands"]}
    for node in case["nodes"]:
        operands = [values.get(name) if name else None for name in node["inputs"]]
        attributes = {name: decode("FLOAT", int(value["float"], 16))
                      if isinstance(value, dict) else value
                      for name, value in node.get("attributes", {}).items()}
        result = evaluate(node, operands, attributes)
        if result is None:
            result = Tensor(operands[0].kind, [len(operands[0].values)], operands[0].values)
        values[node["outputs"][0]] = result
    outputs = case["outputs"] if "outputs" in case else [case["output"]]
    names = [name for node in case["nodes"] for name in node["outputs"]
             if not any(name in other["inputs"] for other in case["nodes"])]
    return [(name, values[name]) for name, _ in zip(names, outputs)]


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        for name, tensor in compose(case):
            kind = tensor.kind
            bits = 64 if kind == "INT64" else (
                1 + sum(FLOATS[kind][:2]) if kind in FLOATS
                else (INTEGERS[kind][1] - INTEGERS[kind][0]).bit_length())
            digits = max(2, bits // 4) if bits >= 8 else 1
            codes = " ".join(f"0x{encode(kind, v):0{digits}x}" for v in tensor.values)
            print(path.rsplit("/", 1)[-1], name, codes)


if __name__ == "__main__":
    main()
