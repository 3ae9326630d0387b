#include "oracle/requantization/bounds.h"

#include <algorithm>
#include <bit>

namespace qconform {
namespace {

constexpr int64_t kUnit = int64_t{1} << 24;  // 1 / u

Uint128 MagnitudeOf(Int128 value) {
  return value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value);
}

RationalSum Rational(Int128 numerator, uint64_t denominator, int exponent) {
  return {.value_class = numerator == 0 ? ValueClass::kZero : ValueClass::kFinite,
          .negative = numerator < 0,
          .numerator = MagnitudeOf(numerator),
          .denominator = denominator,
          .exponent = exponent};
}

// A scale as significand * 2^exponent, the significand odd, or 0 where it is no number
// but 0.
struct OddPart {
  uint64_t significand = 0;
  int exponent = 0;

  int top() const { return exponent + static_cast<int>(std::bit_width(significand)); }
};

OddPart OddPartOf(const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite) return {};
  const int zeros = std::countr_zero(value.significand);
  return {value.significand >> zeros, value.exponent + zeros};
}

}  // namespace

RationalSum SumOf(const Accumulated& c) {
  RationalSum sum = Rational(c.units, 1, c.exponent);
  sum.value_class = c.value_class;
  if (c.value_class == ValueClass::kInfinity) sum.negative = c.negative;
  return sum;
}

// The smallest and the largest of the codes so far, by value.
class FloatSumBounds::Hull {
 public:
  Hull(const NumberFormat& format, uint32_t code)
      : format_(&format), low_(code), high_(code) {}

  void Include(uint32_t code) {
    // A NaN at an end says that anything may be between.
    if (IsNan(*format_, code)) {
      IncludeAll();
      return;
    }
    if (ValueOrder(*format_, code) < ValueOrder(*format_, low_)) low_ = code;
    if (ValueOrder(*format_, code) > ValueOrder(*format_, high_)) high_ = code;
  }

  void IncludeAll() {
    if (format_->kind == NumberKind::kInteger) {
      const uint64_t mask = (uint64_t{1} << format_->bits) - 1;
      low_ = static_cast<uint32_t>(static_cast<uint64_t>(IntegerMin(*format_)) & mask);
      high_ = static_cast<uint32_t>(IntegerMax(*format_));
      return;
    }
    high_ = static_cast<uint32_t>(format_->has_infinity ? Infinity(*format_, false)
                                                        : LargestFinite(*format_));
    low_ = high_ | static_cast<uint32_t>(1u << (format_->bits - 1));
  }

  uint32_t low() const { return low_; }
  uint32_t high() const { return high_; }

 private:
  const NumberFormat* format_;
  uint32_t low_;
  uint32_t high_;
};

FloatSumBounds::FloatSumBounds(DataType scale, DataType p, const TargetParameters& target,
                               const NumberFormat& y)
    : y_(&y), exact_{Requantizer({}), Target(y.type, target, p)} {
  for (const RequantizationReading& reading : RequantizationReadings(scale)) {
    const RequantizationParameters parameters =
        RequantizationParametersOf(reading, scale);
    readings_.push_back(
        {Requantizer(parameters), Target(y.type, target, parameters.precision_of_v())});
  }
}

void FloatSumBounds::Add(const Element& element, Int128 numerator, int64_t denominator,
                         const Requantizer& requantize, const Target& target,
                         Hull& hull) const {
  const Int128 middle = element.sum.units * denominator;
  const Int128 distance = static_cast<Int128>(element.sum.magnitude) * numerator;
  for (const Int128 end : {middle - distance, middle + distance}) {
    ElementAnswer answer;
    target.Round(requantize(Rational(end, static_cast<uint64_t>(denominator),
                                     element.sum.exponent),
                            element.scales),
                 element.zero_point, answer);
    hull.Include(answer.code);
  }
}

