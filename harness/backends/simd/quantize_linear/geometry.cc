#include "harness/backends/simd/quantize_linear/geometry.h"

#include <algorithm>
#include <cstddef>
#include <string>

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

Result<Geometry> MakeGeometry(const QuantizeLinearArgs& args) {
  const auto x = args.x.shape;
  const auto scale = args.y_scale.shape;
  const int64_t elements = Product(x);
  Geometry g;
  g.scale_count = Product(scale);
  if (g.scale_count == 1) return Simplified(g, elements);

  const int64_t rank = static_cast<int64_t>(x.size());
  if (args.axis < -rank || args.axis >= rank) {
    return Error{"axis " + std::to_string(args.axis) +
                 " is out of range for x of shape " + ShapeToString(x)};
  }
  const size_t axis = static_cast<size_t>(args.axis < 0 ? args.axis + rank : args.axis);
  g.axis = x[axis];
  g.inner = Product(x.subspan(axis + 1));
  if (args.block_size == 0) {
    if (scale.size() != 1 || scale[0] != g.axis) {
      return Error{"y_scale of shape " + ShapeToString(scale) +
                   " is no vector along axis " + std::to_string(axis) + " of x " +
                   ShapeToString(x)};
    }
    g.block_stride = 1;
    return Simplified(g, elements);
  }

  bool fits = args.block_size > 0 && scale.size() == x.size();
  for (size_t i = 0; fits && i < x.size(); ++i) {
    fits = i == axis ? scale[i] > (x[i] - 1) / args.block_size : scale[i] == x[i];
  }
  if (!fits) {
    return Error{"y_scale of shape " + ShapeToString(scale) +
                 " does not hold blocks of " + std::to_string(args.block_size) +
                 " along axis " + std::to_string(axis) + " of x " + ShapeToString(x)};
  }
  g.block = std::min(args.block_size, g.axis);
  g.outer_stride = scale[axis] * g.inner;
  g.block_stride = g.inner;
  g.inner_stride = 1;
  return Simplified(g, elements);
}

}  // namespace qconform::simd
