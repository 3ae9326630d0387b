#include "harness/core/integer_target.h"

#include <algorithm>

namespace qconform {
namespace {

using enum FaultyOverflow;

constexpr NumberFormat kWide{.kind = NumberKind::kInteger, .bits = 48, .is_signed = true};

int64_t IntegerOf(const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite) return 0;
  const auto magnitude = static_cast<int64_t>(value.significand << value.exponent);
  return value.negative ? -magnitude : magnitude;
}

// Whether y has the low bits of what it gets.
bool HasLowBits(FaultyOverflow overflow) {
  return overflow == kWrap || overflow == kInt32MinimumLowBits ||
         overflow == kInt32SaturatedLowBits || overflow == kInt32SumLowBits;
}

int64_t ThroughInt32(int64_t value) {
  return std::clamp<int64_t>(value, INT32_MIN, INT32_MAX);
}

int64_t ThroughInt16(int64_t value) {
  return std::clamp<int64_t>(value, INT16_MIN, INT16_MAX);
}

}  // namespace

ExactValue RoundedAs(DataType type, const Unrounded& value) {
  const NumberFormat& format = FormatOf(type);
  return Decode(format, Round(format, value, RoundingMode::kNearestEven,
                              OverflowPolicy::kNonSaturating));
}

Unrounded IntegerFirst(const Unrounded& value, FaultyInteger mistake) {
  constexpr Unrounded kLowest{.value_class = ValueClass::kFinite,
                              .negative = true,
                              .significand = 1,
                              .exponent = 31};
  if (mistake == FaultyInteger::kNo) return value;
  const bool converts = mistake == FaultyInteger::kConverted;
  if (value.value_class == ValueClass::kZero) return converts ? Unrounded{} : value;
  if (value.value_class != ValueClass::kFinite) return converts ? kLowest : value;
  const int top = TopBit(value.significand) + value.exponent;
  if (converts && top >= 31) return kLowest;
  // No type has values of that size that are no integers.
  if (top >= kWide.bits - 1) return value;
  const Rounder round(kWide, RoundingMode::kNearestEven, OverflowPolicy::kSaturate);
  const auto units = round(value).units;
  if (units == 0) return {.negative = value.negative && !converts};
  return {.value_class = ValueClass::kFinite,
          .negative = value.negative,
          .significand = units};
}

ExactValue NearestPowerOfTwo(const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite || value.negative) return value;
  // sqrt(2) lies in the middle.
  const Uint128 square = static_cast<Uint128>(value.significand) * value.significand;
  const int top = TopBit(value.significand);
  ExactValue power{.value_class = ValueClass::kFinite, .significand = 1};
  power.exponent = value.exponent + top + (TopBit(square) > 2 * top ? 1 : 0);
  return power;
}

ExactValue NearestPowerOfTwo(const Unrounded& value) {
  return NearestPowerOfTwo(RoundedAs(DataType::kDouble, value));
}

Unrounded TimesMultiplierIn(DataType type, const Unrounded& c, const ExactValue& a,
                            const ExactValue& b, const ExactValue& y) {
  const auto in_float = [](const Unrounded& value) {
    return RoundedAs(DataType::kFloat, value);
  };
  const ExactValue m =
      RoundedAs(type, ToUnrounded(in_float(Divide(in_float(Multiply(a, b)), y))));
  return ToUnrounded(in_float(Multiply(in_float(c), m)));
}

RoundingMode ModeOf(FaultyRounding rounding) {
  switch (rounding) {
    case FaultyRounding::kAway:
      return RoundingMode::kNearestAway;
    case FaultyRounding::kTowardZero:
    case FaultyRounding::kAddHalfInPTowardZero:  // of the sum
      return RoundingMode::kTowardZero;
    case FaultyRounding::kDown:
    case FaultyRounding::kAddHalfInP:
      return RoundingMode::kDown;  // of the sum
    case FaultyRounding::kUp:
      return RoundingMode::kUp;
    default:
      return RoundingMode::kNearestEven;
  }
}

bool AsksForTies(FaultyRounding rounding) {
  return rounding == FaultyRounding::kHalfUp || rounding == FaultyRounding::kHalfDown ||
         rounding == FaultyRounding::kRandomTies;
}

