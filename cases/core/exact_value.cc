#include "cases/core/exact_value.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace qconform::generators {

ExactValue Dyadic(int64_t significand, int exponent) {
  if (significand == 0) return {};
  const bool negative = significand < 0;
  const auto bits = static_cast<uint64_t>(significand);
  return {.value_class = ValueClass::kFinite,
          .negative = negative,
          .significand = negative ? ~bits + 1 : bits,
          .exponent = exponent};
}

ExactValue ToExact(const Unrounded& value) {
  assert(!value.sticky);
  ExactValue exact{.value_class = value.value_class, .negative = value.negative};
  if (value.value_class != ValueClass::kFinite) return exact;
  Uint128 significand = value.significand;
  exact.exponent = value.exponent;
  if (static_cast<uint64_t>(significand) == 0) {
    significand >>= 64;
    exact.exponent += 64;
  }
  const int zeros = std::countr_zero(static_cast<uint64_t>(significand));
  significand >>= zeros;
  exact.exponent += zeros;
  assert(significand >> 64 == 0);
  exact.significand = static_cast<uint64_t>(significand);
  return exact;
}

int FloorLog2(const ExactValue& value) {
  assert(value.value_class == ValueClass::kFinite);
  return static_cast<int>(std::bit_width(value.significand)) - 1 + value.exponent;
}

int FloorLog2(const NumberFormat& format, uint64_t code) {
  return FloorLog2(Decode(format, code));
}

int LargestExponent(const NumberFormat& format) {
  return FloorLog2(format, LargestFinite(format));
}

int SmallestExponent(const NumberFormat& format) {
  switch (format.kind) {
    case NumberKind::kInteger:
      return 0;
    case NumberKind::kPowerOfTwo:
      return FloorLog2(format, SmallestPositive(format));
    case NumberKind::kFloat:
      break;
  }
  return FloorLog2(format, SmallestNormal(format));
}

uint64_t Step(const NumberFormat& format, uint64_t code, int steps) {
  const PreparedFormat& prepared = Prepared(format);
  if (!prepared.is_float) {
    const int64_t value =
        prepared.low < 0 ? ToInteger(format, code) : static_cast<int64_t>(code);
    return static_cast<uint64_t>(std::clamp(value + steps, prepared.low, prepared.high)) &
           prepared.code_mask;
  }
  // Magnitudes are ordered as their codes are; +0 and -0 are one value.
  const uint64_t sign = code & prepared.sign_bit;
  const auto magnitude = static_cast<int64_t>(code ^ sign);
  const int64_t value = std::clamp((sign != 0 ? -magnitude : magnitude) + steps,
                                   prepared.low, prepared.high);
  if (value == 0) return sign;
  return value < 0 ? static_cast<uint64_t>(-value) | prepared.sign_bit
                   : static_cast<uint64_t>(value);
}

uint64_t Negated(const NumberFormat& format, uint64_t code) {
  if (format.kind == NumberKind::kInteger)
    return IntegerCode(format, -ToInteger(format, code));
  return code ^ (uint64_t{1} << (format.bits - 1));
}

bool LeavesRange(const NumberFormat& from, const NumberFormat& to) {
  if (RoundTo(to, ToUnrounded(Decode(from, LargestFinite(from)))).value_class ==
      ValueClass::kInfinity) {
    return true;
  }
  const uint64_t smallest =
      from.kind == NumberKind::kInteger ? 1 : SmallestPositive(from);
  return RoundTo(to, ToUnrounded(Decode(from, smallest))).value_class ==
         ValueClass::kZero;
}

ExactValue RoundTo(const NumberFormat& precision, const Unrounded& value) {
  const PreparedFormat& prepared = Prepared(precision);
  return prepared.decode(prepared.to_precision(value).code);
}

uint64_t IntegerCode(const NumberFormat& format, int64_t value) {
  const int64_t clamped = std::clamp(value, IntegerMin(format), IntegerMax(format));
  return static_cast<uint64_t>(clamped) & (~uint64_t{0} >> (64 - format.bits));
}

}  // namespace qconform::generators
