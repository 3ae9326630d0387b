#include "oracle/graphs/bounds/real.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace qconform {
namespace {

constexpr int kDigits = 126;

// Whether a magnitude that was cut has to grow.
bool GrowsAway(bool negative, Direction direction) {
  return (direction == Direction::kUp) != negative;
}

int TrailingZeros(Uint128 digits) {
  const auto low = static_cast<uint64_t>(digits);
  if (low != 0) return std::countr_zero(low);
  return 64 + std::countr_zero(static_cast<uint64_t>(digits >> 64));
}

// The value in units of 2^unit, rounded. Precondition: it is below 2^126 units.
Int128 InUnits(const Real& value, int unit, Direction direction) {
  const int shift = value.exponent - unit;
  Uint128 magnitude = 0;
  if (shift >= 0) {
    magnitude = value.digits << shift;
  } else {
    bool is_cut = value.digits != 0;
    if (-shift < 128) {
      magnitude = value.digits >> -shift;
      is_cut = (magnitude << -shift) != value.digits;
    }
    if (is_cut && GrowsAway(value.negative, direction)) ++magnitude;
  }
  const auto units = static_cast<Int128>(magnitude);
  return value.negative ? -units : units;
}

}  // namespace

Real ToReal(const ExactValue& value) {
  if (value.value_class == ValueClass::kZero) return {};
  assert(value.value_class == ValueClass::kFinite);
  return {value.negative, value.significand, value.exponent};
}

Real ToReal(const Unrounded& value, Direction direction) {
  if (value.value_class == ValueClass::kZero) return {};
  assert(value.value_class == ValueClass::kFinite);
  Real real{value.negative, value.significand, value.exponent};
  if (!value.sticky || !GrowsAway(value.negative, direction)) return real;
  if (real.digits == ~Uint128{0}) {
    return {real.negative, Uint128{1} << 127, real.exponent + 1};
  }
  ++real.digits;
  return real;
}

Unrounded ToUnrounded(const Real& value) {
  if (value.is_zero()) return {};
  return {.value_class = ValueClass::kFinite,
          .negative = value.negative,
          .significand = value.digits,
          .exponent = value.exponent};
}

Real RealOf(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return {value < 0, value < 0 ? ~bits + 1 : bits, 0};
}

Real PowerOfTwo(int exponent) { return {false, 1, exponent}; }

Real Add(const Real& a, const Real& b, Direction direction) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const int top = std::max(TopOf(a), TopOf(b)) + 1;
  const int unit = std::max(std::min(a.exponent, b.exponent), top - kDigits);
  const Int128 sum = InUnits(a, unit, direction) + InUnits(b, unit, direction);
  const bool negative = sum < 0;
  return {negative, negative ? -static_cast<Uint128>(sum) : static_cast<Uint128>(sum),
          unit};
}

Real Subtract(const Real& a, const Real& b, Direction direction) {
  return Add(a, Negated(b), direction);
}

Real Multiply(const Real& a, const Real& b, Direction direction) {
  if (a.is_zero() || b.is_zero()) return {};
  const bool negative = a.negative != b.negative;
  const int exponent = a.exponent + b.exponent;
  const auto a_low = static_cast<uint64_t>(a.digits);
  const auto b_low = static_cast<uint64_t>(b.digits);
  const auto a_high = static_cast<uint64_t>(a.digits >> 64);
  const auto b_high = static_cast<uint64_t>(b.digits >> 64);
  const Uint128 low = static_cast<Uint128>(a_low) * b_low;
  if (a_high == 0 && b_high == 0) return {negative, low, exponent};
  // 256 digits in two halves.
  const Uint128 cross = static_cast<Uint128>(a_low) * b_high;
  const Uint128 other = static_cast<Uint128>(a_high) * b_low;
  const Uint128 middle =
      (low >> 64) + static_cast<uint64_t>(cross) + static_cast<uint64_t>(other);
  const Uint128 upper = static_cast<Uint128>(a_high) * b_high + (cross >> 64) +
                        (other >> 64) + (middle >> 64);
  const Uint128 lower = (middle << 64) | static_cast<uint64_t>(low);
  if (upper == 0) return {negative, lower, exponent};
  const int shift = TopBit(upper) + 1 + 128 - kDigits;  // places that are cut
  Real product{negative, 0, exponent + shift};
  bool is_cut = false;
  if (shift < 128) {
    product.digits = (upper << (128 - shift)) | (lower >> shift);
    is_cut = (lower << (128 - shift)) != 0;
  } else {
    product.digits = shift == 128 ? upper : upper >> (shift - 128);
    is_cut = lower != 0 || (shift > 128 && (upper << (256 - shift)) != 0);
  }
  if (is_cut && GrowsAway(negative, direction)) ++product.digits;
  return product;
}

