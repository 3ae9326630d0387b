#include "oracle/operators/quantize_linear/element.h"

#include <algorithm>
#include <climits>

namespace qconform {
namespace {

bool IsFinite(const ExactValue& value) {
  return value.value_class == ValueClass::kFinite;
}

constexpr int kNoExponent = INT_MIN;

ExactValue Nearest(const NumberFormat& format, const ExactValue& value) {
  return Decode(format, Round(format, ToUnrounded(value), RoundingMode::kNearestEven,
                              OverflowPolicy::kNonSaturating));
}

void Set(ElementAnswer& answer, int feature) {
  answer.features = static_cast<uint16_t>(answer.features | feature);
}

}  // namespace

QuantizeLinearElement::QuantizeLinearElement(DataType x, DataType y_scale, DataType y,
                                             const QuantizeLinearParameters& parameters)
    : x_(&FormatOf(x)),
      y_scale_(&FormatOf(y_scale)),
      parameters_(parameters),
      decode_x_(*x_),
      target_(y, parameters.target, parameters.precision),
      smallest_normal_x_(x_->kind == NumberKind::kFloat ? SmallestNormalExponent(*x_)
                                                        : kNoExponent),
      smallest_normal_quotient_(kNoExponent) {
  if (parameters.precision != DataType::kUndefined) {
    precision_ = &FormatOf(parameters.precision);
    converts_x_ = parameters.convert_operands && !HoldsAllOf(*precision_, *x_);
    converts_scale_ = parameters.convert_operands && !HoldsAllOf(*precision_, *y_scale_);
    round_quotient_.emplace(*precision_, parameters.quotient_rounding,
                            OverflowPolicy::kNonSaturating);
  }
  for (const DataType type : parameters.tier_precisions) {
    if (type == DataType::kUndefined) continue;
    TierType& tier = tiers_[static_cast<size_t>(tier_count_++)];
    tier.format = &FormatOf(type);
    tier.holds_operands =
        HoldsAllOf(*tier.format, *x_) && HoldsAllOf(*tier.format, *y_scale_);
    tier.is_precision = converts_x_ && type == parameters.precision &&
                        parameters.conversion_rounding == RoundingMode::kNearestEven;
    tier.smallest_normal = SmallestNormalExponent(*tier.format);
    tiers_hold_operands_ = tiers_hold_operands_ && tier.holds_operands;
    smallest_normal_x_ = std::max(smallest_normal_x_, tier.smallest_normal);
    smallest_normal_quotient_ = std::max(smallest_normal_quotient_, tier.smallest_normal);
  }
}

ExactValue QuantizeLinearElement::ConvertTo(const NumberFormat& format,
                                            const ExactValue& value) const {
  return Decode(format, Round(format, ToUnrounded(value), parameters_.conversion_rounding,
                              OverflowPolicy::kNonSaturating));
}

PreparedScale QuantizeLinearElement::PrepareScale(uint64_t code) const {
  PreparedScale scale;
  scale.given = Decode(*y_scale_, code);
  scale.divisor =
      Divisor(converts_scale_ ? ConvertTo(*precision_, scale.given) : scale.given);
  // QL-40.
  if (!IsFinite(scale.given) || scale.given.negative || IsSubnormal(*y_scale_, code)) {
    scale.least_tier = Tier::kDegenerateScale;
    return scale;
  }
  for (int i = 0; i < tier_count_; ++i) {
    const TierType& tier = tiers_[static_cast<size_t>(i)];
    const ExactValue converted = Nearest(*tier.format, scale.given);
    scale.in_tier_precision[static_cast<size_t>(i)] = converted;
    if (!IsFinite(converted)) {
      scale.least_tier = Tier::kConversionRange;
    } else if (TopOf(converted) < tier.smallest_normal) {
      scale.least_tier = std::max(scale.least_tier, Tier::kSubnormal);
    }
  }
  return scale;
}

void QuantizeLinearElement::Evaluate(uint64_t x_code, const PreparedScale& scale,
                                     const PreparedZeroPoint& zero_point,
                                     ElementAnswer& answer) const {
  // (1) Operands.
  const ExactValue given = decode_x_(x_code);
  if (converts_x_) {
    DivideAndRound(given, ConvertTo(*precision_, given), scale, zero_point, answer);
  } else {
    DivideAndRound(given, given, scale, zero_point, answer);
  }
}

void QuantizeLinearElement::DivideAndRound(const ExactValue& given, const ExactValue& x,
                                           const PreparedScale& scale,
                                           const PreparedZeroPoint& zero_point,
                                           ElementAnswer& answer) const {
  answer = {.tier = TierOf(given, x, scale)};

  // (2) Quotient.
  const Unrounded exact = Divide(x, scale.divisor);
  if (!round_quotient_ || exact.value_class != ValueClass::kFinite) {
    target_.Round(exact, zero_point, answer);
    return;
  }
  const Rounded rounded = (*round_quotient_)(exact);
  if (rounded.inexact()) Set(answer, kFeatureQuotientRounded);
  // (3), (4)
  target_.Round(ValueOf(rounded, exact.negative), zero_point, answer);
}

Tier QuantizeLinearElement::TierOf(const ExactValue& given, const ExactValue& converted,
                                   const PreparedScale& scale) const {
  if (scale.least_tier >= Tier::kConversionRange || !IsFinite(given))
    return scale.least_tier;
  // The exact quotient is below the smallest normal wherever the rounded one is.
  bool subnormal = scale.least_tier == Tier::kSubnormal ||
                   TopOf(given) < smallest_normal_x_ ||
                   TopOfQuotient(given, scale.given) < smallest_normal_quotient_;
  if (!tiers_hold_operands_) {
    for (int i = 0; i < tier_count_; ++i) {
      const TierType& tier = tiers_[static_cast<size_t>(i)];
      const ExactValue& divisor = scale.in_tier_precision[static_cast<size_t>(i)];
      const ExactValue dividend = tier.holds_operands ? given
                                  : tier.is_precision ? converted
                                                      : Nearest(*tier.format, given);
      if (!IsFinite(dividend)) return Tier::kConversionRange;
      subnormal = subnormal || TopOf(dividend) < tier.smallest_normal ||
                  TopOfQuotient(dividend, divisor) < tier.smallest_normal;
    }
  }
  return subnormal ? Tier::kSubnormal : Tier::kRegular;
}

}  // namespace qconform
