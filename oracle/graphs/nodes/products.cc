#include <algorithm>
#include <string>
#include <utility>

#include "oracle/convolution/geometry.h"
#include "oracle/core/validation.h"
#include "oracle/graphs/nodes/index_maps.h"
#include "oracle/graphs/nodes/nodes.h"
#include "oracle/matmul/layout.h"

namespace qconform::graphs {
namespace {

// Positions of the factors: the inputs of every definition here begin with them.
constexpr int kLeft = 0;
constexpr int kRight = 1;

// An output of `terms` products each, without them.
Result<WiredOutput> Sums(const NodeReader& node, Shape shape, int64_t terms) {
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  if (*count > 0 && terms > kMostSources / 2 / *count) {
    return node.Expected("output", "at most 2^23 products",
                         ShapeToString(shape) + " of " + std::to_string(terms) + " each");
  }
  WiredOutput output{
      .type = node.type(), .shape = std::move(shape), .sources = {}, .first = {}};
  output.sources.reserve(static_cast<size_t>(2 * *count * terms));
  for (int64_t i = 0; i <= *count; ++i) {
    output.first.push_back(static_cast<size_t>(2 * i * terms));
  }
  return output;
}

int64_t CountOf(const WiredOutput& output) {
  return static_cast<int64_t>(output.first.size()) - 1;
}

}  // namespace

Result<Wiring> WireMatMul(const NodeReader& node) {
  Validation validation("", 0, false);
  const auto layout = ResolveMatMul("A", node.operand("A").shape, "B",
                                    node.operand("B").shape, validation);
  if (!layout) return Error{"MatMul: " + validation.validity().reason};
  auto output = Sums(node, layout->y_shape, layout->terms());
  if (!output) return output.error();
  for (int64_t i = 0; i < CountOf(*output); ++i) {
    const MatMulElement element(*layout, i);
    for (int64_t k = 0; k < layout->terms(); ++k) {
      output->sources.push_back({kLeft, element.AIndex(k)});
      output->sources.push_back({kRight, element.BIndex(k)});
    }
  }
  return OneOutput(WiredKind::kSum, *std::move(output));
}

Result<Wiring> WireGemm(const NodeReader& node) {
  const std::span<const int64_t> a = node.operand("A").shape;
  const std::span<const int64_t> b = node.operand("B").shape;
  const auto transposes_a = node.Flag("transA", false);
  if (!transposes_a) return transposes_a.error();
  const auto transposes_b = node.Flag("transB", false);
  if (!transposes_b) return transposes_b.error();
  constexpr uint32_t kOne = 0x3f800000;
  const auto alpha = node.Float("alpha", kOne);
  if (!alpha) return alpha.error();
  const auto beta = node.Float("beta", kOne);
  if (!beta) return beta.error();
  if (a.size() != 2 || b.size() != 2) {
    return node.Expected(a.size() != 2 ? "A" : "B", "rank 2",
                         "shape " + ShapeToString(a.size() != 2 ? a : b));
  }
  const int64_t rows = a[*transposes_a ? 1 : 0];
  const int64_t terms = a[*transposes_a ? 0 : 1];
  const int64_t columns = b[*transposes_b ? 0 : 1];
  if (b[*transposes_b ? 1 : 0] != terms) {
    return node.Expected("B", std::to_string(terms) + " rows, as A has columns",
                         "shape " + ShapeToString(b));
  }
  auto output = Sums(node, {rows, columns}, terms);
  if (!output) return output.error();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      for (int64_t k = 0; k < terms; ++k) {
        output->sources.push_back(
            {kLeft, *transposes_a ? k * rows + row : row * terms + k});
        output->sources.push_back(
            {kRight, *transposes_b ? column * terms + k : k * columns + column});
      }
    }
  }
  if (const std::optional<int> c = node.Find("C")) {
    const std::span<const int64_t> own = node.operand("C").shape;
    const auto shape = Broadcast(own, output->shape);
    if (shape != output->shape) {
      return node.Expected("C",
                           "a shape that broadcasts to " + ShapeToString(output->shape),
                           ShapeToString(own));
    }
    for (const int64_t index : BroadcastIndices(own, output->shape)) {
      output->bias.push_back({*c, index});
    }
  }
  Wiring wiring = OneOutput(WiredKind::kSum, *std::move(output));
  wiring.alpha = *alpha;
  wiring.beta = *beta;
  return wiring;
}

Result<Wiring> WireConv(const NodeReader& node) {
  const auto attributes = ReadConvolutionAttributes(node.attributes());
  if (!attributes) return Error{"Conv " + attributes.error().message};
  Validation validation("", 0, false);
  const auto geometry = ResolveConvolution(*attributes, node.operand("X").shape,
                                           node.operand("W").shape, {"", ""}, validation);
  if (!geometry || validation.validity().kind != ModelValidity::Kind::kValid) {
    return Error{"Conv: " + validation.validity().reason};
  }
  auto output = Sums(node, geometry->y_shape, geometry->terms());
  if (!output) return output.error();
  const std::optional<int> bias = node.Find("B");
  if (bias) {
    const std::span<const int64_t> own = node.operand("B").shape;
    if (own.size() != 1 || own[0] != geometry->output_channels) {
      return node.Expected("B",
                           "shape [" + std::to_string(geometry->output_channels) + "]",
                           ShapeToString(own));
    }
  }
  for (int64_t i = 0; i < CountOf(*output); ++i) {
    const ConvolutionElement element = ElementOf(*geometry, i);
    for (const ConvolutionPair& pair : PairsOf(*geometry, element)) {
      output->sources.push_back(pair.x < 0 ? WiredElement{}
                                           : WiredElement{kLeft, pair.x});
      output->sources.push_back({kRight, pair.w});
    }
    if (bias) output->bias.push_back({*bias, element.output_channel});
  }
  return OneOutput(WiredKind::kSum, *std::move(output));
}

}  // namespace qconform::graphs
