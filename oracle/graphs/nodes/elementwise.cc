#include <algorithm>
#include <string>
#include <utility>

#include "oracle/formats/number_format.h"
#include "oracle/graphs/nodes/index_maps.h"
#include "oracle/graphs/nodes/nodes.h"

namespace qconform::graphs {
namespace {

// A function of one operand.
Result<Wiring> Unary(const NodeReader& node, WiredKind kind) {
  const TensorView& x = node.operand(0);
  const auto count = CheckedCount(node, x.shape);
  if (!count) return count.error();
  return OneOutput(
      kind, Moved(node.type(), {x.shape.begin(), x.shape.end()}, 0, Counting(*count)));
}

// A function of elements of all operands, which are broadcast to `shape`.
Result<Wiring> Broadcasting(const NodeReader& node, WiredKind kind, Shape shape) {
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  const size_t operands = node.input_count();
  const auto elements = static_cast<size_t>(*count);
  if (*count > kMostSources / static_cast<int64_t>(operands)) {
    return node.Expected("output", "at most 2^24 sources", ShapeToString(shape));
  }
  WiredOutput output{
      .type = node.type(), .shape = std::move(shape), .sources = {}, .first = {}};
  output.sources.resize(elements * operands);
  for (size_t i = 0; i < operands; ++i) {
    const IndexMap indices = BroadcastIndices(node.operand(i).shape, output.shape);
    for (size_t e = 0; e < elements; ++e) {
      output.sources[e * operands + i] = {static_cast<int>(i), indices[e]};
    }
  }
  for (size_t e = 0; e <= elements; ++e) output.first.push_back(e * operands);
  return OneOutput(kind, std::move(output));
}

// The operands are broadcast with each other.
Result<Wiring> Broadcasting(const NodeReader& node, WiredKind kind) {
  Shape shape;
  for (size_t i = 0; i < node.input_count(); ++i) {
    const std::span<const int64_t> own = node.operand(i).shape;
    auto wider = Broadcast(shape, own);
    if (!wider) {
      return node.Expected("input " + std::to_string(i),
                           "a shape that can be broadcast with " + ShapeToString(shape),
                           ShapeToString(own));
    }
    shape = *std::move(wider);
  }
  return Broadcasting(node, kind, std::move(shape));
}

Result<std::optional<WiredElement>> Bound(const NodeReader& node, const char* name) {
  const std::optional<int> position = node.Find(name);
  if (!position) return std::optional<WiredElement>();
  const std::span<const int64_t> shape = node.operand(name).shape;
  if (!shape.empty()) {
    return node.Expected(name, "a scalar", "shape " + ShapeToString(shape));
  }
  return std::optional(WiredElement{*position, 0});
}

// FLOAT codes of attributes that are left out.
constexpr uint32_t kHalf = 0x3f000000;       // 0.5
constexpr uint32_t kFifth = 0x3e4ccccd;      // 0.2
constexpr uint32_t kHundredth = 0x3c23d70a;  // 0.01

}  // namespace

Result<Wiring> WireMax(const NodeReader& node) {
  return Broadcasting(node, WiredKind::kMaximum);
}
Result<Wiring> WireMin(const NodeReader& node) {
  return Broadcasting(node, WiredKind::kMinimum);
}
Result<Wiring> WireRelu(const NodeReader& node) { return Unary(node, WiredKind::kRelu); }

Result<Wiring> WireClip(const NodeReader& node) {
  const auto low = Bound(node, "min");
  if (!low) return low.error();
  const auto high = Bound(node, "max");
  if (!high) return high.error();
  auto wiring = Unary(node, WiredKind::kClip);
  if (!wiring) return wiring;
  wiring->low = *low;
  wiring->high = *high;
  return wiring;
}

Result<Wiring> WireAdd(const NodeReader& node) {
  return Broadcasting(node, WiredKind::kAdd);
}
Result<Wiring> WireSub(const NodeReader& node) {
  return Broadcasting(node, WiredKind::kSub);
}
Result<Wiring> WireMul(const NodeReader& node) {
  return Broadcasting(node, WiredKind::kMul);
}
Result<Wiring> WireDiv(const NodeReader& node) {
  return Broadcasting(node, WiredKind::kDiv);
}

Result<Wiring> WirePRelu(const NodeReader& node) {
  const TensorView& x = node.operand("X");
  const TensorView& slope = node.operand("slope");
  const auto shape = Broadcast(x.shape, slope.shape);
  if (!shape || !std::ranges::equal(*shape, x.shape)) {
    return node.Expected("slope", "a shape that broadcasts to " + ShapeToString(x.shape),
                         ShapeToString(slope.shape));
  }
  return Broadcasting(node, WiredKind::kPRelu, *shape);
}

Result<Wiring> WireLeakyRelu(const NodeReader& node) {
  const auto alpha = node.Float("alpha", kHundredth);
  if (!alpha) return alpha.error();
  auto wiring = Unary(node, WiredKind::kLeakyRelu);
  if (wiring) wiring->alpha = *alpha;
  return wiring;
}

Result<Wiring> WireHardSigmoid(const NodeReader& node) {
  const auto alpha = node.Float("alpha", kFifth);
  if (!alpha) return alpha.error();
  const auto beta = node.Float("beta", kHalf);
  if (!beta) return beta.error();
  auto wiring = Unary(node, WiredKind::kHardSigmoid);
  if (!wiring) return wiring;
  wiring->alpha = *alpha;
  wiring->beta = *beta;
  return wiring;
}

Result<Wiring> WireHardSwish(const NodeReader& node) {
  return Unary(node, WiredKind::kHardSwish);
}
Result<Wiring> WireNeg(const NodeReader& node) { return Unary(node, WiredKind::kNeg); }
Result<Wiring> WireAbs(const NodeReader& node) { return Unary(node, WiredKind::kAbs); }

Result<Wiring> WireCast(const NodeReader& node) {
  const auto number = node.Integer("to", 0);
  if (!number) return number.error();
  const std::optional<DataType> to = DataTypeFromNumber(*number);
  if (!to) {
    return node.Expected("to", "the number of a type that is judged",
                         std::to_string(*number));
  }
  if (!node.Takes(*to)) {
    return node.Expected("to", "a type of its definition", DataTypeName(*to));
  }
  const auto saturates = node.Flag("saturate", true);
  if (!saturates) return saturates.error();
  const bool is_float8 = IsFloat8(*to);
  if (*to == DataType::kFloat8E8M0 || (is_float8 && !*saturates)) {
    return node.Expected("to", "a type that is judged, with saturation",
                         DataTypeName(*to));
  }
  auto wiring = Unary(node, WiredKind::kCast);
  if (wiring) wiring->outputs[0].type = *to;
  return wiring;
}

}  // namespace qconform::graphs
