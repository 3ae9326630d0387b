#include <algorithm>
#include <string>
#include <utility>

#include "oracle/graphs/nodes/index_maps.h"
#include "oracle/graphs/nodes/nodes.h"

namespace qconform::graphs {
namespace {

// Each element is made of the elements of the data along `axes`, row-major.
Result<WiredOutput> Reduced(const NodeReader& node, const std::vector<size_t>& axes) {
  const std::span<const int64_t> shape = node.operand("data").shape;
  const auto keeps = node.Flag("keepdims", true);
  if (!keeps) return keeps.error();
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  WiredOutput output{.type = node.type(), .shape = {}, .sources = {}, .first = {}};
  std::vector<size_t> perm;
  int64_t terms = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool is_reduced = std::ranges::find(axes, i) != axes.end();
    if (is_reduced) {
      terms *= shape[i];
    } else {
      perm.push_back(i);
    }
    if (!is_reduced || *keeps) output.shape.push_back(is_reduced ? 1 : shape[i]);
  }
  if (terms == 0) {
    return node.Expected("data", "one element or more along the axes",
                         "shape " + ShapeToString(shape));
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    if (std::ranges::find(perm, i) == perm.end()) perm.push_back(i);
  }
  for (const int64_t index : Permuted(shape, perm)) output.sources.push_back({0, index});
  for (int64_t i = 0; i <= *count; i += terms) {
    output.first.push_back(static_cast<size_t>(i));
  }
  return output;
}

// Along the axes that an attribute or an input names.
Result<Wiring> Reduce(const NodeReader& node, WiredKind kind) {
  const size_t rank = node.operand("data").shape.size();
  const auto given = node.Find("axes") ? node.Amounts("axes") : node.Integers("axes");
  if (!given) return given.error();
  const auto does_nothing = node.Flag("noop_with_empty_axes", false);
  if (!does_nothing) return does_nothing.error();
  const bool is_empty = !*given || (*given)->empty();
  std::vector<int64_t> named;
  if (!is_empty) named = **given;
  if (is_empty && !*does_nothing) named = Counting(static_cast<int64_t>(rank));
  const auto axes = node.Axes("axes", named, rank);
  if (!axes) return axes.error();
  auto output = Reduced(node, *axes);
  if (!output) return output.error();
  if (kind == WiredKind::kMean) {
    for (size_t i = 0; i + 1 < output->first.size(); ++i) {
      output->divisors.push_back(
          static_cast<int64_t>(output->first[i + 1] - output->first[i]));
    }
  }
  return OneOutput(kind, *std::move(output));
}

Result<Wiring> Arg(const NodeReader& node, WiredKind kind) {
  const std::span<const int64_t> shape = node.operand("data").shape;
  const auto given = node.Integer("axis", 0);
  if (!given) return given.error();
  const auto axis = node.Axis("axis", *given, shape.size());
  if (!axis) return axis.error();
  const auto selects_last = node.Flag("select_last_index", false);
  if (!selects_last) return selects_last.error();
  auto output = Reduced(node, {*axis});
  if (!output) return output.error();
  output->type = DataType::kInt64;
  for (size_t i = 0; i < output->sources.size(); ++i) {
    output->positions.push_back(static_cast<int64_t>(i) % shape[*axis]);
  }
  Wiring wiring = OneOutput(kind, *std::move(output));
  wiring.select_last_index = *selects_last;
  return wiring;
}

}  // namespace

Result<Wiring> WireReduceMax(const NodeReader& node) {
  return Reduce(node, WiredKind::kMaximum);
}
Result<Wiring> WireReduceMin(const NodeReader& node) {
  return Reduce(node, WiredKind::kMinimum);
}
Result<Wiring> WireReduceMean(const NodeReader& node) {
  return Reduce(node, WiredKind::kMean);
}
Result<Wiring> WireArgMax(const NodeReader& node) {
  return Arg(node, WiredKind::kArgMax);
}
Result<Wiring> WireArgMin(const NodeReader& node) {
  return Arg(node, WiredKind::kArgMin);
}

}  // namespace qconform::graphs
