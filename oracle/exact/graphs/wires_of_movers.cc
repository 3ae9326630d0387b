#include <algorithm>
#include <numeric>
#include <string>

#include "oracle/exact/graphs/wire_indices.h"

namespace qconform::exact::wiring {
namespace {

WiredOutput Transpose(const GraphNode& node, const Dims& x) {
  Dims perm = node.Integers("perm");
  if (!node.Has("perm")) {
    for (size_t d = x.size(); d-- > 0;) perm.push_back(static_cast<int64_t>(d));
  }
  Dims shape;
  for (int64_t d : perm) shape.push_back(x[static_cast<size_t>(d)]);
  return Moved(shape, x, [&](const Dims& at) {
    Dims from(x.size());
    for (size_t d = 0; d < perm.size(); ++d) from[static_cast<size_t>(perm[d])] = at[d];
    return from;
  });
}

WiredOutput Reshape(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  Dims shape = *IntegersOf(node, operands, 1, "shape");
  const bool keeps_zero = node.Integer("allowzero", 0) != 0;
  size_t known = 1;
  std::optional<size_t> open;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0 && !keeps_zero) shape[d] = x[d];
    if (shape[d] == -1) {
      open = d;
    } else {
      known *= static_cast<size_t>(shape[d]);
    }
  }
  if (open) shape[*open] = known == 0 ? 0 : static_cast<int64_t>(CountOf(x) / known);
  return Reshaped(shape);
}

WiredOutput Flatten(const GraphNode& node, const Dims& x) {
  int64_t axis = node.Integer("axis", 1);
  if (axis < 0) axis += static_cast<int64_t>(x.size());
  const Dims before(x.begin(), x.begin() + axis), after(x.begin() + axis, x.end());
  return Reshaped(
      {static_cast<int64_t>(CountOf(before)), static_cast<int64_t>(CountOf(after))});
}

WiredOutput Squeeze(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const std::optional<Dims> axes = IntegersOf(node, operands, 1, "axes");
  std::vector<bool> goes(x.size(), false);
  for (size_t d = 0; d < x.size(); ++d) goes[d] = !axes && x[d] == 1;
  if (axes) {
    for (int64_t axis : *axes) goes[AxisOf(axis, x.size())] = true;
  }
  Dims shape;
  for (size_t d = 0; d < x.size(); ++d) {
    if (!goes[d]) shape.push_back(x[d]);
  }
  return Reshaped(shape);
}

WiredOutput Unsqueeze(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const Dims axes = *IntegersOf(node, operands, 1, "axes");
  std::vector<bool> is_new(x.size() + axes.size(), false);
  for (int64_t axis : axes) is_new[AxisOf(axis, is_new.size())] = true;
  Dims shape;
  size_t next = 0;
  for (bool one : is_new) shape.push_back(one ? 1 : x[next++]);
  return Reshaped(shape);
}

