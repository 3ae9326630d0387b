// Faults of granularity, tails and state.
#include "harness/core/common_faults.h"
#include "harness/operators/dequantize_linear/catalogue.h"
#include "harness/operators/dequantize_linear/fault_facts.h"

namespace qconform::dequantize_linear {
namespace {

namespace common = common_faults;

using S = DequantizeLinearSwitches;
using F = DequantizeLinearFacts;
using P = FaultyPlace;

Declaration ManyScales(const F& f) {
  if (f.per_tensor) return Equivalent("there is one scale");
  return Deviates();
}

Declaration ManyZeroPoints(const F& f) {
  if (f.per_tensor) return Equivalent("there is one zero point");
  if (f.int32) return Equivalent("a zero point other than 0 is free (DQ-06)");
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

Declaration OfZeroPoint(const F& f) {
  // Of floats, a reading ignores all zero points, or none.
  if (!f.int32) return Deviates();
  return Equivalent("a zero point other than 0 is free (DQ-06)");
}

void AddPlaces(std::vector<OperatorFault>& faults) {
  const auto add = [&](FaultText text, P scale, P zero_point,
                       Declaration (*declare)(const F&) = ManyScales) {
    faults.push_back(
        {text, S{.scale_place = scale, .zero_point_place = zero_point}, declare});
  };
  add(common::kFirstScaleForAll, P::kFirst, P::kFirst);
  add(common::kFirstZeroPointForAll, P::kRight, P::kFirst, ManyZeroPoints);
  add(common::kNextScale, P::kNext, P::kRight);
  add(common::kNextZeroPoint, P::kRight, P::kNext, ManyZeroPoints);
  add(common::kScaleSharedInByte, P::kFirstOfByte, P::kFirstOfByte);
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
  add(common::kBlocksInterleaved, P::kBlocksInterleaved, P::kBlocksInterleaved, Blocked);
  add(common::kBlockSizeDividedUp, P::kBlockDividedUp, P::kBlockDividedUp, Blocked);
  add(common::kBlockColumnIgnored, P::kInnerIgnored, P::kInnerIgnored, Blocked);
}

void AddTails(std::vector<OperatorFault>& faults) {
  constexpr std::string_view kSeenIn = "a scalar loop behind the vectors";
  const auto add = [&](FaultText text, S switches, int lanes,
                       Declaration (*declare)(const F&)) {
    switches.tail_lanes = lanes;
    faults.push_back({text, switches, declare});
  };
  const auto rounded = [](const F& f) {
    if (TailRoundingActs(FormatOf(f.x), FormatOf(f.x_scale), FormatOf(f.y))) {
      return Deviates();
    }
    return Equivalent("it acts where products have more digits than y");
  };
  const S truncates{.rounding = RoundingMode::kTowardZero};
  const S ignores{.zero_point = S::ZeroPoint::kIgnored};
  const S first{.scale_place = P::kFirst, .zero_point_place = P::kFirst};
  add(common::kTailTruncates4, truncates, 4, rounded);
  add(common::kTailTruncates16, truncates, 16, rounded);
  add({"tail_zero_point_ignored_8",
       "The zero point is ignored behind the last multiple of 8 elements.", kSeenIn},
      ignores, 8, OfZeroPoint);
  add({"tail_zero_point_ignored_64",
       "The zero point is ignored behind the last multiple of 64 elements.", kSeenIn},
      ignores, 64, OfZeroPoint);
  add({"tail_first_scale_16",
       "Elements behind the last multiple of 16 take the first scale.", kSeenIn},
      first, 16, ManyScales);
}

}  // namespace

void AddLayoutFaults(std::vector<OperatorFault>& faults) {
  AddPlaces(faults);
  AddTails(faults);
  faults.push_back({common::kLastElementUnwritten, S{.last_unwritten = true}});
  faults.push_back({.text = common::kScaleOfPreviousCall,
                    .set = S{.scale_place = P::kPreviousCall},
                    .has_state = true});
}

}  // namespace qconform::dequantize_linear
