// Geometry: which scale belongs to which element of x.
//
// x is seen as [outer, axis, inner], row-major; the scale of element (o, a, i) is
//   o * outer_stride + (a / block) * block_stride + i * inner_stride       (1)
// with inner_stride 0 or 1. All granularities are cases of (1).
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_GEOMETRY_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_GEOMETRY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "oracle/base/result.h"

namespace qconform::simd {

struct Geometry {
  int64_t axis = 1;
  int64_t inner = 1;
  int64_t block = 1;
  int64_t outer_stride = 0;
  int64_t block_stride = 0;
  int64_t inner_stride = 0;
  int64_t scale_count = 1;  // elements of the scale
};

// How scales lie along x, as attributes and shapes say it.
struct ScaleShape {
  std::string_view name;             // of the operand, for messages
  std::span<const int64_t> shape{};  // of the scale
  // Used where the scale is not one element, in [-rank, rank - 1].
  int64_t axis = 1;
  // 0: the scale is one element or a vector along `axis`. Otherwise it has x's rank, and
  // ceil(size / block_size) or more elements along `axis`.
  int64_t block_size = 0;
};

// Returns the geometry in its plainest form: where two descriptions are the same, the one
// with the longer rows. An Error where the shapes contradict each other. Precondition: x
// has at least one element.
Result<Geometry> MakeGeometry(std::span<const int64_t> x, const ScaleShape& scale);

// Returns a number of elements at whose multiples x can be cut for threads: where rows or
// runs of one scale begin, if there are many of them. Packed elements of 2, 4 and 6 bits
// are whole bytes from there on.
int64_t GrainOf(const Geometry& geometry, int64_t elements);

// Whether a shape is [] or [1].
bool IsOneElement(std::span<const int64_t> shape);

// Reads what a node says of its scale: sets scale.axis and scale.block_size, given as the
// node has them, to what MakeGeometry takes. Returns the reason if shapes and attributes
// contradict each other. `has_blocks`: the node's definition knows blocked scales.
std::optional<std::string> ResolveScaleShape(std::span<const int64_t> x, bool has_blocks,
                                             ScaleShape& scale);

// Returns the reason if a zero point of this shape does not go with the scale's: it has
// the same shape; a scalar and [1] stand for each other; and one scalar stands for all of
// a vector.
std::optional<std::string> CheckZeroPointShape(std::string_view name,
                                               std::span<const int64_t> zero_point,
                                               const ScaleShape& scale);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_GEOMETRY_H_
