// The catalogue of DynamicQuantizeLinear's faults.
#include "harness/core/common_faults.h"
#include "harness/operators/dynamic_quantize_linear/faults.h"

namespace qconform::dynamic_quantize_linear {
namespace {

namespace common = common_faults;

using D = DynamicQuantizeLinearSwitches;

struct Add {
  std::vector<OperatorFault>& faults;

  void operator()(FaultText text, D switches) const {
    faults.push_back({.text = text, .set = switches});
  }
  void operator()(FaultText text, D switches, std::string reading) const {
    faults.push_back({.text = text, .set = switches, .declare = [reading](const Cell&) {
                        return Admissible(reading);
                      }});
  }
};

void AddRanges(const Add& add) {
  using R = D::Range;
  add({"range_without_zero", "The range is min x to max x, without 0.",
       "observers of frameworks"},
      {.range = R::kWithoutZero});
  add({"range_minimum_without_zero", "The range begins at min x, even above 0."},
      {.range = R::kMinWithoutZero});
  add({"range_maximum_without_zero", "The range ends at max x, even below 0."},
      {.range = R::kMaxWithoutZero});
  add({"range_symmetric", "The range is -max |x| to max |x|.", "symmetric quantization"},
      {.range = R::kOfMagnitudes});
  add({"range_from_zero", "The range is 0 to max |x|.", "kernels for activations >= 0"},
      {.range = R::kOnlyMagnitude});
  add({"range_maximum_from_flt_min",
       "The range ends at 2^-126 at least, the smallest normal FLOAT.",
       "a search that begins with numeric_limits<float>::min() or FLT_MIN"},
      {.range = R::kFromSmallestNormal});
  add({"range_in_float16", "The ends of the range are rounded to FLOAT16.",
       "activations in half precision"},
      {.range = R::kFloat16});
  add({"range_in_bfloat16", "The ends of the range are rounded to BFLOAT16.",
       "activations in BFLOAT16"},
      {.range = R::kBfloat16});
  add({"range_tail_lost_4",
       "Elements after the last multiple of 4 are not scanned for the range.",
       "vectors without a tail"},
      {.range_tail = 4});
  add({"range_tail_lost_8",
       "Elements after the last multiple of 8 are not scanned for the range.",
       "vectors without a tail"},
      {.range_tail = 8});
  add({"range_tail_lost_16",
       "Elements after the last multiple of 16 are not scanned for the range.",
       "vectors without a tail"},
      {.range_tail = 16});
  add({"range_without_last_element", "The last element is not scanned for the range.",
       "loops that end one too early"},
      {.range_without_last = true});
}

void AddScales(const Add& add) {
  using S = D::Scale;
  add({"range_over_256", "The range is divided by 256.", "2^bits in place of 2^bits - 1"},
      {.divisor = D::Divisor::k256});
  add({"range_over_254", "The range is divided by 254.", "symmetric quantization"},
      {.divisor = D::Divisor::k254});
  add({"range_over_127", "The range is divided by 127.",
       "ranges reduced by one bit for pairs that saturate"},
      {.divisor = D::Divisor::k127});
  add({"scale_by_reciprocal", "The range is multiplied by 1 / 255, rounded to FLOAT."},
      {.scale = S::kReciprocal});
  add({"scale_of_two_quotients", "y_scale is max / 255 - min / 255.",
       "code that avoids the overflow of the range"},
      {.scale = S::kTwoQuotients});
  add({"scale_truncated", "The range over 255 is rounded toward zero."},
      {.scale = S::kTruncated});
  add({"scale_in_float16", "y_scale is rounded to FLOAT16."}, {.scale = S::kFloat16});
  add({"scale_in_bfloat16", "y_scale is rounded to BFLOAT16."}, {.scale = S::kBfloat16});
  add({"scale_of_power_of_two", "y_scale is the next power of two.",
       "accelerators that shift"},
      {.scale = S::kPowerOfTwo});
  add({"scale_at_least_epsilon", "y_scale is at least 2^-23.", "observers of frameworks"},
      {.scale = S::kAtLeastEpsilon});
  add({"range_saturates", "A range that overflows becomes the largest FLOAT."},
      {.scale = S::kFiniteRange});
  add({"range_fused", "The range over 255 is rounded only once."}, {.scale = S::kFused},
      "DYN-01:fused_range");
  add({"range_in_double", "Range and y_scale are computed in DOUBLE.",
       "scripting languages"},
      {.scale = S::kFusedInDouble}, "DYN-01:fused_range_in_double");
  add({"zero_range_is_one", "If all of x is 0, the range is 1.",
       "ONNX's reference evaluator"},
      {.zero_scale = D::ZeroScale::kOne255th}, "DYN-04:one_255th");
  add({"zero_range_scale_is_one", "If all of x is 0, y_scale is 1.", "ONNX Runtime"},
      {.zero_scale = D::ZeroScale::kOne}, "DYN-04:one");
  add({"subnormal_x_flushed", "Subnormal x are taken as zero.", "DAZ; GPUs"},
      {.flush_x = true});
  add({"subnormal_scale_flushed", "A subnormal y_scale becomes zero.", "FTZ; GPUs"},
      {.flush_scale = true});
}

void AddZeroPoints(const Add& add) {
  using Z = D::ZeroPoint;
  add({"zero_point_truncated", "y_zero_point is truncated.", "a plain cast to UINT8"},
      {.zero_point = Z::kTruncated});
  add({"zero_point_ties_away", "y_zero_point rounds ties away from zero.",
       "kernels built on roundf, std::round or llround"},
      {.zero_point = Z::kAway});
  add({"zero_point_rounded_up", "y_zero_point is rounded up."}, {.zero_point = Z::kUp});
  add({"zero_point_by_reciprocal", "y_zero_point is -min * (1 / y_scale)."},
      {.zero_point = Z::kReciprocal});
  add({"zero_point_of_exact_range",
       "y_zero_point is -min * 255 / (max - min), without the rounding of y_scale."},
      {.zero_point = Z::kExactRange});
  add({"zero_point_from_maximum", "y_zero_point is 255 - max / y_scale."},
      {.zero_point = Z::kFromMax});
  add({"zero_point_of_wrong_sign", "y_zero_point is min / y_scale, clipped."},
      {.zero_point = Z::kNegated});
  add({"zero_point_wraps", "y_zero_point keeps its low bits in place of saturating.",
       "a missing clamp"},
      {.zero_point = Z::kWraps});
  add({"zero_point_ends_at_127", "y_zero_point saturates to 127.", "one table for INT8"},
      {.zero_point = Z::kSignedClip});
  add({"zero_point_is_128", "y_zero_point is 128.", "symmetric quantization"},
      {.zero_point = Z::kMiddle});
  add({"symmetric_with_128", "The range is -max |x| to max |x|, y_zero_point 128.",
       "symmetric quantization"},
      {.range = D::Range::kOfMagnitudes, .zero_point = Z::kMiddle});
}

void AddElements(const Add& add) {
  using Q = D::Quotient;
  using R = FaultyRounding;
  using O = FaultyOrder;
  add(common::kTiesAway, {.rounding = R::kAway});
  add(common::kTiesHalfUp, {.rounding = R::kHalfUp});
  add(common::kTruncates, {.rounding = R::kTowardZero});
  add(common::kRoundsDown, {.rounding = R::kDown});
  add(common::kRoundsUp, {.rounding = R::kUp});
  add(common::kReciprocalMultiply, {.quotient = Q::kReciprocal});
  add({"quotient_by_range_reciprocal", "x is multiplied by 255 / (max - min) in FLOAT.",
       "kernels that compute both factors at once"},
      {.quotient = Q::kReciprocalRange});
  add({"quotient_of_exact_range",
       "x is quantized by x * 255 / (max - min), without the rounding of y_scale."},
      {.quotient = Q::kExactRange});
  add({"quotient_by_unrounded_scale",
       "x is divided by (max - min) / 255 in DOUBLE, not by the y_scale that is given.",
       "kernels that keep the scale in DOUBLE"},
      {.quotient = Q::kUnroundedScale});
  add({"quotient_in_double", "x / y_scale is not rounded to FLOAT.",
       "scripting languages"},
      {.quotient = Q::kInDouble});
  add({"quotient_truncated_in_float", "x / y_scale is rounded to FLOAT toward zero."},
      {.quotient = Q::kTruncated});
  add({"distance_from_minimum", "y is (x - min) / y_scale, rounded.",
       "the formula without a zero point"},
      {.quotient = Q::kDistance});
  add({"unrounded_zero_point", "y is made with the zero point before its rounding."},
      {.quotient = Q::kFloatZeroPoint});
  add(common::kZeroPointBeforeRounding, {.order = O::kBeforeRounding});
  add({"zero_point_added_in_float",
       "The zero point is added in FLOAT before the sum is rounded.",
       "x * (1 / s) + z in FLOAT"},
      {.order = O::kBeforeInP});
  add({"multiply_add", "y is x * (1 / y_scale) + y_zero_point in FLOAT, rounded.",
       "vector kernels"},
      {.quotient = Q::kReciprocal, .order = O::kBeforeInP});
  add(common::kFusedMultiplyAdd, {.order = O::kFused});
  add(common::kFakeQuantizeFormula, {.quotient = Q::kFakeQuantize});
  add(common::kSignLost, {.sign_lost = true});
  add(common::kZeroPointIgnored, {.order = O::kIgnored});
  add({"zero_point_subtracted_from_y", "y_zero_point is subtracted."},
      {.order = O::kSubtracted});
  add(common::kClampBeforeZeroPoint, {.order = O::kAfterClamp});
  add(common::kWrapsAtOutput, {.overflow = FaultyOverflow::kWrap});
  add(common::kUnsignedAsSigned, {.overflow = FaultyOverflow::kSignedRange});
  add(common::kLastElementUnwritten, {.last_unwritten = true});
  add(common::kTailTruncates4, {.rounding = R::kTowardZero, .tail_lanes = 4});
  add(common::kTailTruncates16, {.rounding = R::kTowardZero, .tail_lanes = 16});
}

void AddOutputs(const Add& add) {
  using O = D::Outputs;
  add({"scale_output_inverted", "y_scale is given as its reciprocal.",
       "kernels that multiply"},
      {.outputs = O::kInverseScale});
  add({"zero_point_output_is_zero", "y_zero_point is given as 0, y is right.",
       "outputs that are not written"},
      {.outputs = O::kZeroPointZero});
  add({"zero_point_output_negated", "y_zero_point is given negated, modulo 256."},
      {.outputs = O::kZeroPointNegated});
  add({"zero_point_output_as_int8", "y_zero_point is given less 128, modulo 256.",
       "kernels of INT8"},
      {.outputs = O::kZeroPointFrom128});
}

}  // namespace

std::vector<OperatorFault> Catalogue() {
  std::vector<OperatorFault> faults;
  const Add add{faults};
  AddElements(add);
  AddScales(add);
  AddRanges(add);
  AddZeroPoints(add);
  AddOutputs(add);
  faults.push_back(
      {.text = {"quantized_by_previous_call",
                "y is made with the scale and zero point of the call before.",
                "scales that are computed beside the product"},
       .set = D{.previous_call = true},
       .has_state = true});
  return faults;
}

}  // namespace qconform::dynamic_quantize_linear
