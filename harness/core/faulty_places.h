// Where the scale of an element lies, with room for mistakes: what wrong models of
// operators with scales per tensor, per axis or in blocks have in common. Index
// arithmetic of its own: the oracle's would hide its errors.
#ifndef QCONFORM_HARNESS_CORE_FAULTY_PLACES_H_
#define QCONFORM_HARNESS_CORE_FAULTY_PLACES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "oracle/tensor/tensor.h"

namespace qconform {

// Which scale or zero point an element takes.
enum class FaultyPlace : uint8_t {
  kRight,
  kFirst,
  kNext,
  kFirstOfByte,  // of the whole bytes that it shares, or of its pair
  // Along the last axis, elements 0 to 2 of four that fill whole bytes take what belongs
  // to element 2 of them, or to the last one if there are fewer.
  kThirdOfByte,
  kDefaultAxisZero,
  kDefaultAxisLast,
  kMirroredAxis,
  kNegativeAxisAbsolute,
  kNegativeAxisOffByOne,  // one further from the end
  kCyclic,                // index modulo the number of scales
  kBlockOneLonger,
  kRaggedBlockPrevious,  // the last partial block takes the scale before
  kBlockDivided,         // blocks of D / S elements, rounded down
  kBlockDividedUp,       // blocks of D / S elements, rounded up
  kBlocksInterleaved,    // neighbours take neighbouring scales: index modulo blocks
  kInnerIgnored,         // blocked: the scale of the first column
  kAxisZero,             // per axis: the axis is 0
  kAxisOne,              // per axis: the axis is 1
  kAxisLast,             // per axis: the axis is the last one
  kBlock32,              // blocks of 32 elements
  kFlatBlocks,           // blocks of the tensor as it lies in memory
  kOuterIgnored,         // blocked: the scales of the first slice before the axis
  kFirstOfFour,          // per axis before the last: of four elements that lie together
  kPreviousCall,         // the first scale of the call before
};

// The tensor whose elements have scales.
struct ScalePlaces {
  Shape shape;
  int64_t scales = 1;  // how many there are
  bool blocked = false;
  int64_t block = 1;       // elements along the axis
  int64_t blocks = 1;      // along the axis
  int64_t axis = 0;        // from 0 up
  int64_t given_axis = 1;  // as the node has it
  bool has_axis = false;
  int per_byte = 2;  // elements of the whole bytes that they share; 2 if none is shared
};

class FaultyPlaces {
 public:
  // `places` must outlive it.
  explicit FaultyPlaces(const ScalePlaces& places)
      : p_(&places),
        rank_(static_cast<int64_t>(places.shape.size())),
        right_(*this, places.axis, places.block) {}

  // Returns the index of the scale that element `index` takes by mistake `place`.
  size_t Of(FaultyPlace place, int64_t index) const {
    if (p_->scales <= 1) return 0;
    const int64_t at = Wrong(place, index);
    return static_cast<size_t>(std::clamp<int64_t>(at, 0, p_->scales - 1));
  }

 private:
  // The tensor as [outer, extent, inner] around an axis.
  struct View {
    View(const FaultyPlaces& places, int64_t axis, int64_t block_in)
        : blocked(places.p_->blocked), block(std::max<int64_t>(block_in, 1)) {
      for (int64_t i = 0; i < places.rank_; ++i) {
        const int64_t size = places.p_->shape[static_cast<size_t>(i)];
        (i < axis ? outer : i == axis ? extent : inner) *= size;
      }
      blocks = blocked ? places.p_->blocks : extent;
    }
    int64_t Along(int64_t index) const {
      return index / std::max<int64_t>(inner, 1) % std::max<int64_t>(extent, 1);
    }
    int64_t Of(int64_t index) const {
      const int64_t i = Along(index);
      return blocked ? OfBlock(index, std::min(i / block, blocks - 1)) : i;
    }
    int64_t OfBlock(int64_t index, int64_t at) const {
      const int64_t j = index % std::max<int64_t>(inner, 1);
      const int64_t o = index / std::max<int64_t>(inner * extent, 1);
      return (o * blocks + at) * inner + j;
    }
    bool blocked;
    int64_t block;
    int64_t outer = 1, extent = 1, inner = 1, blocks = 1;
  };

