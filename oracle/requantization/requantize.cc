#include "oracle/requantization/requantize.h"

#include <algorithm>
#include <bit>

namespace qconform {
namespace {

using Formula = RequantizationParameters::Formula;
using Order = MultiplierOrder;

bool IsFinite(const ExactValue& value) {
  return value.value_class == ValueClass::kFinite;
}

// Rounds, to a value again.
ExactValue RoundTo(const Rounder& round, const Unrounded& value) {
  return Decode(round.format(), round(value).code);
}

Unrounded ToUnrounded(const RationalSum& c) {
  const Unrounded numerator{.value_class = c.value_class,
                            .negative = c.negative,
                            .significand = c.numerator,
                            .exponent = c.exponent};
  if (c.denominator == 1) return numerator;
  return DivideWide(numerator,
                    {.value_class = ValueClass::kFinite, .significand = c.denominator});
}

// Extended reals, left to right: where one of the operands is zero, infinite or NaN, so
// is the result, whatever the finite values are.
Unrounded RequantizeSpecial(const RationalSum& c, const RequantizationScales& scales) {
  const auto any_value = [](const Unrounded& value) {
    return ExactValue{.value_class = value.value_class,
                      .negative = value.negative,
                      .significand = value.value_class == ValueClass::kFinite ? 1u : 0u};
  };
  const Unrounded first{
      .value_class = c.value_class, .negative = c.negative, .significand = 1};
  const Unrounded product =
      Multiply(any_value(Multiply(any_value(first), scales.a)), scales.b);
  return Divide(any_value(product), scales.y);
}

Unrounded RequantizeExactly(const RationalSum& c, const RequantizationScales& scales) {
  const bool finite = c.value_class == ValueClass::kFinite && IsFinite(scales.a) &&
                      IsFinite(scales.b) && IsFinite(scales.y);
  if (!finite) return RequantizeSpecial(c, scales);
  // Scales have at most 24 digits, denominators 24 too: 48 in each product.
  const ExactValue product{.value_class = ValueClass::kFinite,
                           .negative = scales.a.negative != scales.b.negative,
                           .significand = scales.a.significand * scales.b.significand,
                           .exponent = scales.a.exponent + scales.b.exponent};
  const ExactValue divisor{.value_class = ValueClass::kFinite,
                           .negative = scales.y.negative,
                           .significand = scales.y.significand * c.denominator,
                           .exponent = scales.y.exponent};
  return DivideWide(MultiplyWide({.value_class = ValueClass::kFinite,
                                  .negative = c.negative,
                                  .significand = c.numerator,
                                  .exponent = c.exponent},
                                 product),
                    divisor);
}

}  // namespace

Requantizer::Requantizer(const RequantizationParameters& parameters)
    : parameters_(parameters) {
  if (parameters.formula == Formula::kExact) return;
  round_multiplier_.emplace(FormatOf(parameters.multiplier_precision),
                            parameters.rounding, OverflowPolicy::kNonSaturating);
  round_.emplace(FormatOf(parameters.precision), parameters.rounding,
                 OverflowPolicy::kNonSaturating);
}

Unrounded Requantizer::operator()(const RationalSum& c,
                                  const RequantizationScales& scales) const {
  if (parameters_.formula == Formula::kExact) return RequantizeExactly(c, scales);
  const auto times = [this](const ExactValue& one, const ExactValue& other) {
    return RoundTo(*round_, Multiply(one, other));
  };
  const ExactValue sum = RoundTo(*round_, ToUnrounded(c));
  ExactValue v;
  switch (parameters_.formula) {
    case Formula::kExact:
    case Formula::kMultiplier:
      v = times(sum, Multiplier(scales));
      break;
    case Formula::kChain:
      v = times(times(sum, parameters_.b_first ? scales.b : scales.a),
                parameters_.b_first ? scales.a : scales.b);
      v = RoundTo(*round_, Divide(v, scales.y));
      break;
    case Formula::kCombined:
      v = RoundTo(*round_, Divide(times(sum, times(scales.a, scales.b)), scales.y));
      break;
  }
  return qconform::ToUnrounded(v);
}

ExactValue Requantizer::Multiplier(const RequantizationScales& scales) const {
  const auto times = [this](const ExactValue& one, const ExactValue& other) {
    return RoundTo(*round_multiplier_, Multiply(one, other));
  };
  const auto over = [this](const ExactValue& one, const ExactValue& other) {
    return RoundTo(*round_multiplier_, Divide(one, other));
  };
  switch (parameters_.order) {
    case Order::kAbFirst:
      return over(times(scales.a, scales.b), scales.y);
    case Order::kByFirst:
      return times(scales.a, over(scales.b, scales.y));
    case Order::kAyFirst:
      return times(over(scales.a, scales.y), scales.b);
  }
  return {};
}

namespace {

// A value less its zero point is 0 or has its top digit between these powers of two.
struct Reach {
  int low;
  int high;
};
Reach ReachOf(DataType type) { return IsInteger(type) ? Reach{0, 7} : Reach{-17, 16}; }

// Whether operands that are dequantized to FLOAT first may leave its normal range: they
// themselves, their products, or the sum of these.
bool MayLeaveFloat(const TermTypes& types, const RequantizationScales& scales,
                   int product_top) {
  const NumberFormat& f32 = FormatOf(DataType::kFloat);
  const int least = SmallestNormalExponent(f32);
  const int most = TopOf(Decode(f32, LargestFinite(f32)));
  const Reach a = ReachOf(types.a);
  const Reach b = ReachOf(types.b);
  if (TopOf(scales.a) + a.low < least || TopOf(scales.b) + b.low < least) return true;
  if (product_top + a.low + b.low < least) return true;
  // Two factors below 2^(t + 1) and 2^(u + 1) have a product below 2^(t + u + 2).
  if (TopOf(scales.a) + a.high + 1 >= most || TopOf(scales.b) + b.high + 1 >= most)
    return true;
  const auto terms = static_cast<uint64_t>(std::max<int64_t>(types.terms, 1));
  const int digits_of_terms = static_cast<int>(std::bit_width(terms - 1));
  int digits_of_sum = a.high + b.high + 2 + digits_of_terms;
  if (types.has_bias) digits_of_sum = std::max(digits_of_sum, 31) + 1;
  return product_top + digits_of_sum >= most;
}

}  // namespace

Tier TierOfScales(const TermTypes& types, const RequantizationScales& scales) {
  const NumberFormat& own = FormatOf(types.scale);
  for (const ExactValue* scale : {&scales.a, &scales.b, &scales.y}) {
    if (!IsFinite(*scale) || scale->negative ||
        TopOf(*scale) < SmallestNormalExponent(own)) {
      return Tier::kDegenerateScale;
    }
  }
  const ExactValue product{.value_class = ValueClass::kFinite,
                           .significand = scales.a.significand * scales.b.significand,
                           .exponent = scales.a.exponent + scales.b.exponent};
  const int product_top = TopOf(product);
  if (MayLeaveFloat(types, scales, product_top)) return Tier::kDegenerateScale;
  const int multiplier_top = TopOfQuotient(product, scales.y);
  for (const NumberFormat* format : {&own, &FormatOf(DataType::kFloat)}) {
    const int smallest = SmallestNormalExponent(*format);
    if (product_top < smallest || multiplier_top < smallest)
      return Tier::kDegenerateScale;
    // Far below the largest value nothing overflows.
    const int largest = TopOf(Decode(*format, LargestFinite(*format)));
    if (product_top < largest && multiplier_top < largest) continue;
    const auto overflows = [format](const Unrounded& value) {
      return RoundWithFacts(*format, value, RoundingMode::kNearestEven,
                            OverflowPolicy::kNonSaturating)
          .overflow;
    };
    if (overflows(ToUnrounded(product)) || overflows(Divide(product, scales.y))) {
      return Tier::kDegenerateScale;
    }
  }
  return Tier::kRegular;
}

}  // namespace qconform
