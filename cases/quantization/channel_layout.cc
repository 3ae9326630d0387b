#include "cases/quantization/channel_layout.h"

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
ChannelLayout AlongAxis(Shape x_shape, int64_t axis, AxisForm form) {
  const auto rank = static_cast<int64_t>(x_shape.size());
  assert(0 <= axis && axis < rank);
  assert(form != AxisForm::kDefault || axis == 1);
  ChannelLayout layout;
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

// Returns the number next to `value` that is `tail` modulo `modulus`, at least `least`.
int64_t WithTail(int64_t value, int64_t tail, int64_t modulus, int64_t least) {
  const int64_t low = value - modulus / 2;
  int64_t chosen = low + ((tail - low) % modulus + modulus) % modulus;
  while (chosen < least) chosen += modulus;
  return chosen;
}

// A factor of `value` that makes a dimension of it; 1 where there is none.
int64_t SmallFactor(int64_t value) {
  for (const int64_t factor : {7, 3, 5, 2}) {
    if (value % factor == 0) return factor;
  }
  return 1;
}

// Vectors, and packed codes, of per-axis and blocked lines.
constexpr int64_t kLineTails = 16;
constexpr int64_t kTensorTails = 64;

struct AxisChoice {
  Shape shape;
  int64_t axis;
  AxisForm form;
};

// Whether a kind has the axis last.
bool IsLastAxis(int kind) { return kind % 6 == 0 || kind % 6 == 3; }

// At most `extent` lies at the axis, the rest of about `elements` around it, in lines of
// `tail`. `shrinks`: fewer than `extent` will do.
AxisChoice ChooseAxis(int kind, int64_t extent, int64_t elements, int tail,
                      bool shrinks) {
  constexpr int64_t kFew = 3;
  if (IsLastAxis(kind)) {
    const int64_t rows = OddBelow(elements / extent, 3);
    if (kind % 6 == 0) return {{rows, extent}, 1, AxisForm::kDefault};
    return {{kFew, OddBelow(rows / kFew, 1), extent}, 2, AxisForm::kNegative};
  }
  const bool outer = kind % 6 == 2 || kind % 6 == 5;
  const int64_t before = outer ? kFew : 1;
  const int64_t line = WithTail(elements / (extent * before), tail, kLineTails, 2);
  if (shrinks) extent = std::min(extent, OddBelow(elements / (before * line), 9));
  const int64_t part = SmallFactor(line);
  switch (kind % 6) {
    case 1:
      return {{extent, line}, 0, AxisForm::kPositive};
    case 2:
      return {{kFew, extent, line}, 1, AxisForm::kNegative};
    case 4:
      return {{extent, part, line / part}, 0, AxisForm::kNegative};
    default:
      return {{kFew, extent, part, line / part}, 1, AxisForm::kDefault};
  }
}

}  // namespace

ScaleGranularity GranularityOf(const Cell& cell) {
  if (cell.granularity == "per_tensor") return ScaleGranularity::kPerTensor;
  return cell.granularity == "per_axis" ? ScaleGranularity::kPerAxis
                                        : ScaleGranularity::kBlocked;
}

ChannelLayout PerTensorLayout(Shape x_shape) {
  ChannelLayout layout;
  layout.x_shape = std::move(x_shape);
  layout.element_count = Product(layout.x_shape.begin(), layout.x_shape.end());
  return layout;
}

ChannelLayout PerAxisLayout(Shape x_shape, int64_t axis, AxisForm form) {
  ChannelLayout layout = AlongAxis(std::move(x_shape), axis, form);
  layout.blocks = layout.extent;
  layout.channel_count = layout.extent;
  layout.scale_shape = {layout.extent};
  return layout;
}

ChannelLayout BlockedLayout(Shape x_shape, int64_t axis, AxisForm form,
                            int64_t block_size) {
  assert(block_size > 0);
  ChannelLayout layout = AlongAxis(std::move(x_shape), axis, form);
  layout.block_size = block_size;
  layout.block = block_size;
  layout.blocks = (layout.extent + block_size - 1) / block_size;
  layout.per_outer = true;
  layout.scale_shape = layout.x_shape;
  layout.scale_shape[static_cast<size_t>(axis)] = layout.blocks;
  layout.channel_count = Product(layout.scale_shape.begin(), layout.scale_shape.end());
  return layout;
}

ChannelLayout LayoutOf(ScaleGranularity granularity, AxisShape shape) {
  switch (granularity) {
    case ScaleGranularity::kPerTensor:
      return PerTensorLayout(std::move(shape.shape));
    case ScaleGranularity::kBlocked:
      return BlockedLayout(std::move(shape.shape), shape.axis, shape.form,
                           shape.block_size);
    default:
      return PerAxisLayout(std::move(shape.shape), shape.axis, shape.form);
  }
}

ChannelLayout DirectedLayout(ScaleGranularity granularity, int kind, int64_t elements,
                             int tail, CounterRng& rng) {
  if (granularity == ScaleGranularity::kPerTensor) {
    const int64_t count = WithTail(elements, tail, kTensorTails, kTensorTails);
    const int64_t last = SmallFactor(count);
    const int64_t middle = SmallFactor(count / last);
    switch (kind % 3) {
      case 0:
        return PerTensorLayout({count});
      case 1:
        return PerTensorLayout({last, count / last});
      default:
        return PerTensorLayout({count / (last * middle), middle, last});
    }
  }
  const bool is_last = IsLastAxis(kind);
  if (granularity == ScaleGranularity::kPerAxis) {
    int64_t extent = OddBelow(rng.Between(9, 34), 9);
    if (is_last) extent = WithTail(extent, tail, kLineTails, 5);
    AxisChoice choice = ChooseAxis(kind, extent, elements, tail, true);
    return PerAxisLayout(std::move(choice.shape), choice.axis, choice.form);
  }
  constexpr std::array<int64_t, 6> kBlockSizes{16, 5, 3, 32, 7, 2};
  const int64_t block_size = kBlockSizes[static_cast<size_t>(kind % 6)];
  // No multiple of the block size, unless the tail is one: the last block is partial.
  int64_t extent = OddBelow(block_size * rng.Between(2, 4), 5);
  if (is_last) {
    extent = WithTail(extent, tail, kLineTails, block_size + 1);
  } else if (extent % block_size == 0) {
    extent += 2;
  }
  AxisChoice choice = ChooseAxis(kind, extent, elements, tail, false);
  return BlockedLayout(std::move(choice.shape), choice.axis, choice.form, block_size);
}

}  // namespace qconform::generators
