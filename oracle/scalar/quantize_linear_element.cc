#include "oracle/scalar/quantize_linear_element.h"

#include <bit>
#include <cassert>

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

void Set(ElementAnswer& answer, int feature) {
  answer.features = static_cast<uint16_t>(answer.features | feature);
}

}  // namespace

QuantizeLinearElement::QuantizeLinearElement(DataType x, DataType y_scale, DataType y,
                                             const QuantizeLinearParameters& parameters)
    : x_(&FormatOf(x)),
      y_scale_(&FormatOf(y_scale)),
      y_(&FormatOf(y)),
      parameters_(parameters) {
  if (parameters.precision != DataType::kUndefined) {
    precision_ = &FormatOf(parameters.precision);
    converts_x_ = parameters.convert_operands && !HoldsAllOf(*precision_, *x_);
    converts_scale_ = parameters.convert_operands && !HoldsAllOf(*precision_, *y_scale_);
  }
  if (IsFloat8(y)) overflow_ = parameters.overflow;
  infinity_is_nan_ = parameters.fnuz_infinity_nan && y_->nan == NanEncoding::kNegativeZero;
  for (const DataType type : parameters.tier_precisions) {
    if (type == DataType::kUndefined) continue;
    TierType& tier = tiers_[static_cast<size_t>(tier_count_++)];
    tier.format = &FormatOf(type);
    tier.holds_x = HoldsAllOf(*tier.format, *x_);
    tier.is_precision = converts_x_ && type == parameters.precision &&
                        parameters.conversion_rounding == RoundingMode::kNearestEven;
    tier.smallest_normal = SmallestNormalExponent(*tier.format);
  }
}

ExactValue QuantizeLinearElement::Convert(const ExactValue& value,
                                          const NumberFormat& format) const {
  return Decode(format, Round(format, ToUnrounded(value), parameters_.conversion_rounding,
                              OverflowPolicy::kNonSaturating));
}

