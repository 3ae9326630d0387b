// Where the scale of an element lies, with room for mistakes. Index arithmetic of
// its own: the oracle's would hide its errors.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_PLACES_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_PLACES_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "harness/operators/quantize_linear/fault_model.h"

namespace qconform {

class QuantizeLinearPlaces {
 public:
  using Place = QuantizeLinearSwitches::Place;

  explicit QuantizeLinearPlaces(const DecodedQuantizeLinear& decoded)
      : d_(&decoded),
        count_(static_cast<int64_t>(decoded.scales.size())),
        rank_(static_cast<int64_t>(decoded.shape.size())),
        per_byte_(decoded.y->bits < 8 ? ElementsOfWholeBytes(decoded.y->bits) : 2),
        right_(*this, decoded.axis, decoded.layout.block) {}

  // Returns the index of the scale that element `index` takes by mistake `place`.
  size_t Of(Place place, int64_t index) const {
    if (count_ <= 1) return 0;
    const int64_t at = Wrong(place, index);
    return static_cast<size_t>(std::clamp<int64_t>(at, 0, count_ - 1));
  }

 private:
  // x as [outer, extent, inner] around an axis.
  struct View {
    View(const QuantizeLinearPlaces& places, int64_t axis, int64_t block_in)
        : blocked(places.d_->layout.granularity ==
                  QuantizeLinearLayout::Granularity::kBlocked),
          block(std::max<int64_t>(block_in, 1)) {
      for (int64_t i = 0; i < places.rank_; ++i) {
        const int64_t size = places.d_->shape[static_cast<size_t>(i)];
        (i < axis ? outer : i == axis ? extent : inner) *= size;
      }
      blocks = blocked ? places.d_->layout.blocks : extent;
    }
    int64_t Of(int64_t index) const {
      const int64_t j = index % std::max<int64_t>(inner, 1);
      const int64_t i =
          index / std::max<int64_t>(inner, 1) % std::max<int64_t>(extent, 1);
      const int64_t o = index / std::max<int64_t>(inner * extent, 1);
      if (!blocked) return i;
      return (o * blocks + std::min(i / block, blocks - 1)) * inner + j;
    }
    bool blocked;
    int64_t block;
    int64_t outer = 1, extent = 1, inner = 1, blocks = 1;
  };

  int64_t Wrong(Place place, int64_t index) const {
    const View& right = right_;
    switch (place) {
      case Place::kRight:
      case Place::kPreviousCall:
        return right.Of(index);
      case Place::kFirst:
        return 0;
      case Place::kNext:
        return right.Of(index) + 1;
      case Place::kFirstOfByte:
        return right.Of(index / per_byte_ * per_byte_);
      case Place::kDefaultAxisZero:
        return d_->has_axis ? right.Of(index) : At(0, index);
      case Place::kDefaultAxisLast:
        return d_->has_axis ? right.Of(index) : At(rank_ - 1, index);
      case Place::kMirroredAxis:
        return At(rank_ - 1 - d_->axis, index);
      case Place::kNegativeAxisAbsolute:
        if (d_->given_axis >= 0) return right.Of(index);
        return At(std::min(std::abs(d_->given_axis), rank_ - 1), index);
      case Place::kCyclic:
        return index % count_;
      case Place::kBlockOneLonger:
        return right.blocked ? View(*this, d_->axis, right.block + 1).Of(index)
                             : right.Of(index);
      case Place::kRaggedBlockPrevious: {
        if (!right.blocked || right.extent % right.block == 0 || right.blocks < 2) {
          return right.Of(index);
        }
        const int64_t i = index / right.inner % right.extent;
        return right.Of(index) - (i / right.block == right.blocks - 1 ? right.inner : 0);
      }
      case Place::kBlockDivided:
        if (!right.blocked || right.blocks == 0) return right.Of(index);
        return View(*this, d_->axis, right.extent / right.blocks).Of(index);
      case Place::kInnerIgnored:
        if (!right.blocked) return right.Of(index);
        return right.Of(index - index % std::max<int64_t>(right.inner, 1));
    }
    return 0;
  }

  int64_t At(int64_t axis, int64_t index) const {
    return View(*this, axis, d_->layout.block).Of(index);
  }

  const DecodedQuantizeLinear* d_;
  int64_t count_;
  int64_t rank_;
  int64_t per_byte_;
  View right_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_PLACES_H_