Real Divide(const Real& a, const Real& b, Direction direction) {
  assert(!b.is_zero());
  if (a.is_zero()) return {};
  const bool negative = a.negative != b.negative;
  const bool grows = GrowsAway(negative, direction);
  // A divisor of at most 64 digits, cut so that the quotient is rounded outwards.
  Uint128 divisor = b.digits;
  int exponent = -b.exponent;
  const int trailing = TrailingZeros(divisor);
  divisor >>= trailing;
  exponent -= trailing;
  if (const int top = TopBit(divisor); top > 62) {
    const int shift = top - 62;
    const bool is_cut = ((divisor >> shift) << shift) != divisor;
    divisor >>= shift;
    exponent -= shift;
    if (is_cut && !grows) ++divisor;
  }
  const int shift = 127 - TopBit(a.digits);
  const Uint128 numerator = a.digits << shift;
  exponent += a.exponent - shift;
  Uint128 quotient = numerator / divisor;
  const bool is_cut = quotient * divisor != numerator;
  if (is_cut && grows) ++quotient;
  if (!is_cut) {
    // As few digits as it has, for what is exact to stay exact behind it.
    const int zeros = TrailingZeros(quotient);
    quotient >>= zeros;
    exponent += zeros;
  }
  return {negative, quotient, exponent};
}

Real Negated(Real value) {
  value.negative = !value.negative && !value.is_zero();
  return value;
}

Real Magnitude(Real value) {
  value.negative = false;
  return value;
}

int Compare(const Real& a, const Real& b) {
  const int a_sign = a.is_zero() ? 0 : a.negative ? -1 : 1;
  const int b_sign = b.is_zero() ? 0 : b.negative ? -1 : 1;
  if (a_sign != b_sign) return a_sign < b_sign ? -1 : 1;
  if (a_sign == 0) return 0;
  const int a_top = TopOf(a);
  const int b_top = TopOf(b);
  if (a_top != b_top) return (a_top < b_top) == (a_sign > 0) ? -1 : 1;
  // With their first digit in the same place, as numbers of 128 digits.
  const Uint128 x = a.digits << (127 - TopBit(a.digits));
  const Uint128 y = b.digits << (127 - TopBit(b.digits));
  if (x == y) return 0;
  return (x < y) == (a_sign > 0) ? -1 : 1;
}

int TopOf(const Real& value) { return TopBit(value.digits) + value.exponent; }

int LowestBitOf(const Real& value) {
  return TrailingZeros(value.digits) + value.exponent;
}

bool IsPowerOfTwo(const Real& value) {
  return !value.is_zero() && (value.digits & (value.digits - 1)) == 0;
}

RealInterval PointOf(const Real& value) { return {value, value}; }

RealInterval Add(const RealInterval& a, const RealInterval& b) {
  return {Add(a.low, b.low, Direction::kDown), Add(a.high, b.high, Direction::kUp)};
}

RealInterval Multiply(const RealInterval& a, const RealInterval& b) {
  RealInterval product{Multiply(a.low, b.low, Direction::kDown),
                       Multiply(a.low, b.low, Direction::kUp)};
  const auto include = [&](const Real& x, const Real& y) {
    product =
        Hull(product, {Multiply(x, y, Direction::kDown), Multiply(x, y, Direction::kUp)});
  };
  if (a.is_point() && b.is_point()) return product;
  include(a.low, b.high);
  include(a.high, b.low);
  include(a.high, b.high);
  return product;
}

RealInterval Divide(const RealInterval& a, const RealInterval& b) {
  RealInterval quotient{Divide(a.low, b.low, Direction::kDown),
                        Divide(a.low, b.low, Direction::kUp)};
  const auto include = [&](const Real& x, const Real& y) {
    quotient =
        Hull(quotient, {Divide(x, y, Direction::kDown), Divide(x, y, Direction::kUp)});
  };
  if (a.is_point() && b.is_point()) return quotient;
  include(a.low, b.high);
  include(a.high, b.low);
  include(a.high, b.high);
  return quotient;
}

RealInterval Negated(const RealInterval& a) { return {Negated(a.high), Negated(a.low)}; }

RealInterval Hull(const RealInterval& a, const RealInterval& b) {
  return {Least(a.low, b.low), Greatest(a.high, b.high)};
}

RealInterval Widened(const RealInterval& a, const Real& distance) {
  if (distance.is_zero()) return a;
  return {Subtract(a.low, distance, Direction::kDown),
          Add(a.high, distance, Direction::kUp)};
}

Real Magnitude(const RealInterval& a) {
  return Greatest(Magnitude(a.low), Magnitude(a.high));
}

}  // namespace qconform