PreparedScale QuantizeLinearElement::PrepareScale(uint64_t code) const {
  PreparedScale scale;
  scale.given = Decode(*y_scale_, code);
  scale.value = converts_scale_ ? Convert(scale.given, *precision_) : scale.given;
  // QL-40.
  scale.degenerate =
      !IsFinite(scale.given) || scale.given.negative || IsSubnormal(*y_scale_, code);
  if (scale.degenerate) return scale;
  for (int i = 0; i < tier_count_; ++i) {
    const TierType& tier = tiers_[static_cast<size_t>(i)];
    const ExactValue converted =
        Decode(*tier.format, Round(*tier.format, ToUnrounded(scale.given),
                                   RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating));
    scale.in_tier_precision[static_cast<size_t>(i)] = converted;
    if (!IsFinite(converted)) {
      scale.out_of_range = true;
    } else if (TopOf(converted) < tier.smallest_normal) {
      scale.subnormal = true;
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

ElementAnswer QuantizeLinearElement::Evaluate(uint64_t x_code, const PreparedScale& scale,
                                              const PreparedZeroPoint& zero_point) const {
  ElementAnswer answer;
  // (1) Operands.
  const ExactValue given = Decode(*x_, x_code);
  const ExactValue x = converts_x_ ? Convert(given, *precision_) : given;
  answer.tier = TierOf(x_code, given, x, scale);

  // (2) Quotient.
  Unrounded quotient = Divide(x, scale.value);
  if (precision_ != nullptr && quotient.value_class == ValueClass::kFinite) {
    const Rounded rounded = RoundWithFacts(*precision_, quotient, parameters_.quotient_rounding,
                                           OverflowPolicy::kNonSaturating);
    if (rounded.inexact) Set(answer, kFeatureQuotientRounded);
    quotient = ToUnrounded(Decode(*precision_, rounded.code));
  }
  if (quotient.value_class == ValueClass::kNan) Set(answer, kFeatureNan);
  if (quotient.value_class == ValueClass::kInfinity) Set(answer, kFeatureInfinity);
  if (!zero_point.zero) Set(answer, kFeatureZeroPoint);

  // (3), (4)
  if (y_->kind == NumberKind::kInteger) {
    RoundToInteger(quotient, zero_point, answer);
  } else {
    RoundToFloat(quotient, zero_point, answer);
  }
  return answer;
}

Tier QuantizeLinearElement::TierOf(uint64_t x_code, const ExactValue& given,
                                   const ExactValue& converted,
                                   const PreparedScale& scale) const {
  if (scale.degenerate) return Tier::kDegenerateScale;
  if (scale.out_of_range) return Tier::kConversionRange;
  if (!IsFinite(given)) return scale.subnormal ? Tier::kSubnormal : Tier::kRegular;
  bool subnormal = scale.subnormal || IsSubnormal(*x_, x_code);
  for (int i = 0; i < tier_count_; ++i) {
    const TierType& tier = tiers_[static_cast<size_t>(i)];
    const ExactValue& divisor = scale.in_tier_precision[static_cast<size_t>(i)];
    ExactValue dividend = given;
    if (!tier.holds_x) {
      dividend = tier.is_precision
                     ? converted
                     : Decode(*tier.format,
                              Round(*tier.format, ToUnrounded(given), RoundingMode::kNearestEven,
                                    OverflowPolicy::kNonSaturating));
      if (!IsFinite(dividend)) return Tier::kConversionRange;
    }
    // The exact quotient of the operands, converted or not, is below 2^n
    // wherever the rounded one is.
    subnormal = subnormal || TopOf(dividend) < tier.smallest_normal ||
                TopOfQuotient(dividend, divisor) < tier.smallest_normal ||
                TopOfQuotient(given, scale.given) < tier.smallest_normal;
  }
  return subnormal ? Tier::kSubnormal : Tier::kRegular;
}

// QL-10 to QL-13: round first, then add, then saturate.
void QuantizeLinearElement::RoundToInteger(const Unrounded& quotient,
                                           const PreparedZeroPoint& zero_point,
                                           ElementAnswer& answer) const {
  const int64_t smallest = IntegerMin(*y_);
  const int64_t largest = IntegerMax(*y_);
  const uint64_t mask = (uint64_t{1} << y_->bits) - 1;
  if (quotient.value_class == ValueClass::kNan) {  // QL-12
    answer.code = static_cast<uint32_t>(static_cast<uint64_t>(smallest) & mask);
    answer.freedom = Freedom::kAnyCode;
    return;
  }
  const Rounded rounded =
      RoundWithFacts(kWideInteger, quotient, parameters_.rounding, OverflowPolicy::kSaturate);
  const int64_t sum = ToInteger(kWideInteger, rounded.code) + zero_point.integer;
  int64_t value = sum;
  if (sum < smallest) {
    value = smallest;
    Set(answer, kFeatureSaturatedLow);
  } else if (sum > largest) {
    value = largest;
    Set(answer, kFeatureSaturatedHigh);
  }
  if (rounded.inexact || value != sum) Set(answer, kFeatureInexact);
  if (rounded.tie || rounded.near_tie) {
    // The other neighbour; a tie between a code and none could not be seen.
    const int64_t outward = quotient.negative ? -1 : 1;
    const int64_t other = rounded.away ? sum - outward : sum + outward;
    if (value == sum && smallest <= other && other <= largest) {
      Set(answer, rounded.tie ? kFeatureTie : kFeatureNearTie);
    }
  }
  if (value == 0) Set(answer, kFeatureZeroResult);
  answer.code = static_cast<uint32_t>(static_cast<uint64_t>(value) & mask);
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
  if (rounded.inexact) Set(answer, kFeatureInexact);
  // Halfway between the largest finite and what is beyond is one code on both
  // sides where overflow saturates.
  if (rounded.between_codes || (overflow_ == OverflowPolicy::kNonSaturating && rounded.inexact)) {
    if (rounded.tie) Set(answer, kFeatureTie);
    if (rounded.near_tie) Set(answer, kFeatureNearTie);
  }
  if (IsSubnormal(*y_, rounded.code)) Set(answer, kFeatureSubnormalResult);
  const uint64_t magnitude = rounded.code & ((uint64_t{1} << (y_->bits - 1)) - 1);
  if (magnitude == 0 && !IsNan(*y_, rounded.code)) {
    Set(answer, kFeatureZeroResult);
    if (parameters_.zero_sign_dropped && y_->nan == NanEncoding::kNone) answer.code = 0;
  }
}

// Rounds to y's grid, and gives overflow and infinities their codes.
Rounded QuantizeLinearElement::Encode(const Unrounded& value) const {
  Rounded rounded = RoundWithFacts(*y_, value, parameters_.rounding, overflow_);
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
      if (precision_ == nullptr || sum.value_class != ValueClass::kFinite) return sum;
      return ToUnrounded(
          Decode(*precision_, Round(*precision_, sum, parameters_.quotient_rounding,
                                    OverflowPolicy::kNonSaturating)));
    }
  }
  return Add(quotient, zero_point);
}

}  // namespace qconform
