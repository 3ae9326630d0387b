// Row-major indices of elements that nodes move.
#ifndef QCONFORM_ORACLE_GRAPHS_NODES_INDEX_MAPS_H_
#define QCONFORM_ORACLE_GRAPHS_NODES_INDEX_MAPS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/graphs/nodes/definition.h"
#include "oracle/graphs/wiring.h"
#include "oracle/tensor/tensor.h"

namespace qconform::graphs {

// For each element of an output, row-major, the index of its source.
using IndexMap = std::vector<int64_t>;

// In place of an index: the element comes from outside of the tensor.
inline constexpr int64_t kOutside = -1;

// Tensors with more elements, and outputs with more sources, are not wired.
inline constexpr int64_t kMostSources = int64_t{1} << 24;

// Returns the count of a shape's elements. An Error if it, or a dimension, is above
// kMostSources.
Result<int64_t> CheckedCount(const NodeReader& node, std::span<const int64_t> shape);

Shape ShapeOf(const TensorView& tensor);

// Returns the shape with its axes in the order of `perm`.
Shape PermutedShape(std::span<const int64_t> shape, std::span<const size_t> perm);

// Axis i of the output is axis perm[i] of the source.
IndexMap Permuted(std::span<const int64_t> shape, std::span<const size_t> perm);

// Position c along axis i of the output has position along_axes[i][c] of the source, or
// is kOutside.
IndexMap AlongAxes(std::span<const int64_t> shape,
                   std::span<const std::vector<int64_t>> along_axes);

// Returns 0, 1, .., count - 1.
IndexMap Counting(int64_t count);

// Returns the shape that both broadcast to by numpy's rules, or nothing.
std::optional<Shape> Broadcast(std::span<const int64_t> a, std::span<const int64_t> b);

// Precondition: Broadcast(from, to) is `to`.
IndexMap BroadcastIndices(std::span<const int64_t> from, std::span<const int64_t> to);

// An output whose elements are each made of one element of the operand.
WiredOutput Moved(DataType type, Shape shape, int operand, const IndexMap& indices);

// A wiring of that one output.
Wiring OneOutput(WiredKind kind, WiredOutput output);

}  // namespace qconform::graphs

#endif  // QCONFORM_ORACLE_GRAPHS_NODES_INDEX_MAPS_H_
