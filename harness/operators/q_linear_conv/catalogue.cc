// The catalogue of QLinearConv's faults.
#include "harness/convolution/convolution_faults.h"
#include "harness/core/common_faults.h"
#include "harness/operators/q_linear_conv/faults.h"

namespace qconform::q_linear_conv {
namespace {

namespace common = common_faults;

using S = QLinearConvSwitches;

struct Add {
  std::vector<OperatorFault>& faults;

  void operator()(FaultText text, S switches,
                  std::function<Declaration(const Cell&)> declare = nullptr) const {
    faults.push_back({text, switches, std::move(declare)});
  }
};

Declaration PerChannel(const Cell& cell) {
  if (cell.granularity == "per_channel") return Deviates();
  return Equivalent("w has one scale and zero point");
}

std::function<Declaration(const Cell&)> By(const char* reading) {
  return [reading](const Cell&) { return Admissible(reading); };
}

// The last steps, which the text hardly specifies.
void AddRequantization(const Add& add) {
  add(common::kTiesAway, {.rounding = S::Rounding::kAway}, By("QC-01:ties_away"));
  add(common::kTiesHalfUp, {.rounding = S::Rounding::kHalfUp}, By("QC-01:ties_up"));
  add(common::kZeroPointBeforeRounding, {.order = S::Order::kBeforeRounding},
      By("QC-01:zero_point_before_rounding"));
  const auto unspecified = By("QC-04:unspecified_requantization");
  add(common::kTruncates, {.rounding = S::Rounding::kTowardZero}, unspecified);
  add(common::kRoundsDown, {.rounding = S::Rounding::kDown}, unspecified);
  add(common::kRoundsUp, {.rounding = S::Rounding::kUp}, unspecified);
  add(common::kRoundedToHalvesFirst, {.rounding = S::Rounding::kHalvesFirst},
      unspecified);
  add(common::kFixedPointMultiplier, {.multiplier = S::Multiplier::kFixedPoint},
      unspecified);
  add({"multiplier_without_x_scale", "x_scale is taken as 1."},
      {.multiplier = S::Multiplier::kWithoutXScale});
  add({"multiplier_without_y_scale", "y_scale is taken as 1."},
      {.multiplier = S::Multiplier::kWithoutYScale});
  add({"power_of_two_multiplier", "The multiplier is rounded down to a power of two.",
       "accelerators that only shift"},
      {.multiplier = S::Multiplier::kPowerOfTwo});
  add(common::kPowerOfTwoMultiplier, {.multiplier = S::Multiplier::kNearestPowerOfTwo});
  add(common::kMultiplierThroughFloat16, {.multiplier = S::Multiplier::kThroughFloat16});
  add(common::kMultiplierThroughBfloat16, {.multiplier = S::Multiplier::kThroughBfloat16},
      unspecified);
  add(common::kSignLost, {.sign_lost = true});
  add(common::kAbsoluteScale, {.absolute_scales = true});
  add(common::kClampBeforeZeroPoint, {.order = S::Order::kAfterClamp});
  add(common::kZeroPointIgnored, {.order = S::Order::kIgnored});
  add({"zero_point_of_x", "x_zero_point is added in place of y_zero_point."},
      {.y_zero_point = S::ZeroPoint::kOfX});
  add({"zero_point_before_scaling", "The zero point is added to the sum of products."},
      {.y_zero_point = S::ZeroPoint::kBeforeScaling});
  add(common::kWrapsAtOutput, {.overflow = S::Overflow::kWrap});
  add(common::kInt32MinimumWrapsAtOutput,
      {.overflow = S::Overflow::kInt32MinimumLowBits});
  add(common::kInt32SaturatedWrapsAtOutput,
      {.overflow = S::Overflow::kInt32SaturatedLowBits});
  add(common::kInt32SumWrapsAtOutput, {.overflow = S::Overflow::kInt32SumLowBits});
  add(common::kNarrowRange, {.overflow = S::Overflow::kNarrowRange}, [](const Cell& c) {
    if (c.types.back() == DataType::kInt8) return Deviates();
    return Equivalent("it acts on signed integers");
  });
  add(common::kUnsignedAsSigned, {.overflow = S::Overflow::kSignedRange},
      [](const Cell& c) {
        if (c.types.back() == DataType::kUint8) return Deviates();
        return Equivalent("it acts on unsigned integers");
      });
  add({"clamps_at_zero_point", "Results below the zero point become the zero point.",
       "kernels with a fused activation"},
      {.clamps_at_zero_point = true});
  add(common::kLastElementUnwritten, {.last_unwritten = true});
}

void AddScales(const Add& add) {
  add({"first_w_scale_for_all", "Every output channel takes the first scale of w.",
       "kernels for per-tensor weights alone"},
      {.w_scale = S::Channel::kFirst}, PerChannel);
  add({"next_w_scale", "Every output channel takes the scale after its own."},
      {.w_scale = S::Channel::kNext}, PerChannel);
  add({"w_scale_within_group",
       "The scale of w is chosen by the channel's index within its group.",
       "loops over groups that restart the index"},
      {.w_scale = S::Channel::kWithinGroup}, PerChannel);
  add({"w_scale_of_group", "The scale of w is chosen by the group."},
      {.w_scale = S::Channel::kGroup}, PerChannel);
}

void AddBias(const Add& add) {
  add({"bias_ignored", "The bias is not added."}, {.bias = S::Bias::kIgnored});
  add({"bias_after_requantization", "The bias is added to the rounded result."},
      {.bias = S::Bias::kAfterRequantization});
  add({"bias_scaled_twice",
       "The bias is multiplied by x_scale * w_scale before it is added to the sum."},
      {.bias = S::Bias::kScaled});
  add({"bias_as_real_number",
       "The bias is taken as a real number, and divided by x_scale * w_scale.",
       "converters that quantize the bias again"},
      {.bias = S::Bias::kUnscaled});
  add({"first_bias_for_all", "Every output channel takes the first bias."},
      {.bias = S::Bias::kFirst});
  add({"next_bias", "Every output channel takes the bias after its own."},
      {.bias = S::Bias::kNext});
  add({"bias_within_group", "The bias is chosen by the channel's index within its group.",
       "loops over groups that restart the index"},
      {.bias = S::Bias::kWithinGroup});
  add({"bias_added_twice", "The bias is added twice.",
       "a bias in the start value of a sum and in its end"},
      {.bias = S::Bias::kTwice});
  add({"bias_low_16_bits", "The bias keeps its low 16 bits.", "tables of 16-bit biases"},
      {.bias = S::Bias::kLow16Bits});
  add({"int16_bias", "The bias saturates to INT16."}, {.bias = S::Bias::kInt16});
}

}  // namespace

std::vector<OperatorFault> Catalogue() {
  std::vector<OperatorFault> faults;
  const Add add{faults};
  for (const ConvolutionFault& fault : ConvolutionFaults()) {
    add(fault.text, {.sum = fault.mistakes});
    if (fault.only_per_channel) faults.back().declare = PerChannel;
  }
  AddScales(add);
  AddBias(add);
  AddRequantization(add);
  return faults;
}

}  // namespace qconform::q_linear_conv
