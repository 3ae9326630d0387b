// The catalogue of QLinearMatMul's faults.
#include "harness/core/common_faults.h"
#include "harness/operators/q_linear_mat_mul/fault_facts.h"
#include "harness/operators/q_linear_mat_mul/faults.h"
#include "oracle/formats/number_format.h"

namespace qconform::q_linear_mat_mul {
namespace {

namespace common = common_faults;

using M = QLinearMatMulSwitches;
using F = MatMulFacts;

struct Add {
  std::vector<OperatorFault>& faults;

  void operator()(FaultText text, M switches,
                  Declaration (*declare)(const F&) = nullptr) const {
    faults.push_back({text, switches, declare});
  }
};

Declaration IntegerOutput(const F& f) {
  if (f.integer) return Deviates();
  return Equivalent("float8 targets have no such step");
}

Declaration IntegerOperands(const F& f) {
  if (f.integer_operands) return Deviates();
  return Equivalent("it acts on integer operands");
}

Declaration Integers(const F& f) {
  if (f.integer && f.integer_operands) return Deviates();
  return Equivalent("it acts on integers");
}

Declaration FloatScales(const F& f) {
  if (f.scale != DataType::kFloat) return Equivalent("it acts on FLOAT scales");
  return Integers(f);
}

Declaration Rows(const F& f) {
  if (f.per_row) return Deviates();
  return Equivalent("a has one scale");
}

Declaration Columns(const F& f) {
  if (f.per_column) return Deviates();
  return Equivalent("b has one scale");
}

// Faults that other operators have too.
void AddCommonFaults(const Add& add) {
  // Where sums are of float8 values, the bound of MM-10 has both sides of a tie.
  add(common::kTiesAway, M{.rounding = M::Rounding::kAway}, Integers);
  add(common::kTiesHalfUp, M{.rounding = M::Rounding::kHalfUp}, Integers);
  add(common::kRoundedToHalvesFirst, M{.rounding = M::Rounding::kHalvesFirst}, Integers);
  add(common::kFixedPointMultiplier, M{.multiplier = M::Multiplier::kFixedPoint},
      Integers);
  add({"fixed_point_multiplier_15",
       "The multiplier has 15 bits and a shift; the product is rounded once, ties up.",
       "integer-only runtimes of 16 bits"},
      M{.multiplier = M::Multiplier::kFixedPoint15}, Integers);
  add(common::kZeroPointOfOtherSign, M{.y_zero_point_of_other_sign = true},
      IntegerOutput);
  add(common::kZeroPointBeforeRounding, M{.order = M::Order::kBeforeRounding}, Integers);
  add(common::kPowerOfTwoMultiplier, M{.multiplier = M::Multiplier::kNearestPowerOfTwo},
      Integers);
  add({"a_scale_ignored", "a_scale is taken as 1."}, M{.no_a_scale = true}, Integers);
  add({"b_scale_ignored", "b_scale is taken as 1."}, M{.no_b_scale = true}, Integers);
  add({"y_scale_ignored", "y_scale is taken as 1."}, M{.no_y_scale = true}, Integers);
  add({"a_and_y_scale_swapped", "a_scale and y_scale take each other's place.",
       "inputs that are passed in the wrong order"},
      M{.swapped_scales = M::Swap::kAWithY}, Integers);
  add({"b_and_y_scale_swapped", "b_scale and y_scale take each other's place.",
       "inputs that are passed in the wrong order"},
      M{.swapped_scales = M::Swap::kBWithY}, Integers);
  add(common::kMultiplierThroughFloat16, M{.multiplier = M::Multiplier::kThroughFloat16},
      FloatScales);
  add(common::kMultiplierThroughBfloat16,
      M{.multiplier = M::Multiplier::kThroughBfloat16}, FloatScales);
  add({"requantized_by_reciprocal",
       "C * a_scale * b_scale is multiplied by 1 / y_scale; each step is rounded to "
       "FLOAT.",
       "vector kernels that avoid a division"},
      M{.multiplier = M::Multiplier::kReciprocal}, FloatScales);
  add({"sum_truncated_to_float",
       "C is converted to FLOAT toward zero, and multiplied by a FLOAT multiplier.",
       "conversions by shifting, without rounding"},
      M{.multiplier = M::Multiplier::kTruncatedSum}, FloatScales);
  add(common::kFusedMultiplyAdd, M{.order = M::Order::kFused}, Integers);
  add(common::kSignLost, M{.sign_lost = true});
  add(common::kTruncates, M{.rounding = M::Rounding::kTowardZero});
  add(common::kRoundsDown, M{.rounding = M::Rounding::kDown});
  add(common::kRoundsUp, M{.rounding = M::Rounding::kUp});
  add(common::kClampBeforeZeroPoint, M{.order = M::Order::kAfterClamp}, IntegerOutput);
  add(common::kZeroPointIgnored, M{.order = M::Order::kIgnored}, IntegerOutput);
  add(common::kAbsoluteScale, M{.absolute_scales = true});
  add(common::kInt32MinimumOnOverflow, M{.overflow = M::Overflow::kInt32Minimum},
      Integers);
  add(common::kWrapsAtOutput, M{.overflow = M::Overflow::kWrap}, IntegerOutput);
  add(common::kInt32MinimumWrapsAtOutput,
      M{.overflow = M::Overflow::kInt32MinimumLowBits}, IntegerOutput);
  add(common::kInt32SaturatedWrapsAtOutput,
      M{.overflow = M::Overflow::kInt32SaturatedLowBits}, IntegerOutput);
  add(common::kInt32SumWrapsAtOutput, M{.overflow = M::Overflow::kInt32SumLowBits},
      IntegerOutput);
  add(common::kNarrowRange, M{.overflow = M::Overflow::kNarrowRange}, [](const F& f) {
    if (f.y == DataType::kInt8) return Deviates();
    return Equivalent("it acts on signed integers");
  });
  add(common::kUnsignedAsSigned, M{.overflow = M::Overflow::kSignedRange},
      [](const F& f) {
        if (f.y == DataType::kUint8) return Deviates();
        return Equivalent("it acts on unsigned integers");
      });
  add(common::kFloatSubnormalsFlushed, M{.flush_result = true}, [](const F& f) {
    if (!f.integer && FormatOf(f.y).mantissa_bits == 3) return Deviates();
    return Equivalent("it acts on E4M3 formats");
  });
  const auto float8 = [](const F& f) {
    if (!f.integer) return Deviates();
    return Equivalent("the step belongs to float8 targets");
  };
  add(common::kRoundsToIntegerFirst, M{.integer_first = FaultyInteger::kRounded}, float8);
  add(common::kConvertsToInt32First, M{.integer_first = FaultyInteger::kConverted},
      float8);
  add(common::kNeverSaturates, M{.never_saturates = true}, float8);
  add(common::kLastElementUnwritten, M{.last_unwritten = true});
  // Tails of sums of float8 values are few, and the bound may have all of them.
  add(common::kTailTruncates4, M{.rounding = M::Rounding::kTowardZero, .tail_lanes = 4},
      IntegerOperands);
  add(common::kTailTruncates8, M{.rounding = M::Rounding::kTowardZero, .tail_lanes = 8},
      IntegerOperands);
  add(common::kTailTruncates16, M{.rounding = M::Rounding::kTowardZero, .tail_lanes = 16},
      IntegerOperands);
}

void AddOwnFaults(const Add& add) {
  add(common::kInt16SaturatingProducts, M{.sum = M::Sum::kPairsSaturate16},
      IntegerOperands);
  add(common::kInt16WrappingProducts, M{.sum = M::Sum::kWrap16}, IntegerOperands);
  add(common::kInt16Accumulator, M{.sum = M::Sum::kSaturate16}, IntegerOperands);
  add(common::kBfloat16Accumulator, M{.sum = M::Sum::kBfloat16}, IntegerOperands);
  add(common::kTermTailLost4, M{.lost_tail = 4});
  add(common::kTermTailLost16, M{.lost_tail = 16});
  add(common::kTermTailUncorrected8, M{.uncorrected_tail = 8});
  add(common::kAZeroPointMissing, M{.no_a_zero_point = true});
  add(common::kBZeroPointMissing, M{.no_b_zero_point = true});
  add(common::kZeroPointsMissing, M{.no_a_zero_point = true, .no_b_zero_point = true});
  add(common::kCrossTermMissing, M{.no_cross_term = true}, IntegerOperands);
  add(common::kCrossTermSubtracted, M{.cross_term_subtracted = true}, Integers);
  add(common::kBMinimumIsMinus127, M{.b_minimum_is_minus_127 = true}, [](const F& f) {
    if (f.b == DataType::kInt8) return Integers(f);
    return Equivalent("it acts on INT8 b");
  });
  add({"empty_sum_is_zero", "K = 0 gives code 0 in place of an integer's y_zero_point.",
       "early returns that clear the output"},
      M{.empty_is_zero = true}, IntegerOutput);
  add(common::kEmptySumUnwritten, M{.empty_unwritten = true});
  add(common::kFirstBatchForAll, M{.first_batch = true}, IntegerOutput);
  add({"first_row_scale_for_all", "Every row takes the first scale of a."},
      M{.a_scale = M::Place::kFirst}, Rows);
  add({"next_row_scale", "Every row takes the scale after its own."},
      M{.a_scale = M::Place::kNext}, Rows);
  add({"row_scale_by_column", "The scale of a is chosen by the column."},
      M{.a_scale = M::Place::kSwapped}, Rows);
  add({"first_column_scale_for_all", "Every column takes the first scale of b.",
       "kernels for per-tensor weights alone"},
      M{.b_scale = M::Place::kFirst}, Columns);
  add({"next_column_scale", "Every column takes the scale after its own."},
      M{.b_scale = M::Place::kNext}, Columns);
  add({"column_scale_by_row", "The scale of b is chosen by the row."},
      M{.b_scale = M::Place::kSwapped}, Columns);
  add(common::kFirstRowZeroPointForAll, M{.a_zero_point = M::Place::kFirst}, Rows);
  add(common::kFirstColumnZeroPointForAll, M{.b_zero_point = M::Place::kFirst}, Columns);
  add(common::kNextColumnZeroPoint, M{.b_zero_point = M::Place::kNext}, Columns);
  add({"bfloat16_scales", "FLOAT and FLOAT16 scales are rounded to BFLOAT16."},
      M{.scales_as = DataType::kBfloat16}, [](const F& f) {
        if (f.scale == DataType::kBfloat16) return Equivalent("the scales are BFLOAT16");
        return IntegerOperands(f);
      });
}

}  // namespace

std::vector<OperatorFault> Catalogue() {
  std::vector<OperatorFault> faults;
  AddCommonFaults({faults});
  AddOwnFaults({faults});
  return faults;
}

}  // namespace qconform::q_linear_mat_mul
