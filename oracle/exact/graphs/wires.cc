#include "oracle/exact/graphs/wires.h"

#include <map>
#include <string>
#include <utility>

#include "oracle/exact/convolution.h"
#include "oracle/exact/graphs/windows.h"
#include "oracle/exact/graphs/wire_indices.h"
#include "oracle/exact/matrix_product.h"

namespace qconform::exact {
namespace {

using namespace wiring;  // NOLINT: the words of this file and of wire_indices.h

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
  if (KindOf(node) == FloatNodeKind::kMover) return WiresOfMover(node, operands);
  const Dims& x = ShapeAt(operands, 0);
  if (name == "Relu" || name == "LeakyRelu" || name == "HardSigmoid" ||
      name == "HardSwish" || name == "Neg" || name == "Abs" || name == "Cast") {
    return {Reshaped(x)};
  }
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
