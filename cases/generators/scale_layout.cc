#include "cases/generators/scale_layout.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <utility>

namespace qconform::generators {
namespace {

int64_t Product(Shape::const_iterator first, Shape::const_iterator last) {
  return std::accumulate(first, last, int64_t{1}, std::multiplies<>());
}

// Returns a layout whose scales lie along `axis`; the caller fills in the rest.
ScaleLayout AlongAxis(Shape x_shape, int64_t axis, AxisForm form) {
  const auto rank = static_cast<int64_t>(x_shape.size());
  assert(0 <= axis && axis < rank);
  assert(form != AxisForm::kDefault || axis == 1);
  ScaleLayout layout;
  layout.x_shape = std::move(x_shape);
  const Shape& shape = layout.x_shape;
  layout.element_count = Product(shape.begin(), shape.end());
  layout.extent = shape[static_cast<size_t>(axis)];
  layout.inner = Product(shape.begin() + axis + 1, shape.end());
  if (form == AxisForm::kPositive) layout.axis = axis;
  if (form == AxisForm::kNegative) layout.axis = axis - rank;
  return layout;
}

// Returns the odd number next to `value` from below, at least `least`.
int64_t OddBelow(int64_t value, int64_t least) {
  return std::max(least | 1, value - 1 + (value & 1));
}

struct AxisChoice {
  Shape shape;
  int64_t axis;
  AxisForm form;
};

// `extent` lies at the axis, the rest of about `elements` around it.
AxisChoice ChooseAxis(int kind, int64_t extent, int64_t elements, CounterRng& rng) {
  const int64_t few = rng.OneIn(2) ? 3 : 5;
  const int64_t rest = OddBelow(elements / extent, 3);
  const int64_t part = OddBelow(elements / (extent * few), 1);
  switch (kind % 6) {
    case 0:
      return {{rest, extent}, 1, AxisForm::kDefault};
    case 1:
      return {{extent, rest}, 0, AxisForm::kPositive};
    case 2:
      return {{few, extent, part}, 1, AxisForm::kNegative};
    case 3:
      return {{few, part, extent}, 2, AxisForm::kNegative};
    case 4:
      return {{extent, few, part}, 0, AxisForm::kNegative};
    default:
      return {{few, extent, 3, OddBelow(part / 3, 1)}, 1, AxisForm::kDefault};
  }
}

}  // namespace

ScaleLayout PerTensorLayout(Shape x_shape) {
  ScaleLayout layout;
  layout.x_shape = std::move(x_shape);
  layout.element_count = Product(layout.x_shape.begin(), layout.x_shape.end());
  return layout;
}

ScaleLayout PerAxisLayout(Shape x_shape, int64_t axis, AxisForm form) {
  ScaleLayout layout = AlongAxis(std::move(x_shape), axis, form);
  layout.blocks = layout.extent;
  layout.channel_count = layout.extent;
  layout.scale_shape = {layout.extent};
  return layout;
}

ScaleLayout BlockedLayout(Shape x_shape, int64_t axis, AxisForm form,
                          int64_t block_size) {
  assert(block_size > 0);
  ScaleLayout layout = AlongAxis(std::move(x_shape), axis, form);
  layout.block_size = block_size;
  layout.block = block_size;
  layout.blocks = (layout.extent + block_size - 1) / block_size;
  layout.per_outer = true;
  layout.scale_shape = layout.x_shape;
  layout.scale_shape[static_cast<size_t>(axis)] = layout.blocks;
  layout.channel_count = Product(layout.scale_shape.begin(), layout.scale_shape.end());
  return layout;
}

ScaleLayout LayoutOf(Granularity granularity, AxisShape shape) {
  switch (granularity) {
    case Granularity::kPerTensor:
      return PerTensorLayout(std::move(shape.shape));
    case Granularity::kBlocked:
      return BlockedLayout(std::move(shape.shape), shape.axis, shape.form,
                           shape.block_size);
    default:
      return PerAxisLayout(std::move(shape.shape), shape.axis, shape.form);
  }
}

ScaleLayout DirectedLayout(Granularity granularity, int kind, int64_t elements,
                           CounterRng& rng) {
  if (granularity == Granularity::kPerTensor) {
    const int64_t few = rng.OneIn(2) ? 3 : 7;
    switch (kind % 3) {
      case 0:
        return PerTensorLayout({OddBelow(elements, 1)});
      case 1:
        return PerTensorLayout({few, OddBelow(elements / few, 1)});
      default:
        return PerTensorLayout({OddBelow(elements / (3 * few), 1), few, 3});
    }
  }
  if (granularity == Granularity::kPerAxis) {
    AxisChoice choice = ChooseAxis(kind, OddBelow(rng.Between(9, 34), 9), elements, rng);
    return PerAxisLayout(std::move(choice.shape), choice.axis, choice.form);
  }
  constexpr std::array<int64_t, 6> kBlockSizes{16, 5, 3, 32, 7, 2};
  const int64_t block_size = kBlockSizes[static_cast<size_t>(kind % 6)];
  // Odd, and no multiple of the block size: the last block is partial.
  int64_t extent = OddBelow(block_size * rng.Between(2, 4), 5);
  if (extent % block_size == 0) extent += 2;
  AxisChoice choice = ChooseAxis(kind, extent, elements, rng);
  return BlockedLayout(std::move(choice.shape), choice.axis, choice.form, block_size);
}

}  // namespace qconform::generators
