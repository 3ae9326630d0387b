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
  return MultiplyWide(ToUnrounded(a), b);
}

Unrounded MultiplyWide(const Unrounded& a, const ExactValue& b) {
  using enum ValueClass;
  const bool negative = a.negative != b.negative;
  if (a.value_class != kFinite || b.value_class != kFinite) {
    if (a.value_class == kNan || b.value_class == kNan) return NotANumber();
    const bool infinite = a.value_class == kInfinity || b.value_class == kInfinity;
    const bool zero = a.value_class == kZero || b.value_class == kZero;
    return infinite && zero ? NotANumber() : infinite ? InfinityOf(negative) : Zero(negative);
  }
  assert(!a.sticky);
  // (1) 192 digits: high * 2^64 + low, of which the lower half of `low` counts.
  const Uint128 low = (a.significand & ~uint64_t{0}) * b.significand;
  const Uint128 high = (a.significand >> 64) * b.significand + (low >> 64);
  const auto last = static_cast<uint64_t>(low);
  Unrounded product{.value_class = kFinite,
                    .negative = negative,
                    .significand = (high << 64) | last,
                    .exponent = a.exponent + b.exponent};
  // (2) The first 128 of them, where they are more.
  if (const auto top = static_cast<uint64_t>(high >> 64); top != 0) {
    const int shift = 64 - std::countl_zero(top);
    product.significand = shift == 64 ? high : (high << (64 - shift)) | (last >> shift);
    product.sticky = shift == 64 ? last != 0 : (last << (64 - shift)) != 0;
    product.exponent += shift;
  }
  return product;
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

Unrounded DivideWide(const Unrounded& a, const ExactValue& b) {
  using enum ValueClass;
  if (a.value_class != kFinite || b.value_class != kFinite) {
    // The significand of a finite operand does not matter here.
    return Divide(
        ExactValue{.value_class = a.value_class, .negative = a.negative, .significand = 1}, b);
  }
  Uint128 numerator = a.significand;
  int exponent = a.exponent;
  if (a.sticky) {
    // What lies below the last digit is less than one, so it changes no quotient
    // of integers, only that there is a remainder.
    assert(TopBit(numerator) >= 125);
  } else {
    const int shift = 127 - TopBit(numerator);
    numerator <<= shift;
    exponent -= shift;
  }
  const Uint128 quotient = numerator / b.significand;
  return {.value_class = kFinite,
          .negative = a.negative != b.negative,
          .sticky = a.sticky || quotient * b.significand != numerator,
          .significand = quotient,
          .exponent = exponent - b.exponent};
}

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

  // (1) A unit that leaves the larger operand 126 digits: room for a carry below
  // 2^128, and for every digit of the smaller one that can matter.
  const int a_top = (a.significand == 0 ? 0 : TopBit(a.significand)) + a.exponent;
  const int b_top = TopBit(b.significand) + b.exponent;
  int unit = (a_top > b_top ? a_top : b_top) - 125;
  // A sticky a is not known to the last of these places.
  if (a.sticky && unit < a.exponent) unit = a.exponent;
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
