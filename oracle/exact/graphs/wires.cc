#include "oracle/exact/graphs/wires.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <numeric>

#include "oracle/exact/convolution.h"
#include "oracle/exact/graphs/windows.h"
#include "oracle/exact/matrix_product.h"

namespace qconform::exact {
namespace {

using Dims = std::vector<int64_t>;
using Optionals = std::vector<std::optional<Codes>>;

// The index of a place as one number for each dimension.
Dims Unfolded(size_t index, const Dims& shape) {
  Dims at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = static_cast<int64_t>(index % static_cast<size_t>(shape[d]));
    index /= static_cast<size_t>(shape[d]);
  }
  return at;
}

size_t Folded(const Dims& at, const Dims& shape) {
  size_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    index = index * static_cast<size_t>(shape[d]) + static_cast<size_t>(at[d]);
  }
  return index;
}

size_t AxisOf(int64_t axis, size_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

const Dims& ShapeAt(const Optionals& operands, size_t i) { return operands.at(i)->shape; }

bool Has(const Optionals& operands, size_t i) {
  return i < operands.size() && operands[i].has_value();
}

// The integers of an operand, or of the attribute that older definitions have.
std::optional<Dims> IntegersOf(const GraphNode& node, const Optionals& operands,
                               size_t operand, const std::string& attribute) {
  if (Has(operands, operand)) return IndicesOf(*operands[operand]);
  if (node.Has(attribute)) return node.Integers(attribute);
  return std::nullopt;
}

Wire From(size_t operand, size_t index) { return {.places = {Place{operand, index}}}; }

// One wire for each element of `shape`; `source` has the index in operand 0 of the
// element at these indices.
WiredOutput Moved(Dims shape, const Dims& from,
                  const std::function<Dims(const Dims&)>& source) {
  WiredOutput output;
  for (size_t i = 0; i < CountOf(shape); ++i) {
    output.elements.push_back(From(0, Folded(source(Unfolded(i, shape)), from)));
  }
  output.shape = std::move(shape);
  return output;
}

// The same elements in the same order.
WiredOutput Reshaped(Dims shape) {
  WiredOutput output;
  for (size_t i = 0; i < CountOf(shape); ++i) output.elements.push_back(From(0, i));
  output.shape = std::move(shape);
  return output;
}

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

// The shape that both broadcast to.
Dims Broadcast(const Dims& one, const Dims& other) {
  Dims shape(std::max(one.size(), other.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto size = [&](const Dims& dims) {
      return i < dims.size() ? dims[dims.size() - 1 - i] : 1;
    };
    shape[shape.size() - 1 - i] = size(one) == 1 ? size(other) : size(one);
  }
  return shape;
}

// The indices in a tensor of shape `from` that is broadcast.
Dims Narrowed(const Dims& at, const Dims& from) {
  Dims narrowed(at.end() - static_cast<std::ptrdiff_t>(from.size()), at.end());
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == 1) narrowed[d] = 0;
  }
  return narrowed;
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

// One operand or several, element by element.
WiredOutput Elementwise(const Optionals& operands) {
  WiredOutput output;
  for (const auto& operand : operands) {
    output.shape = Broadcast(output.shape, operand->shape);
  }
  for (size_t i = 0; i < CountOf(output.shape); ++i) {
    const Dims at = Unfolded(i, output.shape);
    Wire wire;
    for (size_t k = 0; k < operands.size(); ++k) {
      const Dims& shape = ShapeAt(operands, k);
      wire.places.push_back({k, Folded(Narrowed(at, shape), shape)});
    }
    output.elements.push_back(std::move(wire));
  }
  return output;
}

// x and the bounds that are operands.
WiredOutput Clip(const Optionals& operands) {
  WiredOutput output = Reshaped(ShapeAt(operands, 0));
  return output;
}

// Reductions: the elements that go into one, in the order of their indices.
WiredOutput Reduced(const Dims& x, const std::vector<bool>& goes, bool keeps) {
  Dims outer = x, inner = x;
  for (size_t d = 0; d < x.size(); ++d) (goes[d] ? outer : inner)[d] = 1;
  WiredOutput output;
  for (size_t d = 0; d < x.size(); ++d) {
    if (!goes[d] || keeps) output.shape.push_back(outer[d]);
  }
  for (size_t i = 0; i < CountOf(outer); ++i) {
    const Dims base = Unfolded(i, outer);
    Wire wire;
    for (size_t k = 0; k < CountOf(inner); ++k) {
      Dims at = Unfolded(k, inner);
      for (size_t d = 0; d < x.size(); ++d) at[d] += base[d];
      wire.places.push_back({0, Folded(at, x)});
    }
    wire.terms = wire.divisor = static_cast<int64_t>(wire.places.size());
    output.elements.push_back(std::move(wire));
  }
  return output;
}

WiredOutput Reduce(const GraphNode& node, const Optionals& operands) {
  const Dims& x = ShapeAt(operands, 0);
  const std::optional<Dims> axes = IntegersOf(node, operands, 1, "axes");
  const bool keeps = node.Integer("keepdims", 1) != 0;
  const bool is_empty = !axes || axes->empty();
  if (is_empty && node.Integer("noop_with_empty_axes", 0) != 0) {
    return Reduced(x, std::vector<bool>(x.size(), false), true);
  }
  std::vector<bool> goes(x.size(), is_empty);
  if (axes) {
    for (int64_t axis : *axes) goes[AxisOf(axis, x.size())] = true;
  }
  return Reduced(x, goes, keeps);
}

WiredOutput ReduceIndex(const GraphNode& node, const Dims& x) {
  std::vector<bool> goes(x.size(), false);
  goes[AxisOf(node.Integer("axis", 0), x.size())] = true;
  return Reduced(x, goes, node.Integer("keepdims", 1) != 0);
}

WiredOutput GlobalPool(const Dims& x) {
  std::vector<bool> goes(x.size(), true);
  goes[0] = goes[1] = false;
  return Reduced(x, goes, true);
}

WiredOutput Pool(const GraphNode& node, const Dims& x) {
  const bool counts_padding = node.Integer("count_include_pad", 0) != 0;
  const Windows windows = WindowsOf(node, Dims(x.begin() + 2, x.end()));
  WiredOutput output;
  output.shape = {x[0], x[1]};
  output.shape.insert(output.shape.end(), windows.shape.begin(), windows.shape.end());
  for (int64_t image = 0; image < x[0] * x[1]; ++image) {
    const size_t base =
        static_cast<size_t>(image) * CountOf(Dims(x.begin() + 2, x.end()));
    for (const Window& window : windows.elements) {
      Wire wire;
      for (size_t position : window.inside) wire.places.push_back({0, base + position});
      wire.divisor =
          counts_padding ? window.padded : static_cast<int64_t>(window.inside.size());
      wire.terms = static_cast<int64_t>(window.inside.size());
      output.elements.push_back(std::move(wire));
    }
  }
  return output;
}

WiredOutput MatMul(const Optionals& operands) {
  const MatrixProduct product(ShapeAt(operands, 0), ShapeAt(operands, 1));
  WiredOutput output;
  output.shape = product.shape();
  product.ForEach([&](const ProductElement& at) {
    Wire wire;
    wire.terms = product.terms();
    for (int64_t k = 0; k < product.terms(); ++k) {
      wire.places.push_back({0, at.PlaceInA(k)});
      wire.factors.push_back({1, at.PlaceInB(k)});
    }
    output.elements.push_back(std::move(wire));
  });
  return output;
}

WiredOutput Gemm(const GraphNode& node, const Optionals& operands) {
  const Dims& a = ShapeAt(operands, 0);
  const Dims& b = ShapeAt(operands, 1);
  const bool a_turned = node.Integer("transA", 0) != 0;
  const bool b_turned = node.Integer("transB", 0) != 0;
  const int64_t m = a[a_turned ? 1 : 0], k = a[a_turned ? 0 : 1], n = b[b_turned ? 0 : 1];
  WiredOutput output;
  output.shape = {m, n};
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; ++column) {
      Wire wire;
      wire.terms = k;
      for (int64_t i = 0; i < k; ++i) {
        wire.places.push_back({0, Folded(a_turned ? Dims{i, row} : Dims{row, i}, a)});
        wire.factors.push_back(
            {1, Folded(b_turned ? Dims{column, i} : Dims{i, column}, b)});
      }
      if (Has(operands, 2)) {
        const Dims& c = ShapeAt(operands, 2);
        wire.bias = Place{2, Folded(Narrowed({row, column}, c), c)};
      }
      output.elements.push_back(std::move(wire));
    }
  }
  return output;
}

