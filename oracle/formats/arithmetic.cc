// Exact operations on extended reals.
#include <bit>
#include <cassert>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

Unrounded NotANumber() { return {.value_class = ValueClass::kNan}; }

Unrounded Zero(bool negative) { return {.negative = negative}; }

Unrounded InfinityOf(bool negative) {
  return {.value_class = ValueClass::kInfinity, .negative = negative};
}

// A magnitude on a grid of units: value = units (+ less than one unit if sticky).
struct Aligned {
  Uint128 units = 0;
  bool sticky = false;
};

// Returns the magnitude in units of 2^unit. Precondition: it is below 2^128 units.
Aligned AlignTo(int unit, Uint128 significand, int exponent, bool sticky) {
  const int shift = exponent - unit;
  if (shift >= 0) return {significand << shift, sticky};
  if (-shift >= 128) return {0, sticky || significand != 0};
  const Uint128 kept = significand >> -shift;
  return {kept, sticky || (kept << -shift) != significand};
}

}  // namespace

int TopBit(Uint128 value) {
  assert(value != 0);
  const auto high = static_cast<uint64_t>(value >> 64);
  if (high != 0) return 127 - std::countl_zero(high);
  return 63 - std::countl_zero(static_cast<uint64_t>(value));
}

Unrounded ToUnrounded(const ExactValue& value) {
  return {.value_class = value.value_class,
          .negative = value.negative,
          .significand = value.significand,
          .exponent = value.exponent};
}

Unrounded Multiply(const ExactValue& a, const ExactValue& b) {
  using enum ValueClass;
  const bool negative = a.negative != b.negative;
  if (a.value_class == kNan || b.value_class == kNan) return NotANumber();
  if (a.value_class == kInfinity || b.value_class == kInfinity) {
    const bool with_zero = a.value_class == kZero || b.value_class == kZero;
    return with_zero ? NotANumber() : InfinityOf(negative);
  }
  if (a.value_class == kZero || b.value_class == kZero) return Zero(negative);
  return {.value_class = kFinite,
          .negative = negative,
          .significand = static_cast<Uint128>(a.significand) * b.significand,
          .exponent = a.exponent + b.exponent};
}

Divisor::Divisor(const ExactValue& value)
    : value_class_(value.value_class), negative_(value.negative) {
  if (value.value_class != ValueClass::kFinite) return;
  const int shift = std::countl_zero(value.significand);
  digits_ = value.significand << shift;
  reciprocal_ = static_cast<uint64_t>(~Uint128{0} / digits_);  // less 2^64: its low word
  exponent_ = value.exponent - shift;
}

Unrounded Divide(const ExactValue& a, const ExactValue& b) { return Divide(a, Divisor(b)); }

Unrounded Add(const Unrounded& a, const ExactValue& b) {
  using enum ValueClass;
  if (a.value_class == kNan || b.value_class == kNan) return NotANumber();
  if (a.value_class == kInfinity) {
    const bool opposite = b.value_class == kInfinity && a.negative != b.negative;
    return opposite ? NotANumber() : a;
  }
  if (b.value_class == kInfinity) return ToUnrounded(b);
  if (b.value_class == kZero) {
    if (a.value_class != kZero) return a;
    return Zero(a.negative && b.negative);
  }
  if (a.value_class == kZero) return ToUnrounded(b);

  // (1) The larger operand gets its first bit at 2^125: room for a carry below
  // 2^128, and for every bit of the smaller one that can matter.
  const int a_top = (a.significand == 0 ? 0 : TopBit(a.significand)) + a.exponent;
  const int b_top = TopBit(b.significand) + b.exponent;
  const int unit = (a_top > b_top ? a_top : b_top) - 125;
  const Aligned x = AlignTo(unit, a.significand, a.exponent, a.sticky);
  const Aligned y = AlignTo(unit, b.significand, b.exponent, false);

  Unrounded sum{.value_class = kFinite, .negative = a.negative, .exponent = unit};
  // (2) Equal signs add. A unit that two stickies may add up to lies below all
  // that rounding can see: see the header.
  if (a.negative == b.negative) {
    sum.significand = x.units + y.units;
    sum.sticky = x.sticky || y.sticky;
    return sum;
  }
  // (3) Unequal signs: larger minus smaller; what the smaller has below the unit
  // borrows one.
  const bool a_larger = x.units > y.units || (x.units == y.units && x.sticky);
  const Aligned& larger = a_larger ? x : y;
  const Aligned& smaller = a_larger ? y : x;
  if (x.units == y.units && !x.sticky && !y.sticky) return Zero(false);
  sum.negative = a_larger ? a.negative : b.negative;
  sum.sticky = larger.sticky || smaller.sticky;
  sum.significand = larger.units - smaller.units - (smaller.sticky ? 1 : 0);
  return sum;
}

}  // namespace qconform