  int64_t Wrong(FaultyPlace place, int64_t index) const {
    const View& right = right_;
    switch (place) {
      case FaultyPlace::kRight:
      case FaultyPlace::kPreviousCall:
        return right.Of(index);
      case FaultyPlace::kFirst:
        return 0;
      case FaultyPlace::kNext:
        return right.Of(index) + 1;
      case FaultyPlace::kFirstOfByte:
        return right.Of(index / p_->per_byte * p_->per_byte);
      case FaultyPlace::kThirdOfByte: {
        const bool acts = p_->per_byte == 4 && !right.blocked && right.inner == 1;
        if (!acts || index % 4 == 3) return right.Of(index);
        const int64_t last = right.outer * right.extent - 1;
        return right.Of(std::min(index / 4 * 4 + 2, last));
      }
      case FaultyPlace::kDefaultAxisZero:
        return p_->has_axis ? right.Of(index) : At(0, index);
      case FaultyPlace::kDefaultAxisLast:
        return p_->has_axis ? right.Of(index) : At(rank_ - 1, index);
      case FaultyPlace::kMirroredAxis:
        return At(rank_ - 1 - p_->axis, index);
      case FaultyPlace::kNegativeAxisAbsolute:
        if (p_->given_axis >= 0) return right.Of(index);
        return At(std::min(std::abs(p_->given_axis), rank_ - 1), index);
      case FaultyPlace::kNegativeAxisOffByOne:
        if (p_->given_axis >= 0) return right.Of(index);
        return At(std::max<int64_t>(p_->axis - 1, 0), index);
      case FaultyPlace::kCyclic:
        return index % p_->scales;
      case FaultyPlace::kBlockOneLonger:
        return right.blocked ? View(*this, p_->axis, right.block + 1).Of(index)
                             : right.Of(index);
      case FaultyPlace::kRaggedBlockPrevious: {
        if (!right.blocked || right.extent % right.block == 0 || right.blocks < 2) {
          return right.Of(index);
        }
        const int64_t i = index / right.inner % right.extent;
        return right.Of(index) - (i / right.block == right.blocks - 1 ? right.inner : 0);
      }
      case FaultyPlace::kBlockDivided:
        if (!right.blocked || right.blocks == 0) return right.Of(index);
        return View(*this, p_->axis, right.extent / right.blocks).Of(index);
      case FaultyPlace::kBlockDividedUp:
        if (!right.blocked || right.blocks == 0) return right.Of(index);
        return View(*this, p_->axis, (right.extent + right.blocks - 1) / right.blocks)
            .Of(index);
      case FaultyPlace::kBlocksInterleaved:
        if (!right.blocked || right.blocks == 0) return right.Of(index);
        return right.OfBlock(index, right.Along(index) % right.blocks);
      case FaultyPlace::kInnerIgnored:
        if (!right.blocked) return right.Of(index);
        return right.Of(index - index % std::max<int64_t>(right.inner, 1));
      case FaultyPlace::kAxisZero:
        return right.blocked ? right.Of(index) : View(*this, 0, 1).Of(index) % p_->scales;
      case FaultyPlace::kAxisOne:
        if (right.blocked) return right.Of(index);
        return View(*this, std::min<int64_t>(1, rank_ - 1), 1).Of(index) % p_->scales;
      case FaultyPlace::kAxisLast:
        if (right.blocked) return right.Of(index);
        return View(*this, rank_ - 1, 1).Of(index) % p_->scales;
      case FaultyPlace::kBlock32:
        return right.blocked ? View(*this, p_->axis, 32).Of(index) : right.Of(index);
      case FaultyPlace::kOuterIgnored:
        if (!right.blocked) return right.Of(index);
        return right.Of(index % std::max<int64_t>(right.inner * right.extent, 1));
      case FaultyPlace::kFirstOfFour:
        if (right.blocked || right.inner < 4) return right.Of(index);
        return right.Of(index / 4 * 4);
      case FaultyPlace::kFlatBlocks:
        return right.blocked ? index / right.block % p_->scales : right.Of(index);
    }
    return 0;
  }

  int64_t At(int64_t axis, int64_t index) const {
    return View(*this, axis, p_->block).Of(index);
  }

  const ScalePlaces* p_;
  int64_t rank_;
  View right_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_FAULTY_PLACES_H_
