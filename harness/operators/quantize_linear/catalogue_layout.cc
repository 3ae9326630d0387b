// Faults of granularity, packing, tails and state.
#include "harness/core/common_faults.h"
#include "harness/operators/quantize_linear/catalogue.h"

namespace qconform::quantize_linear {
namespace {

namespace common = common_faults;

using S = QuantizeLinearSwitches;
using F = QuantizeLinearFacts;
using P = S::Place;
using Storage = S::Storage;

Declaration ManyScales(const F& f) {
  if (f.per_tensor) return Equivalent("there is one scale");
  return Deviates();
}

Declaration PerAxis(const F& f) {
  if (!f.per_tensor && !f.blocked) return Deviates();
  return Equivalent("it acts on scales along an axis");
}

Declaration Blocked(const F& f) {
  if (f.blocked) return Deviates();
  return Equivalent("there are no blocks");
}

Declaration SubByte(const F& f) {
  if (f.y_bits < 8) return Deviates();
  return Equivalent("a byte holds one element");
}

void AddPlaces(std::vector<OperatorFault>& faults) {
  const auto add = [&](FaultText text, P scale, P zero_point,
                       Declaration (*declare)(const F&) = ManyScales) {
    faults.push_back(
        {text, S{.scale_place = scale, .zero_point_place = zero_point}, declare});
  };
  add(common::kFirstScaleForAll, P::kFirst, P::kFirst);
  add(common::kFirstZeroPointForAll, P::kRight, P::kFirst);
  add(common::kNextScale, P::kNext, P::kRight);
  add(common::kNextZeroPoint, P::kRight, P::kNext);
  add(common::kScaleSharedInByte, P::kFirstOfByte, P::kFirstOfByte);
  add({"scale_of_third_in_byte",
       "Along the last axis, the first elements of four that fill whole bytes take the "
       "scale and the zero point of the third.",
       "ONNX Runtime 1.30 to 2 bits"},
      P::kThirdOfByte, P::kThirdOfByte, [](const F& f) {
        if (!f.per_tensor && !f.blocked && (f.y_bits == 2 || f.y_bits == 6)) {
          return Deviates();
        }
        return Equivalent("it acts per axis on elements of 2 and 6 bits");
      });
  add(common::kDefaultAxisIsZero, P::kDefaultAxisZero, P::kDefaultAxisZero);
  add(common::kDefaultAxisIsLast, P::kDefaultAxisLast, P::kDefaultAxisLast);
  add(common::kAxisCountedFromEnd, P::kMirroredAxis, P::kMirroredAxis);
  add(common::kNegativeAxisAbsolute, P::kNegativeAxisAbsolute, P::kNegativeAxisAbsolute);
  add(common::kNegativeAxisOffByOne, P::kNegativeAxisOffByOne, P::kNegativeAxisOffByOne);
  add(common::kScaleIndexCyclic, P::kCyclic, P::kCyclic);
  add(common::kAxisIsZero, P::kAxisZero, P::kAxisZero, PerAxis);
  add(common::kAxisIsOne, P::kAxisOne, P::kAxisOne, PerAxis);
  add(common::kAxisIsLast, P::kAxisLast, P::kAxisLast, PerAxis);
  add(common::kBlockSizeIs32, P::kBlock32, P::kBlock32, Blocked);
  add(common::kBlockOuterIgnored, P::kOuterIgnored, P::kOuterIgnored, Blocked);
  add(common::kScaleSharedByFour, P::kFirstOfFour, P::kFirstOfFour, PerAxis);
  add(common::kBlocksInFlatOrder, P::kFlatBlocks, P::kFlatBlocks, Blocked);
  add(common::kBlockOneLonger, P::kBlockOneLonger, P::kBlockOneLonger, Blocked);
  add(common::kRaggedBlockTakesPrevious, P::kRaggedBlockPrevious, P::kRaggedBlockPrevious,
      Blocked);
  add(common::kBlockSizeDivided, P::kBlockDivided, P::kBlockDivided, Blocked);
  add(common::kBlockSizeDividedUp, P::kBlockDividedUp, P::kBlockDividedUp, Blocked);
  add(common::kBlocksInterleaved, P::kBlocksInterleaved, P::kBlocksInterleaved, Blocked);
  add(common::kBlockColumnIgnored, P::kInnerIgnored, P::kInnerIgnored, Blocked);
}

void AddStorage(std::vector<OperatorFault>& faults) {
  faults.push_back({{"zero_points_in_bytes",
                     "Zero points of 2 or 4 bits are read as if each had a byte.",
                     "code for 8-bit types"},
                    S{.zero_point_read = S::ZeroPointRead::kNibblesInBytes},
                    [](const F& f) {
                      if (f.y_bits >= 8) return Equivalent("each has a byte");
                      if (f.float6) return Equivalent("it acts on 2 and 4 bits");
                      return ManyScales(f);
                    }});
  faults.push_back({common::kPackingSwapped, S{.storage = Storage::kSwapped}, SubByte});
  faults.push_back(
      {{"rows_padded", "Each row of elements of 2 or 4 bits begins at a byte of its own.",
        "rows that are packed one by one"},
       S{.storage = Storage::kNibbleRowsPadded},
       [](const F& f) {
         if (f.y_bits < 8 && !f.float6) return Deviates();
         return Equivalent("it acts on elements of 2 and 4 bits");
       }});
  faults.push_back({{"last_byte_lost", "A last byte that is not full is left zero."},
                    S{.storage = Storage::kLastByteLost},
                    SubByte});
  faults.push_back({{"nan_spoils_neighbour",
                     "NaN makes the element behind it in its byte or pair zero.",
                     "masks of whole bytes"},
                    S{.storage = Storage::kNanSpoilsNeighbour},
                    [](const F& f) {
                      if (f.x != DataType::kInt32) return Deviates();
                      return Equivalent("x cannot be NaN");
                    }});
  faults.push_back(
      {{"int32_minimum_in_partial_bytes",
        "In an element of 4 bits that does not share its byte with one of the same "
        "scale, "
        "what does not fit INT32 becomes -2^31, and its sum with the zero point keeps 32 "
        "bits.",
        "loops over whole bytes with a scalar begin and end; ONNX Runtime 1.30"},
       S{.overflow = S::Overflow::kInt32MinimumWraps,
         .overflow_place = S::OverflowPlace::kPartialBytes},
       [](const F& f) {
         const bool float_scale = f.y_scale != DataType::kInt32;
         if (f.integer && f.y_bits == 4 && float_scale) return Deviates();
         return Equivalent("it acts on integers of 4 bits, by scales that are floats");
       }});
  faults.push_back(
      {common::kLastElementUnwritten, S{.storage = Storage::kLastUnwritten}});
  faults.push_back({.text = common::kScaleOfPreviousCall,
                    .set = S{.scale_place = P::kPreviousCall},
                    .has_state = true});
}

void AddTails(std::vector<OperatorFault>& faults) {
  const auto add = [&](FaultText text, S switches, int lanes,
                       Declaration (*declare)(const F&) = nullptr) {
    switches.tail_lanes = lanes;
    faults.push_back({text, switches, declare});
  };
  constexpr std::string_view kSeenIn = "a scalar loop behind the vectors";
  const S truncates{.rounding = S::Rounding::kTowardZero};
  const S away{.rounding = S::Rounding::kAway};
  const S reciprocal{.quotient = S::Quotient::kReciprocal};
  add(common::kTailTruncates4, truncates, 4);
  add(common::kTailTruncates16, truncates, 16);
  add({"tail_truncates_64", "Elements behind the last multiple of 64 are truncated.",
       kSeenIn},
      truncates, 64);
  add({"tail_ties_away_8",
       "Ties behind the last multiple of 8 are rounded away from zero.", kSeenIn},
      away, 8);
  add({"tail_ties_away_32",
       "Ties behind the last multiple of 32 are rounded away from zero.", kSeenIn},
      away, 32);
  add({"tail_reciprocal_64",
       "Elements behind the last multiple of 64 are multiplied by the reciprocal.",
       kSeenIn},
      reciprocal, 64, [](const F& f) {
        if (IsFloatingPoint(f.y_scale)) return Deviates();
        return Equivalent("it acts on scales that are floats");
      });
}

}  // namespace

void AddLayoutFaults(std::vector<OperatorFault>& faults) {
  AddPlaces(faults);
  AddStorage(faults);
  AddTails(faults);
}

}  // namespace qconform::quantize_linear