WiredOutput Slice(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const Dims starts = *IntegersOf(node, operands, 1, "starts");
  const Dims ends = *IntegersOf(node, operands, 2, "ends");
  std::optional<Dims> axes = IntegersOf(node, operands, 3, "axes");
  const std::optional<Dims> steps = IntegersOf(node, operands, 4, "steps");
  if (!axes) {
    axes.emplace(starts.size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  Dims first(x.size(), 0), step(x.size(), 1), shape = x;
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t d = AxisOf((*axes)[i], x.size());
    const int64_t size = x[d], by = steps ? (*steps)[i] : 1;
    const auto within = [&](int64_t value, int64_t low, int64_t high) {
      // A start or end below 0 counts from the end. It may be as far from 0 as INT64 is.
      if (value < 0) value = value < -size ? -1 : value + size;
      return std::clamp(value, low, high);
    };
    const int64_t low = by > 0 ? 0 : -1, high = by > 0 ? size : size - 1;
    const int64_t start = within(starts[i], std::max<int64_t>(low, 0), high);
    const int64_t end = within(ends[i], low, high);
    first[d] = start;
    step[d] = by;
    // The number of start, start + by, ... before end.
    const int64_t distance = by > 0 ? end - start : start - end;
    const mpz_class stride = abs(mpz_class(static_cast<long>(by)));
    mpz_class count = 0;
    if (distance > 0) count = (mpz_class(static_cast<long>(distance)) - 1) / stride + 1;
    shape[d] = count.get_si();
  }
  return Moved(shape, x, [&](const Dims& at) {
    Dims from(x.size());
    for (size_t d = 0; d < x.size(); ++d) from[d] = first[d] + at[d] * step[d];
    return from;
  });
}

std::vector<WiredOutput> Split(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const size_t axis = AxisOf(node.Integer("axis", 0), x.size());
  std::optional<Dims> sizes = IntegersOf(node, operands, 1, "split");
  const auto outputs = static_cast<int64_t>(node.outputs.size());
  if (!sizes) {
    // Equal chunks, the last one smaller.
    const int64_t chunk = (x[axis] + outputs - 1) / outputs;
    sizes.emplace();
    for (int64_t i = 0, rest = x[axis]; i < outputs; ++i) {
      sizes->push_back(std::min(chunk, rest));
      rest -= sizes->back();
    }
  }
  std::vector<WiredOutput> all;
  int64_t offset = 0;
  for (int64_t size : *sizes) {
    Dims shape = x;
    shape[axis] = size;
    all.push_back(Moved(shape, x, [&](Dims at) {
      at[axis] += offset;
      return at;
    }));
    offset += size;
  }
  return all;
}

WiredOutput Concat(const GraphNode& node, const Optionals& operands) {
  const Dims& first = ShapeAt(operands, 0);
  const size_t axis = AxisOf(node.Integer("axis", 0), first.size());
  WiredOutput output;
  output.shape = first;
  output.shape[axis] = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    output.shape[axis] += ShapeAt(operands, i)[axis];
  }
  for (size_t i = 0; i < CountOf(output.shape); ++i) {
    Dims at = Unfolded(i, output.shape);
    size_t operand = 0;
    while (at[axis] >= ShapeAt(operands, operand)[axis]) {
      at[axis] -= ShapeAt(operands, operand)[axis];
      ++operand;
    }
    output.elements.push_back(From(operand, Folded(at, ShapeAt(operands, operand))));
  }
  return output;
}

WiredOutput Gather(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const Dims& where = ShapeAt(operands, 1);
  const Dims indices = IndicesOf(*operands[1]);
  const size_t axis = AxisOf(node.Integer("axis", 0), x.size());
  Dims shape(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), where.begin(), where.end());
  shape.insert(shape.end(), x.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.end());
  return Moved(shape, x, [&](const Dims& at) {
    const auto middle = at.begin() + static_cast<std::ptrdiff_t>(axis);
    const auto last = middle + static_cast<std::ptrdiff_t>(where.size());
    const int64_t index = indices[Folded(Dims(middle, last), where)];
    Dims from(at.begin(), middle);
    from.push_back(index < 0 ? index + x[axis] : index);
    from.insert(from.end(), last, at.end());
    return from;
  });
}

WiredOutput GatherElements(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const Dims indices = IndicesOf(*operands[1]);
  const Dims shape = ShapeAt(operands, 1);
  const size_t axis = AxisOf(node.Integer("axis", 0), x.size());
  return Moved(shape, x, [&](Dims at) {
    const int64_t index = indices[Folded(at, shape)];
    at[axis] = index < 0 ? index + x[axis] : index;
    return at;
  });
}

WiredOutput Expand(const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  return Moved(Broadcast(x, IndicesOf(*operands[1])), x,
               [&](const Dims& at) { return Narrowed(at, x); });
}

WiredOutput Tile(const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const Dims repeats = IndicesOf(*operands[1]);
  Dims shape = x;
  for (size_t d = 0; d < x.size(); ++d) shape[d] *= repeats[d];
  return Moved(shape, x, [&](Dims at) {
    for (size_t d = 0; d < x.size(); ++d) at[d] %= x[d];
    return at;
  });
}

