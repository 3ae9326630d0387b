#include "oracle/graphs/nodes/index_maps.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace qconform::graphs {
namespace {

// How far apart neighbours along each axis lie.
std::vector<int64_t> StridesOf(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

}  // namespace

Result<int64_t> CheckedCount(const NodeReader& node, std::span<const int64_t> shape) {
  const std::optional<int64_t> count = ElementCount(shape);
  const bool is_long =
      std::ranges::any_of(shape, [](int64_t size) { return size > kMostSources; });
  if (!count || *count > kMostSources || is_long) {
    return node.Expected("shape", "at most 2^24 elements", ShapeToString(shape));
  }
  return *count;
}

Shape ShapeOf(const TensorView& tensor) {
  return {tensor.shape.begin(), tensor.shape.end()};
}

Shape PermutedShape(std::span<const int64_t> shape, std::span<const size_t> perm) {
  Shape permuted;
  for (const size_t axis : perm) permuted.push_back(shape[axis]);
  return permuted;
}

IndexMap Permuted(std::span<const int64_t> shape, std::span<const size_t> perm) {
  const std::vector<int64_t> strides = StridesOf(shape);
  IndexMap indices{0};
  for (const size_t axis : perm) {
    IndexMap longer;
    longer.reserve(indices.size() * static_cast<size_t>(shape[axis]));
    for (const int64_t before : indices) {
      for (int64_t at = 0; at < shape[axis]; ++at) {
        longer.push_back(before + at * strides[axis]);
      }
    }
    indices = std::move(longer);
  }
  return indices;
}

IndexMap AlongAxes(std::span<const int64_t> shape,
                   std::span<const std::vector<int64_t>> along_axes) {
  const std::vector<int64_t> strides = StridesOf(shape);
  IndexMap indices{0};
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    IndexMap longer;
    longer.reserve(indices.size() * along_axes[axis].size());
    for (const int64_t before : indices) {
      for (const int64_t at : along_axes[axis]) {
        const bool is_outside = before == kOutside || at == kOutside;
        longer.push_back(is_outside ? kOutside : before + at * strides[axis]);
      }
    }
    indices = std::move(longer);
  }
  return indices;
}

IndexMap Counting(int64_t count) {
  IndexMap indices(static_cast<size_t>(count));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

std::optional<Shape> Broadcast(std::span<const int64_t> a, std::span<const int64_t> b) {
  if (a.size() < b.size()) std::swap(a, b);
  Shape shape(a.begin(), a.end());
  const size_t missing = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t& dimension = shape[missing + i];
    if (dimension == 1) dimension = b[i];
    if (b[i] != dimension && b[i] != 1) return std::nullopt;
  }
  return shape;
}

IndexMap BroadcastIndices(std::span<const int64_t> from, std::span<const int64_t> to) {
  Shape padded(to.size() - from.size(), 1);
  padded.insert(padded.end(), from.begin(), from.end());
  std::vector<std::vector<int64_t>> along_axes;
  for (size_t axis = 0; axis < to.size(); ++axis) {
    along_axes.push_back(padded[axis] == to[axis]
                             ? Counting(to[axis])
                             : std::vector<int64_t>(static_cast<size_t>(to[axis]), 0));
  }
  return AlongAxes(padded, along_axes);
}

WiredOutput Moved(DataType type, Shape shape, int operand, const IndexMap& indices) {
  WiredOutput output{.type = type, .shape = std::move(shape), .sources = {}, .first = {}};
  output.sources.reserve(indices.size());
  for (const int64_t index : indices) output.sources.push_back({operand, index});
  output.first.resize(indices.size() + 1);
  std::iota(output.first.begin(), output.first.end(), size_t{0});
  return output;
}

Wiring OneOutput(WiredKind kind, WiredOutput output) {
  Wiring wiring;
  wiring.kind = kind;
  wiring.outputs.push_back(std::move(output));
  return wiring;
}

}  // namespace qconform::graphs
