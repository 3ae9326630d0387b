#include "harness/backends/simd/core/geometry.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "oracle/tensor/tensor.h"

namespace qconform::simd {
namespace {

// Those with a 0 among them may be beyond int64_t before it comes.
int64_t Product(std::span<const int64_t> shape) {
  uint64_t product = 1;
  for (const int64_t size : shape) product *= static_cast<uint64_t>(size);
  return static_cast<int64_t>(product);
}

// Rows of vectors of scales where neighbours differ: then the kernels read the
// scales as they lie.
Geometry Simplified(Geometry g, int64_t elements) {
  if (g.scale_count == 1) {
    g = {.axis = 1, .inner = elements};
  } else if (g.block == 1 && g.block_stride == g.inner &&
             (g.inner == 1 || g.inner_stride == 1)) {
    // Neighbours along the axis and within it have neighbouring scales.
    g.inner *= g.axis;
    g.axis = 1;
    g.block_stride = 0;
    g.inner_stride = 1;
    if (g.outer_stride == g.inner) {  // every element has its own
      g.inner = elements;
      g.outer_stride = 0;
    }
  } else {
    if (g.inner == 1) g.inner_stride = 0;
    const bool is_block = g.inner_stride == 1 || g.inner == 1;
    if (is_block && g.axis % g.block == 0 &&
        g.outer_stride == g.axis / g.block * g.inner) {
      g.axis = elements / g.inner;  // an axis ends with a whole block: blocks go on
      g.outer_stride = 0;
    }
  }
  return g;
}

}  // namespace

Result<Geometry> MakeGeometry(std::span<const int64_t> x, const ScaleShape& of_scale) {
  const auto scale = of_scale.shape;
  const int64_t elements = Product(x);
  Geometry g;
  g.scale_count = Product(scale);
  if (g.scale_count == 1) return Simplified(g, elements);

  const int64_t rank = static_cast<int64_t>(x.size());
  if (of_scale.axis < -rank || of_scale.axis >= rank) {
    return Error{"axis " + std::to_string(of_scale.axis) +
                 " is out of range for x of shape " + ShapeToString(x)};
  }
  const auto axis =
      static_cast<size_t>(of_scale.axis < 0 ? of_scale.axis + rank : of_scale.axis);
  g.axis = x[axis];
  g.inner = Product(x.subspan(axis + 1));
  const auto name = [&] {
    return std::string(of_scale.name) + " of shape " + ShapeToString(scale);
  };
  if (of_scale.block_size == 0) {
    if (scale.size() != 1 || scale[0] != g.axis) {
      return Error{name() + " is no vector along axis " + std::to_string(axis) +
                   " of x " + ShapeToString(x)};
    }
    g.block_stride = 1;
    return Simplified(g, elements);
  }

  bool fits = of_scale.block_size > 0 && scale.size() == x.size();
  for (size_t i = 0; fits && i < x.size(); ++i) {
    fits = i == axis ? scale[i] > (x[i] - 1) / of_scale.block_size : scale[i] == x[i];
  }
  if (!fits) {
    return Error{name() + " does not hold blocks of " +
                 std::to_string(of_scale.block_size) + " along axis " +
                 std::to_string(axis) + " of x " + ShapeToString(x)};
  }
  g.block = std::min(of_scale.block_size, g.axis);
  g.outer_stride = scale[axis] * g.inner;
  g.block_stride = g.inner;
  g.inner_stride = 1;
  return Simplified(g, elements);
}

int64_t GrainOf(const Geometry& g, int64_t elements) {
  // So many rows, or runs of one scale, are cut between them. A part of a row of scales
  // costs more: what is made of its scales is made only for it.
  constexpr int64_t kManyRuns = 64;
  constexpr int64_t kManyRows = 8;
  // Elements of which whole lines are made, whatever their type.
  constexpr int64_t kLines = 512;
  const bool is_row = g.inner_stride != 0;
  const int64_t stretch = is_row ? g.inner : g.block * g.inner;
  const int64_t most = elements / (is_row ? kManyRows : kManyRuns);
  if (stretch > most) return kLines;
  int64_t count = (kLines + stretch - 1) / stretch;
  if (stretch % 4 != 0) count = (count + 3) / 4 * 4;  // codes of 6 and 2 bits
  return stretch * count > most ? kLines : stretch * count;
}

bool IsOneElement(std::span<const int64_t> shape) {
  return shape.empty() || (shape.size() == 1 && shape[0] == 1);
}

std::optional<std::string> ResolveScaleShape(std::span<const int64_t> x, bool has_blocks,
                                             ScaleShape& of_scale) {
  const auto scale = of_scale.shape;
  const auto rank = static_cast<int64_t>(x.size());
  const int64_t block_size = of_scale.block_size;
  of_scale.block_size = 0;
  const auto shapes = [&] {
    return std::string(of_scale.name) + " of shape " + ShapeToString(scale) +
           " with x of shape " + ShapeToString(x);
  };
  if (IsOneElement(scale)) return std::nullopt;  // per tensor, whatever the axis
  if (rank == 0) return shapes() + ": a scalar has no axis";
  // The text gives rank 1 no use for `axis`: there is one axis only.
  if (rank == 1) of_scale.axis = 0;
  if (of_scale.axis < -rank || of_scale.axis >= rank) {
    return shapes() + ": axis " + std::to_string(of_scale.axis) + " is out of range";
  }
  const auto axis =
      static_cast<size_t>(of_scale.axis < 0 ? of_scale.axis + rank : of_scale.axis);
  if (scale.size() == 1 && scale[0] == x[axis]) return std::nullopt;  // per axis
  if (scale.size() == 1 && rank > 1) {
    return shapes() + ": axis " + std::to_string(of_scale.axis) + " has " +
           std::to_string(x[axis]) + " elements";
  }
  if (!has_blocks || block_size <= 0) {
    return shapes() + " needs a block_size above 0, which is " +
           std::to_string(block_size);
  }
  if (scale.size() != x.size()) {
    return shapes() + ": blocked scales have the rank of x";
  }
  for (size_t i = 0; i < x.size(); ++i) {
    // ceil(x / block_size), without a sum that could overflow.
    const int64_t blocks = x[i] == 0 ? 0 : (x[i] - 1) / block_size + 1;
    if (i == axis ? scale[i] < blocks : scale[i] != x[i]) {
      return shapes() + ": dimension " + std::to_string(i) + " does not fit, with " +
             "block_size " + std::to_string(block_size) + " along axis " +
             std::to_string(of_scale.axis);
    }
  }
  of_scale.block_size = block_size;
  return std::nullopt;
}

std::optional<std::string> CheckZeroPointShape(std::string_view name,
                                               std::span<const int64_t> zero_point,
                                               const ScaleShape& scale) {
  if (std::ranges::equal(zero_point, scale.shape)) return std::nullopt;
  const bool one = IsOneElement(zero_point) && IsOneElement(scale.shape);
  const bool all = zero_point.empty() && scale.shape.size() == 1;
  if (one || all) return std::nullopt;
  return std::string(name) + " of shape " + ShapeToString(zero_point) + " differs from " +
         std::string(scale.name) + "'s " + ShapeToString(scale.shape);
}

}  // namespace qconform::simd