bool TieGoesAway(FaultyRounding rounding, bool negative, bool random) {
  if (rounding == FaultyRounding::kHalfUp) return !negative;
  return rounding == FaultyRounding::kHalfDown ? negative : random;
}

IntegerTarget::IntegerTarget(const NumberFormat& y, FaultyRounding rounding,
                             FaultyOrder order, FaultyOverflow overflow)
    : y_(y),
      rounding_(rounding),
      order_(order),
      overflow_(overflow),
      wide_(kWide, ModeOf(rounding), OverflowPolicy::kSaturate) {}

uint64_t IntegerTarget::CodeOf(const Unrounded& value, const ExactValue& zero_point,
                               bool random, IntegerSteps* steps) const {
  const int64_t low = IntegerMin(y_);
  int64_t high = IntegerMax(y_);
  if (value.value_class == ValueClass::kNan) return Masked(low);
  const int64_t rounded = ToWide(value, random);
  int64_t sum = rounded;
  switch (order_) {
    case FaultyOrder::kBeforeRounding:
    case FaultyOrder::kBeforeInP:
    case FaultyOrder::kFused:
    case FaultyOrder::kIgnored:
      break;
    case FaultyOrder::kAfterClamp:
      sum = std::clamp(rounded, low, high) + IntegerOf(zero_point);
      break;
    case FaultyOrder::kSubtracted:
      sum = rounded - IntegerOf(zero_point);
      break;
    case FaultyOrder::kAsInteger:  // an integer has no other
    case FaultyOrder::kAfter:
      if ((overflow_ == kInt32Minimum || overflow_ == kInt32MinimumWraps ||
           overflow_ == kInt32MinimumLowBits) &&
          (rounded > INT32_MAX || rounded < INT32_MIN)) {
        sum = INT32_MIN;
      }
      if (overflow_ == kInt32SaturatedWraps || overflow_ == kInt32SaturatedLowBits) {
        sum = ThroughInt32(rounded);
      }
      if (overflow_ == kThroughInt16) sum = ThroughInt16(rounded);
      sum += IntegerOf(zero_point);
      if (overflow_ == kWrapInt32 || overflow_ == kInt32MinimumWraps ||
          overflow_ == kInt32SaturatedWraps) {
        sum = static_cast<int32_t>(sum);
      }
      break;
  }
  if (overflow_ == kThroughInt16) sum = ThroughInt16(sum);
  if (steps != nullptr) {
    steps->with_zero_point = sum;
    if (!adds_before_rounding()) steps->rounded = rounded;
  }
  if (overflow_ == kInt32SumLowBits) sum = ThroughInt32(sum);
  if (HasLowBits(overflow_)) return Masked(sum);
  if (overflow_ == kSignedRange && !y_.is_signed) high /= 2;
  sum = std::clamp(sum, low, high);
  if (overflow_ == kNarrowRange && y_.is_signed) sum = std::max(sum, low + 1);
  return Masked(sum);
}

uint64_t IntegerTarget::CodeOf(const ExactValue& zero_point) const {
  return Masked(IntegerOf(zero_point));
}

int64_t IntegerTarget::ToWide(const Unrounded& value, bool random) const {
  if (rounding_ == FaultyRounding::kHalvesFirst &&
      value.value_class == ValueClass::kFinite) {
    Unrounded doubled = value;
    ++doubled.exponent;
    const Rounded halves = wide_(doubled);
    if (!halves.overflow) {
      const auto units = static_cast<int64_t>(halves.units);
      const int64_t whole = units / 2 + (units % 2 & (units / 2 % 2));
      return value.negative ? -whole : whole;
    }
  }
  const Rounded rounded = wide_(value);
  auto magnitude = static_cast<int64_t>(rounded.units);
  if (rounded.overflow) {
    magnitude = IntegerMax(kWide);
  } else if (AsksForTies(rounding_) && rounded.tie()) {
    magnitude +=
        (TieGoesAway(rounding_, value.negative, random) ? 1 : 0) - (rounded.away ? 1 : 0);
  }
  return value.negative ? -magnitude : magnitude;
}

uint64_t IntegerTarget::Masked(int64_t value) const {
  return static_cast<uint64_t>(value) & ((uint64_t{1} << y_.bits) - 1);
}

}  // namespace qconform
