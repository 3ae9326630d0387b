#include <algorithm>
#include <string>
#include <utility>

#include "oracle/convolution/geometry.h"
#include "oracle/core/validation.h"
#include "oracle/graphs/nodes/index_maps.h"
#include "oracle/graphs/nodes/nodes.h"

namespace qconform::graphs {
namespace {

// The geometry of a pool is that of a convolution in which each channel is a group.
Result<ConvolutionGeometry> PoolGeometry(const NodeReader& node) {
  const auto rounds_up = node.Flag("ceil_mode", false);
  if (!rounds_up) return rounds_up.error();
  if (*rounds_up) return node.Expected("ceil_mode", "0: others are not judged", "1");
  if (node.output_count() != 1) {
    return node.Expected("outputs", "1: Indices are not judged",
                         std::to_string(node.output_count()));
  }
  const std::span<const int64_t> x = node.operand("X").shape;
  const auto kernel = node.Integers("kernel_shape");
  if (!kernel) return kernel.error();
  if (!*kernel || x.size() != (*kernel)->size() + 2) {
    return node.Expected("kernel_shape", "a size for each axis of X behind the first two",
                         *kernel ? ShapeToString(**kernel) : "none");
  }
  std::vector<Attribute> of_convolution;
  for (const Attribute& attribute : node.attributes()) {
    const bool is_own = attribute.name == "ceil_mode" ||
                        attribute.name == "count_include_pad" ||
                        attribute.name == "storage_order";
    if (!is_own) of_convolution.push_back(attribute);
  }
  auto attributes = ReadConvolutionAttributes(of_convolution);
  const std::string op_type(node.op_type());
  if (!attributes) return Error{op_type + " " + attributes.error().message};
  attributes->group = x[1];
  Shape w{x[1], 1};
  w.insert(w.end(), (*kernel)->begin(), (*kernel)->end());
  Validation validation("", 0, false);
  auto geometry = ResolveConvolution(*attributes, x, w, {"", ""}, validation);
  if (!geometry || validation.validity().kind != ModelValidity::Kind::kValid) {
    return Error{op_type + ": " + validation.validity().reason};
  }
  return *std::move(geometry);
}

// The elements of X under each window; no padding.
Result<WiredOutput> Windows(const NodeReader& node, const ConvolutionGeometry& geometry) {
  const auto count = CheckedCount(node, geometry.y_shape);
  if (!count) return count.error();
  if (geometry.terms() > kMostSources / std::max<int64_t>(*count, 1)) {
    return node.Expected("windows", "at most 2^24 elements in all",
                         std::to_string(geometry.terms()) + " for each of " +
                             ShapeToString(geometry.y_shape));
  }
  WiredOutput output{
      .type = node.type(), .shape = geometry.y_shape, .sources = {}, .first = {0}};
  for (int64_t i = 0; i < *count; ++i) {
    for (const ConvolutionPair& pair : PairsOf(geometry, ElementOf(geometry, i))) {
      if (pair.x >= 0) output.sources.push_back({0, pair.x});
    }
    if (output.sources.size() == output.first.back()) {
      return node.Expected("pads", "windows that reach an element of X each",
                           "one that has only padding");
    }
    output.first.push_back(output.sources.size());
  }
  return output;
}

// Divides by the number of sources, or by `divisor`.
Wiring Mean(WiredOutput output, std::optional<int64_t> divisor) {
  for (size_t i = 0; i + 1 < output.first.size(); ++i) {
    const auto sources = static_cast<int64_t>(output.first[i + 1] - output.first[i]);
    output.divisors.push_back(divisor.value_or(sources));
  }
  return OneOutput(WiredKind::kMean, std::move(output));
}

}  // namespace

Result<Wiring> WireMaxPool(const NodeReader& node) {
  const auto geometry = PoolGeometry(node);
  if (!geometry) return geometry.error();
  auto output = Windows(node, *geometry);
  if (!output) return output.error();
  return OneOutput(WiredKind::kMaximum, *std::move(output));
}

Result<Wiring> WireAveragePool(const NodeReader& node) {
  const auto counts_pads = node.Flag("count_include_pad", false);
  if (!counts_pads) return counts_pads.error();
  const auto geometry = PoolGeometry(node);
  if (!geometry) return geometry.error();
  auto output = Windows(node, *geometry);
  if (!output) return output.error();
  return Mean(*std::move(output),
              *counts_pads ? std::optional(geometry->terms()) : std::nullopt);
}

Result<Wiring> WireGlobalAveragePool(const NodeReader& node) {
  const std::span<const int64_t> x = node.operand("X").shape;
  const auto count = CheckedCount(node, x);
  if (!count) return count.error();
  if (x.size() < 3 || *count == 0) {
    return node.Expected("X", "rank 3 or more and no empty dimension",
                         "shape " + ShapeToString(x));
  }
  const int64_t terms = *ElementCount(x.subspan(2));
  WiredOutput output{
      .type = node.type(), .shape = {x[0], x[1]}, .sources = {}, .first = {}};
  output.shape.resize(x.size(), 1);
  for (const int64_t index : Counting(*count)) output.sources.push_back({0, index});
  for (int64_t i = 0; i <= *count; i += terms) {
    output.first.push_back(static_cast<size_t>(i));
  }
  return Mean(std::move(output), terms);
}

}  // namespace qconform::graphs