int64_t FloatSumBounds::RoundingsOf(const Element& element) {
  // Differences of float8 values and their zero points may be rounded to FLOAT. Two for
  // the scales, one for the division.
  const int64_t most =
      element.terms + (element.has_zero_point && !element.integer ? 2 : 0) + 3;
  const OddPart a = OddPartOf(element.scales.a);
  const OddPart b = OddPartOf(element.scales.b);
  const OddPart y = OddPartOf(element.scales.y);
  if (!element.integer || element.sum.exponent != 0 || a.significand == 0 ||
      b.significand == 0 || y.significand == 0) {
    return most;
  }
  constexpr int kLeast = -126, kMost = 127;  // FLOAT's normal exponents
  const int unit = a.exponent + b.exponent;
  const bool normal = std::min({a.exponent, b.exponent, unit}) >= kLeast &&
                      std::max(a.top(), b.top()) + 9 <= kMost && unit + 24 <= kMost &&
                      y.top() <= unit - kLeast && unit + 24 - y.exponent <= kMost;
  const bool exact =
      element.sum.magnitude <= kUnit &&
      element.sum.magnitude * a.significand * b.significand <= Uint128{kUnit};
  if (!normal || !exact) return most;
  return y.significand == 1 ? 0 : 1;
}

ArisingCodes FloatSumBounds::CodesOf(const FloatReach& reach,
                                     const Element& element) const {
  ArisingCodes codes;
  const auto round = [&](const Unrounded& v) {
    ElementAnswer answer;
    exact_.target.Round(v, element.zero_point, answer);
    return answer;
  };
  const auto is_nan = [&](const ElementAnswer& answer) {
    return answer.freedom == Freedom::kAnyCode || IsNan(*y_, answer.code);
  };
  const auto include = [&](const Unrounded& v) {
    const ElementAnswer answer = round(v);
    if (is_nan(answer)) {
      codes.nan = true;
      return;
    }
    const bool first = !codes.finite;
    const int64_t order = ValueOrder(*y_, answer.code);
    if (first || order < ValueOrder(*y_, codes.low)) codes.low = answer.code;
    if (first || order > ValueOrder(*y_, codes.high)) codes.high = answer.code;
    codes.finite = true;
  };
  const auto infinity = [&](bool negative, bool& arises, uint32_t& code) {
    const ElementAnswer answer =
        round({.value_class = ValueClass::kInfinity, .negative = negative});
    if (is_nan(answer)) {
      codes.nan = true;
      return;
    }
    arises = true;
    code = answer.code;
  };
  codes.nan = reach.nan;
  if (reach.plus_infinity) infinity(false, codes.plus_infinity, codes.plus_infinity_code);
  if (reach.minus_infinity)
    infinity(true, codes.minus_infinity, codes.minus_infinity_code);
  if (reach.zero) include({});
  for (const Unrounded& v : reach.range) include(v);
  if (!reach.error) return codes;
  const Unrounded v = exact_.requantize(SumOf(element.sum), element.scales);
  for (const bool negative : {false, true}) {
    ExactValue error = *reach.error;
    error.negative = negative;
    include(qconform::Add(v, error));
  }
  return codes;
}

CodeBounds FloatSumBounds::Of(const Element& element, const ElementAnswer& answer) const {
  const bool special = element.sum.value_class == ValueClass::kNan ||
                       element.sum.value_class == ValueClass::kInfinity;
  if (special || answer.freedom == Freedom::kAnyCode || IsNan(*y_, answer.code)) {
    return {answer.code, answer.code, answer.code, answer.code};
  }
  const int64_t n = RoundingsOf(element);
  Hull hull(*y_, answer.code);
  if (n >= kUnit) {
    hull.IncludeAll();
  } else {
    Add(element, n, kUnit - n, exact_.requantize, exact_.target, hull);
    if (!element.integer) {
      for (const Reading& reading : readings_) {
        // The sum alone.
        Add(element, n - 3, kUnit - (n - 3), reading.requantize, reading.target, hull);
      }
    }
  }
  CodeBounds bounds{.low = hull.low(), .high = hull.high()};
  // K * 2^-10, and not less than what is admissible.
  if (!element.integer && element.terms < kUnit) {
    Add(element, element.terms, 1024, exact_.requantize, exact_.target, hull);
  }
  bounds.wider_low = hull.low();
  bounds.wider_high = hull.high();
  return bounds;
}

}  // namespace qconform
