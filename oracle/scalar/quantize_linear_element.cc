#include "oracle/scalar/quantize_linear_element.h"

#include <algorithm>
#include <bit>
#include <climits>

namespace qconform {
namespace {

// Rounded quotients of integer targets: wide enough that adding a zero point of
// 16 bits to what saturates here saturates there.
constexpr NumberFormat kWideInteger{
    .kind = NumberKind::kInteger, .bits = 48, .is_signed = true};

bool IsFinite(const ExactValue& value) { return value.value_class == ValueClass::kFinite; }

// The exponent of the first bit.
int TopOf(const ExactValue& value) {
  return 63 - std::countl_zero(value.significand) + value.exponent;
}

// The exponent of the first bit of |a / b|, both finite and not zero.
int TopOfQuotient(const ExactValue& a, const ExactValue& b) {
  const uint64_t a_digits = a.significand << std::countl_zero(a.significand);
  const uint64_t b_digits = b.significand << std::countl_zero(b.significand);
  return TopOf(a) - TopOf(b) - (a_digits < b_digits ? 1 : 0);
}

constexpr int kNoExponent = INT_MIN;

ExactValue Nearest(const NumberFormat& format, const ExactValue& value) {
  return Decode(format, Round(format, ToUnrounded(value), RoundingMode::kNearestEven,
                              OverflowPolicy::kNonSaturating));
}

// The value that a finite one was rounded to; beyond the range infinity.
Unrounded ValueOf(const Rounded& rounded, bool negative) {
  return {.value_class = rounded.overflow     ? ValueClass::kInfinity
                         : rounded.units == 0 ? ValueClass::kZero
                                              : ValueClass::kFinite,
          .negative = negative,
          .significand = rounded.units,
          .exponent = rounded.unit};
}

void Set(ElementAnswer& answer, int feature) {
  answer.features = static_cast<uint16_t>(answer.features | feature);
}

}  // namespace

QuantizeLinearElement::QuantizeLinearElement(DataType x, DataType y_scale, DataType y,
                                             const QuantizeLinearParameters& parameters)
    : x_(&FormatOf(x)),
      y_scale_(&FormatOf(y_scale)),
      y_(&FormatOf(y)),
      parameters_(parameters),
      decode_x_(*x_),
      y_is_integer_(IsInteger(y)),
      code_mask_((uint64_t{1} << y_->bits) - 1),
      overflow_is_seen_(IsFloat8(y) && parameters.overflow == OverflowPolicy::kNonSaturating),
      infinity_is_nan_(parameters.fnuz_infinity_nan &&
                       y_->nan == NanEncoding::kNegativeZero),
      round_(y_is_integer_ ? kWideInteger : *y_, parameters.rounding,
             IsFloat8(y) ? parameters.overflow : OverflowPolicy::kSaturate),
      smallest_normal_x_(x_->kind == NumberKind::kFloat ? SmallestNormalExponent(*x_)
                                                        : kNoExponent),
      smallest_normal_quotient_(kNoExponent) {
  if (y_is_integer_) {
    smallest_ = IntegerMin(*y_);
    largest_ = IntegerMax(*y_);
  }
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
  scale.divisor = Divisor(converts_scale_ ? ConvertTo(*precision_, scale.given) : scale.given);
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

PreparedZeroPoint QuantizeLinearElement::PrepareZeroPoint(uint64_t code) const {
  PreparedZeroPoint zero_point{.present = true};
  zero_point.value = Decode(*y_, code);
  zero_point.zero = zero_point.value.value_class == ValueClass::kZero;
  if (y_->kind == NumberKind::kInteger) zero_point.integer = ToInteger(*y_, code);
  return zero_point;
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
  if (!zero_point.zero) Set(answer, kFeatureZeroPoint);

  // (2) Quotient.
  const Unrounded exact = Divide(x, scale.divisor);
  if (exact.value_class == ValueClass::kNan) Set(answer, kFeatureNan);
  if (!round_quotient_ || exact.value_class != ValueClass::kFinite) {
    RoundToTarget(exact, zero_point, answer);
    return;
  }
  const Rounded rounded = (*round_quotient_)(exact);
  if (rounded.inexact()) Set(answer, kFeatureQuotientRounded);
  RoundToTarget(ValueOf(rounded, exact.negative), zero_point, answer);
}

// (3), (4)
void QuantizeLinearElement::RoundToTarget(const Unrounded& quotient,
                                          const PreparedZeroPoint& zero_point,
                                          ElementAnswer& answer) const {
  if (quotient.value_class == ValueClass::kInfinity) Set(answer, kFeatureInfinity);
  if (y_is_integer_) {
    RoundToInteger(quotient, zero_point, answer);
  } else {
    RoundToFloat(quotient, zero_point, answer);
  }
}

Tier QuantizeLinearElement::TierOf(const ExactValue& given, const ExactValue& converted,
                                   const PreparedScale& scale) const {
  if (scale.least_tier >= Tier::kConversionRange || !IsFinite(given)) return scale.least_tier;
  // The exact quotient is below the smallest normal wherever the rounded one is.
  bool subnormal = scale.least_tier == Tier::kSubnormal || TopOf(given) < smallest_normal_x_ ||
                   TopOfQuotient(given, scale.given) < smallest_normal_quotient_;
  if (!tiers_hold_operands_) {
    for (int i = 0; i < tier_count_; ++i) {
      const TierType& tier = tiers_[static_cast<size_t>(i)];
      const ExactValue& divisor = scale.in_tier_precision[static_cast<size_t>(i)];
      const ExactValue dividend =
          tier.holds_operands ? given
          : tier.is_precision ? converted
                              : Nearest(*tier.format, given);
      if (!IsFinite(dividend)) return Tier::kConversionRange;
      subnormal = subnormal || TopOf(dividend) < tier.smallest_normal ||
                  TopOfQuotient(dividend, divisor) < tier.smallest_normal;
    }
  }
  return subnormal ? Tier::kSubnormal : Tier::kRegular;
}

// QL-10 to QL-13: round first, then add, then saturate.
void QuantizeLinearElement::RoundToInteger(const Unrounded& quotient,
                                           const PreparedZeroPoint& zero_point,
                                           ElementAnswer& answer) const {
  if (quotient.value_class == ValueClass::kNan) {  // QL-12
    answer.code = static_cast<uint32_t>(static_cast<uint64_t>(smallest_) & code_mask_);
    answer.freedom = Freedom::kAnyCode;
    return;
  }
  const Rounded rounded = round_(quotient);
  const int64_t magnitude =
      rounded.overflow ? IntegerMax(kWideInteger) : static_cast<int64_t>(rounded.units);
  const int64_t sum = (quotient.negative ? -magnitude : magnitude) + zero_point.integer;
  int64_t value = sum;
  if (sum < smallest_) {
    value = smallest_;
    Set(answer, kFeatureSaturatedLow);
  } else if (sum > largest_) {
    value = largest_;
    Set(answer, kFeatureSaturatedHigh);
  }
  if (rounded.inexact() || value != sum) Set(answer, kFeatureInexact);
  if (rounded.tie() || rounded.near_tie()) {
    // The other neighbour; a tie between a code and none could not be seen.
    const int64_t outward = quotient.negative ? -1 : 1;
    const int64_t other = rounded.away ? sum - outward : sum + outward;
    if (value == sum && smallest_ <= other && other <= largest_) {
      Set(answer, rounded.tie() ? kFeatureTie : kFeatureNearTie);
    }
  }
  if (value == 0) Set(answer, kFeatureZeroResult);
  answer.code = static_cast<uint32_t>(static_cast<uint64_t>(value) & code_mask_);
}

// QL-20 to QL-26.
void QuantizeLinearElement::RoundToFloat(const Unrounded& quotient,
                                         const PreparedZeroPoint& zero_point,
                                         ElementAnswer& answer) const {
  Unrounded value = quotient;
  if (zero_point.present && (!zero_point.zero || parameters_.zero_point_added)) {
    value = AddZeroPoint(quotient, zero_point.value);
  }
  const Rounded rounded = Encode(value);
  answer.code = static_cast<uint32_t>(rounded.code);
  if (value.value_class == ValueClass::kNan && y_->nan == NanEncoding::kNone) {
    answer.freedom = Freedom::kAnyCode;  // QL-26
    return;
  }
  if (IsNan(*y_, rounded.code)) answer.freedom = Freedom::kAnyNan;  // QL-23
  if (rounded.overflow) {
    Set(answer, value.negative ? kFeatureSaturatedLow : kFeatureSaturatedHigh);
  }
  if (rounded.inexact()) Set(answer, kFeatureInexact);
  // Halfway between the largest finite and what is beyond is one code on both
  // sides where overflow saturates.
  if (!rounded.at_limit || overflow_is_seen_) {
    if (rounded.tie()) Set(answer, kFeatureTie);
    if (rounded.near_tie()) Set(answer, kFeatureNearTie);
  }
  if (IsSubnormal(*y_, rounded.code)) Set(answer, kFeatureSubnormalResult);
  const uint64_t magnitude = rounded.code & (code_mask_ >> 1);
  if (magnitude == 0 && !IsNan(*y_, rounded.code)) {
    Set(answer, kFeatureZeroResult);
    if (parameters_.zero_sign_dropped && y_->nan == NanEncoding::kNone) answer.code = 0;
  }
}

// Rounds to y's grid, and gives overflow and infinities their codes.
Rounded QuantizeLinearElement::Encode(const Unrounded& value) const {
  Rounded rounded = round_(value);
  if (infinity_is_nan_ && value.value_class == ValueClass::kInfinity) {  // QL-22
    rounded.code = CanonicalNan(*y_);
  }
  return rounded;
}

// QL-24, QL-20a.
Unrounded QuantizeLinearElement::AddZeroPoint(const Unrounded& quotient,
                                              const ExactValue& zero_point) const {
  using FloatZeroPoint = QuantizeLinearReadings::FloatZeroPoint;
  switch (parameters_.float_zero_point) {
    case FloatZeroPoint::kCanonical: break;
    case FloatZeroPoint::kIgnored:
      // A zero point of zero may still decide the sign of a zero (QL-20a).
      if (zero_point.value_class != ValueClass::kZero) return quotient;
      break;
    case FloatZeroPoint::kRoundThenAdd: {
      // A NaN that the format does not hold stays NaN.
      if (quotient.value_class == ValueClass::kNan) return quotient;
      return Add(ToUnrounded(Decode(*y_, Encode(quotient).code)), zero_point);
    }
    case FloatZeroPoint::kAddedInP: {
      const Unrounded sum = Add(quotient, zero_point);
      if (!round_quotient_ || sum.value_class != ValueClass::kFinite) return sum;
      return ValueOf((*round_quotient_)(sum), sum.negative);
    }
  }
  return Add(quotient, zero_point);
}

}  // namespace qconform