WiredOutput DepthToSpace(const GraphNode& node, const Dims& x) {
  const int64_t block = node.Integer("blocksize", 1);
  const bool columns_first = node.Text("mode", "DCR") == "CRD";
  const int64_t channels = x[1] / (block * block);
  return Moved({x[0], channels, x[2] * block, x[3] * block}, x, [&](const Dims& at) {
    const int64_t inside = at[2] % block * block + at[3] % block;
    const int64_t channel =
        columns_first ? at[1] * block * block + inside : inside * channels + at[1];
    return Dims{at[0], channel, at[2] / block, at[3] / block};
  });
}

WiredOutput SpaceToDepth(const GraphNode& node, const Dims& x) {
  const int64_t block = node.Integer("blocksize", 1);
  return Moved({x[0], x[1] * block * block, x[2] / block, x[3] / block}, x,
               [&](const Dims& at) {
                 const int64_t inside = at[1] / x[1];
                 return Dims{at[0], at[1] % x[1], at[2] * block + inside / block,
                             at[3] * block + inside % block};
               });
}

// Where an index outside of [0, size) comes from.
int64_t PadSource(const std::string& mode, int64_t at, int64_t size) {
  if (mode == "edge") return std::clamp<int64_t>(at, 0, size - 1);
  if (mode == "wrap") return (at % size + size) % size;
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1);
  const int64_t inside = (at % period + period) % period;
  return inside < size ? inside : period - inside;
}

WiredOutput Pad(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const Dims pads = *IntegersOf(node, operands, 1, "pads");
  std::optional<Dims> axes = IntegersOf(node, operands, 3, "axes");
  if (!axes) {
    axes.emplace(x.size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  const std::string mode = node.Text("mode", "constant");
  Dims begin(x.size(), 0), shape = x;
  for (size_t i = 0; i < axes->size(); ++i) {
    const size_t d = AxisOf((*axes)[i], x.size());
    begin[d] = pads[i];
    shape[d] += pads[i] + pads[axes->size() + i];
  }
  WiredOutput output;
  for (size_t i = 0; i < CountOf(shape); ++i) {
    Dims at = Unfolded(i, shape);
    bool is_outside = false;
    for (size_t d = 0; d < x.size(); ++d) {
      at[d] -= begin[d];
      if (at[d] >= 0 && at[d] < x[d]) continue;
      is_outside = true;
      if (mode != "constant") at[d] = PadSource(mode, at[d], x[d]);
    }
    if (is_outside && mode == "constant") {
      output.elements.push_back(
          Has(operands, 2) ? From(2, 0) : Wire{.places = {Place{std::nullopt, 0}}});
    } else {
      output.elements.push_back(From(0, Folded(at, x)));
    }
  }
  output.shape = shape;
  return output;
}

}  // namespace

std::vector<WiredOutput> WiresOfMover(const GraphNode& node, const Optionals& operands) {
  const std::string& name = node.op_type;
  const Dims& x = ShapeAt(operands, 0);
  if (name == "Transpose") return {Transpose(node, x)};
  if (name == "Reshape") return {Reshape(node, operands)};
  if (name == "Flatten") return {Flatten(node, x)};
  if (name == "Squeeze") return {Squeeze(node, operands)};
  if (name == "Unsqueeze") return {Unsqueeze(node, operands)};
  if (name == "Slice") return {Slice(node, operands)};
  if (name == "Split") return Split(node, operands);
  if (name == "Concat") return {Concat(node, operands)};
  if (name == "Gather") return {Gather(node, operands)};
  if (name == "GatherElements") return {GatherElements(node, operands)};
  if (name == "Expand") return {Expand(operands)};
  if (name == "Tile") return {Tile(operands)};
  if (name == "DepthToSpace") return {DepthToSpace(node, x)};
  if (name == "SpaceToDepth") return {SpaceToDepth(node, x)};
  if (name == "Pad") return {Pad(node, operands)};
  return {Reshaped(x)};  // Identity
}

}  // namespace qconform::exact::wiring
