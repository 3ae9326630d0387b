// Shapes of operands with a scale per tensor, per axis or per block: which scale belongs
// to which element of the data. This index arithmetic only directs values at scales; it
// shares nothing with the oracle's.
#ifndef QCONFORM_CASES_QUANTIZATION_CHANNEL_LAYOUT_H_
#define QCONFORM_CASES_QUANTIZATION_CHANNEL_LAYOUT_H_

#include <cstdint>
#include <optional>

#include "cases/core/counter_rng.h"
#include "cases/lattice/cell.h"
#include "oracle/tensor/tensor.h"

namespace qconform::generators {

enum class ScaleGranularity : uint8_t { kPerTensor, kPerAxis, kBlocked };
// Precondition: one of these is the cell's granularity.
ScaleGranularity GranularityOf(const Cell& cell);

struct ChannelLayout {
  Shape x_shape;
  Shape scale_shape;
  std::optional<int64_t> axis;  // as in the node; absent: the schema's default, 1
  int64_t block_size = 0;       // 0: the attribute is absent
  int64_t element_count = 1;
  int64_t channel_count = 1;  // elements of the scale
  // x as [outer, extent, inner] about the axis; extent is cut into `blocks`
  // pieces of `block` elements, the last of which may be partial.
  int64_t extent = 1;
  int64_t inner = 1;
  int64_t block = 1;
  int64_t blocks = 1;
  bool per_outer = false;  // blocked: every outer index has scales of its own

  // Returns the index of the scale of element `index` of x, both row-major.
  int64_t ChannelOf(int64_t index) const {
    if (channel_count == 1) return 0;
    const int64_t row = index / inner;
    const int64_t piece = (row % extent) / block;
    if (!per_outer) return piece;
    return ((row / extent) * blocks + piece) * inner + index % inner;
  }
};

// How `axis` is written down; the default can be left out where it is 1.
enum class AxisForm : uint8_t { kPositive, kNegative, kDefault };

ChannelLayout PerTensorLayout(Shape x_shape);
// Precondition: 0 <= axis < rank.
ChannelLayout PerAxisLayout(Shape x_shape, int64_t axis, AxisForm form);
// Precondition: the same, block_size > 0.
ChannelLayout BlockedLayout(Shape x_shape, int64_t axis, AxisForm form,
                            int64_t block_size);

// A shape, and how its scales lie along an axis. Only blocks use block_size, and one
// scale per tensor uses neither.
struct AxisShape {
  Shape shape;
  int64_t axis = 0;
  AxisForm form = AxisForm::kPositive;
  int64_t block_size = 0;
};
ChannelLayout LayoutOf(ScaleGranularity granularity, AxisShape shape);

// Returns a layout of about `elements` elements that suits values directed at scales;
// `kind` goes through ranks, axes and the ways to write them. `tail` is the
// remainder of a line: of x modulo 64 per tensor; otherwise modulo 16 of the elements
// after the axis, or of the axis if that is the last dimension.
ChannelLayout DirectedLayout(ScaleGranularity granularity, int kind, int64_t elements,
                             int tail, CounterRng& rng);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_QUANTIZATION_CHANNEL_LAYOUT_H_
