// Do the cases of QuantizeLinear kill? Wrong models against the oracle's answers, cell by
// cell.
#include <gtest/gtest.h>

#include "cases/operators/quantize_linear/testing/problem.h"
#include "harness/core/testing/survivors.h"
#include "harness/operators/quantize_linear/fault_switches.h"

namespace qconform {
namespace {

using S = QuantizeLinearSwitches;
using Q = S::Quotient;
using R = S::Rounding;
using P = S::Place;

std::vector<WrongModel> Models() {
  std::vector<WrongModel> all;
  const auto add = [&](std::string name, S switches) {
    all.push_back({std::move(name), switches});
  };
  add("rounding.away", {.rounding = R::kAway});
  add("rounding.half_up", {.rounding = R::kHalfUp});
  add("rounding.half_down", {.rounding = R::kHalfDown});
  add("rounding.zero", {.rounding = R::kTowardZero});
  add("rounding.down", {.rounding = R::kDown});
  add("rounding.up", {.rounding = R::kUp});
  add("order.zero_point_before_rounding", {.order = S::Order::kBeforeRounding});
  add("order.zero_point_in_p", {.order = S::Order::kBeforeInP});
  add("order.clamp_before_zero_point", {.order = S::Order::kAfterClamp});
  add("order.zero_point_ignored", {.order = S::Order::kIgnored});
  add("quotient.exact", {.quotient = Q::kExact});
  add("quotient.converted_exact", {.quotient = Q::kConvertedExact});
  add("quotient.unconverted", {.quotient = Q::kUnconverted});
  add("quotient.reciprocal", {.quotient = Q::kReciprocal});
  add("quotient.truncated", {.quotient = Q::kTruncated});
  add("quotient.truncated_conversion", {.quotient = Q::kTruncatedConversion});
  add("quotient.truncated_x", {.quotient = Q::kTruncatedX});
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16}) {
    add("quotient.scale_through_" + std::string(DataTypeName(type)),
        {.quotient = Q::kScaleThrough, .type = type});
  }
  add("rounding.halves_first", {.rounding = R::kHalvesFirst});
  add("float.fnuz_doubled", {.fnuz_doubled = true});
  add("packing.nibble_rows_padded", {.storage = S::Storage::kNibbleRowsPadded});
  add("quotient.integer_division", {.quotient = Q::kIntegerDivision});
  for (const DataType type :
       {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    const std::string name(DataTypeName(type));
    add("quotient.division_" + name, {.quotient = Q::kDivisionIn, .type = type});
    // Nothing is rounded to DOUBLE last.
    if (type == DataType::kDouble) continue;
    add("quotient.through_" + name, {.quotient = Q::kThrough, .type = type});
  }
  add("quotient.reciprocal_FLOAT",
      {.quotient = Q::kReciprocalIn, .type = DataType::kFloat});
  add("precision.ignored", {.default_precision = true});
  add("flush.x", {.flush_x = true});
  add("flush.scale", {.flush_scale = true});
  add("flush.quotient", {.flush_quotient = true});
  add("scale.absolute", {.absolute_scale = true});
  add("scale.zero_is_one", {.zero_scale_is_one = true});
  add("overflow.int32_min", {.overflow = S::Overflow::kInt32Minimum});
  add("overflow.wrap_int32", {.overflow = S::Overflow::kWrapInt32});
  add("overflow.wrap", {.overflow = S::Overflow::kWrap});
  add("overflow.int32_min_low_bits", {.overflow = S::Overflow::kInt32MinimumLowBits});
  add("overflow.int32_saturated_low_bits",
      {.overflow = S::Overflow::kInt32SaturatedLowBits});
  add("overflow.int32_sum_low_bits", {.overflow = S::Overflow::kInt32SumLowBits});
  add("overflow.through_int16", {.overflow = S::Overflow::kThroughInt16});
  add("overflow.narrow_range", {.overflow = S::Overflow::kNarrowRange});
  add("overflow.infinity_is_zero", {.overflow = S::Overflow::kInfinityIsZero});
  add("float.flush_result", {.flush_result = true});
  add("float.flush_before_rounding", {.flush_before_rounding = true});
  add("float.always_saturates", {.always_saturates = true});
  add("float.never_saturates", {.never_saturates = true});
  add("float.early_overflow", {.early_overflow = true});
  add("float.late_overflow", {.late_overflow = true});
  add("float.overflow_by_carry", {.overflow_by_carry = true});
  add("float.negative_zero_code", {.negative_zero_code = true});
  add("float.negative_underflow_code", {.negative_underflow_code = true});
  add("float.drop_zero_sign", {.drop_zero_sign = true});
  add("float.ends_at_240", {.ends_at_240 = true});
  add("float.nan_is_zero", {.nan_is_zero = true});
  add("float.infinity_is_nan", {.infinity_is_nan = true});
  add("float.saturate_to_infinity", {.saturate_to_infinity = true});
  add("float6.other_format", {.grid = S::Grid::kOtherFormat});
  add("float6.other_bias", {.grid = S::Grid::kOtherBias});
  add("float6.through_e4m3fn", {.through = DataType::kFloat8E4M3FN});
  add("float6.through_e5m2", {.through = DataType::kFloat8E5M2});
  add("float6.through_float16", {.through = DataType::kFloat16});
  add("float6.largest_is_free", {.largest_is_free = true});
  add("float6.infinity_code", {.overflow_to_infinity_code = true});
  add("float6.subnormal_sign_lost", {.subnormal_sign_lost = true});
  add("float6.integer_zero_point", {.order = S::Order::kAsInteger});
  add("place.first_zero_point", {.zero_point_place = P::kFirst});
  add("place.next_scale", {.scale_place = P::kNext});
  add("place.next_zero_point", {.zero_point_place = P::kNext});
  const std::pair<const char*, P> of_both[] = {
      {"first", P::kFirst},
      {"first_of_byte", P::kFirstOfByte},
      {"default_axis_zero", P::kDefaultAxisZero},
      {"default_axis_last", P::kDefaultAxisLast},
      {"mirrored_axis", P::kMirroredAxis},
      {"cyclic", P::kCyclic},
      {"inner_ignored", P::kInnerIgnored},
      {"block_one_longer", P::kBlockOneLonger},
      {"ragged_block_takes_previous", P::kRaggedBlockPrevious},
      {"block_divides_evenly", P::kBlockDivided},
      {"axis_zero", P::kAxisZero},
      {"axis_one", P::kAxisOne},
      {"block_32", P::kBlock32},
      {"outer_ignored", P::kOuterIgnored},
      {"first_of_four", P::kFirstOfFour},
      {"flat_blocks", P::kFlatBlocks}};
  for (const auto& [name, place] : of_both) {
    add(std::string("place.") + name, {.scale_place = place, .zero_point_place = place});
  }
  add("packing.swapped", {.storage = S::Storage::kSwapped});
  add("packing.last_byte_lost", {.storage = S::Storage::kLastByteLost});
  add("packing.one_in_byte", {.storage = S::Storage::kOneInByte});
  add("packing.two_in_byte", {.storage = S::Storage::kTwoInByte});
  add("packing.highest_bit_first", {.storage = S::Storage::kHighestBitFirst});
  add("packing.in_words", {.storage = S::Storage::kInWords});
  add("packing.second_cut", {.storage = S::Storage::kSecondCut});
  add("packing.third_cut", {.storage = S::Storage::kThirdCut});
  add("packing.last_group_lost", {.storage = S::Storage::kLastGroupLost});
  add("packing.sign_at_bit_7", {.storage = S::Storage::kSignAtBit7});
  add("packing.rows_at_bytes", {.storage = S::Storage::kRowsAtBytes});
  add("packing.scales_at_bytes", {.storage = S::Storage::kScalesAtBytes});
  add("packing.two_in_byte_cut", {.storage = S::Storage::kTwoInByteCut});
  add("packing.in_long_words", {.storage = S::Storage::kInLongWords});
  add("packing.reversed_in_group", {.storage = S::Storage::kReversedInGroup});
  add("packing.big_endian_group", {.storage = S::Storage::kBigEndianGroup});
  add("packing.rows_padded", {.storage = S::Storage::kRowsPadded});
  add("packing.rows_clear_byte", {.storage = S::Storage::kRowsClearByte});
  add("packing.byte_sign_at_bit_7", {.storage = S::Storage::kByteSignAtBit7});
  add("packing.byte_sign_extended", {.storage = S::Storage::kByteSignExtended});
  add("packing.last_one_lost", {.storage = S::Storage::kLastOneLost});
  add("packing.last_two_lost", {.storage = S::Storage::kLastTwoLost});
  add("packing.last_three_lost", {.storage = S::Storage::kLastThreeLost});
  add("packing.last_group_at_top", {.storage = S::Storage::kLastGroupAtTop});
  add("zero_points.in_bytes", {.zero_point_read = S::ZeroPointRead::kOneInByte});
  add("zero_points.last_lost", {.zero_point_read = S::ZeroPointRead::kLastGroupLost});
  add("zero_points.other_format", {.zero_point_read = S::ZeroPointRead::kOtherFormat});
  add("zero_points.largest_is_nan", {.zero_point_read = S::ZeroPointRead::kLargestIsNan});
  add("nan.spoils_neighbour", {.storage = S::Storage::kNanSpoilsNeighbour});
  for (const int lanes : {2, 4, 8, 16, 32, 64, 128}) {
    const std::string text = std::to_string(lanes);
    add("tail.zero_" + text, {.rounding = R::kTowardZero, .tail_lanes = lanes});
    add("tail.away_" + text, {.rounding = R::kAway, .tail_lanes = lanes});
    add("tail.reciprocal_" + text, {.quotient = Q::kReciprocal, .tail_lanes = lanes});
  }
  return all;
}

TEST(Kill, Standard_LeavesNoSurvivorInSampledCells) {
  const KillTest test{.op_type = "QuantizeLinear",
                      .one_in = 97,
                      .models = Models(),
                      .no_mistake = S{},
                      .answer_of =
                          [](const OpCase& made) {
                            return EvaluateQuantizeLinear(generators::ProblemOf(made));
                          },
                      .more_of =
                          [](const CaseKey& key) {
                            std::vector<CaseKey> others(3, key);
                            for (int more = 1; more <= 3; ++more) {
                              others[static_cast<size_t>(more - 1)].index +=
                                  100 * more + more;
                            }
                            return others;
                          }};
  test.ExpectNoSurvivor();
}

}  // namespace
}  // namespace qconform