WiredOutput Conv(const GraphNode& node, const Optionals& operands) {
  const Convolution convolution =
      Convolve(ShapeAt(operands, 0), ShapeAt(operands, 1), ConvolutionAttributesOf(node));
  WiredOutput output;
  output.shape = convolution.shape;
  for (const ConvolutionElement& element : convolution.elements) {
    Wire wire;
    wire.terms = convolution.products;
    for (const ConvolutionTerm& term : element.terms) {
      wire.places.push_back({0, term.x});
      wire.factors.push_back({1, term.w});
    }
    // The weights of this channel that no term has.
    const auto weights = static_cast<size_t>(convolution.products);
    std::vector<bool> is_padded(weights, true);
    for (const ConvolutionTerm& term : element.terms) is_padded[term.w % weights] = false;
    for (size_t i = 0; i < weights; ++i) {
      if (is_padded[i]) wire.padded.push_back({1, element.channel * weights + i});
    }
    if (Has(operands, 2)) wire.bias = Place{2, element.channel};
    output.elements.push_back(std::move(wire));
  }
  return output;
}

}  // namespace

std::optional<FloatNodeKind> KindOf(const GraphNode& node) {
  static const std::map<std::string, FloatNodeKind> kinds = [] {
    std::map<std::string, FloatNodeKind> all;
    for (const char* name :
         {"Identity", "Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Slice",
          "Split", "Concat", "Gather", "GatherElements", "Expand", "Tile", "DepthToSpace",
          "SpaceToDepth", "Pad"}) {
      all[name] = FloatNodeKind::kMover;
    }
    for (const char* name :
         {"MaxPool", "ReduceMax", "ReduceMin", "Max", "Min", "Relu", "Clip"}) {
      all[name] = FloatNodeKind::kChooser;
    }
    for (const char* name : {"ArgMax", "ArgMin"})
      all[name] = FloatNodeKind::kIndexChooser;
    for (const char* name : {"Add", "Sub", "Mul", "Div", "LeakyRelu", "PRelu",
                             "HardSigmoid", "HardSwish", "Neg", "Abs"}) {
      all[name] = FloatNodeKind::kArithmetic;
    }
    all["Cast"] = FloatNodeKind::kCast;
    for (const char* name :
         {"MatMul", "Gemm", "Conv", "AveragePool", "GlobalAveragePool", "ReduceMean"}) {
      all[name] = FloatNodeKind::kSum;
    }
    return all;
  }();
  const auto found = kinds.find(node.op_type);
  if (found == kinds.end()) return std::nullopt;
  return found->second;
}

std::vector<WiredOutput> WiresOf(const GraphNode& node, const Optionals& operands) {
  const std::string& name = node.op_type;
  const Dims& x = ShapeAt(operands, 0);
  if (name == "Identity" || name == "Relu" || name == "LeakyRelu" ||
      name == "HardSigmoid" || name == "HardSwish" || name == "Neg" || name == "Abs" ||
      name == "Cast") {
    return {Reshaped(x)};
  }
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
  if (name == "Clip") return {Clip(operands)};
  if (name == "MaxPool" || name == "AveragePool") return {Pool(node, x)};
  if (name == "GlobalAveragePool") return {GlobalPool(x)};
  if (name == "ReduceMax" || name == "ReduceMin" || name == "ReduceMean") {
    return {Reduce(node, operands)};
  }
  if (name == "ArgMax" || name == "ArgMin") return {ReduceIndex(node, x)};
  if (name == "MatMul") return {MatMul(operands)};
  if (name == "Gemm") return {Gemm(node, operands)};
  if (name == "Conv") return {Conv(node, operands)};
  // Max, Min, Add, Sub, Mul, Div, PRelu.
  return {Elementwise(operands)};
}

}  // namespace qconform::exact
