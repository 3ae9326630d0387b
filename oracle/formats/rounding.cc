// The one rounding routine.
#include <algorithm>
#include <cassert>

#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

uint64_t SignOf(const NumberFormat& format, bool negative) {
  return negative ? uint64_t{1} << (format.bits - 1) : 0;
}

uint64_t CodeMask(const NumberFormat& format) {
  return format.bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << format.bits) - 1;
}

uint64_t RoundNan(const NumberFormat& format) {
  if (format.nan != NanEncoding::kNone) return CanonicalNan(format);
  if (format.kind == NumberKind::kFloat) return LargestFinite(format);
  return static_cast<uint64_t>(IntegerMin(format)) & CodeMask(format);
}

// What lies beyond the range, infinities included.
uint64_t RoundOverflow(const NumberFormat& format, bool negative, OverflowPolicy policy) {
  if (format.kind == NumberKind::kInteger) {
    assert(policy == OverflowPolicy::kSaturate);
    const int64_t end = negative ? IntegerMin(format) : IntegerMax(format);
    return static_cast<uint64_t>(end) & CodeMask(format);
  }
  if (policy == OverflowPolicy::kNonSaturating) {
    if (format.has_infinity) return Infinity(format, negative);
    if (format.nan == NanEncoding::kAllOnes) {
      return CanonicalNan(format) | SignOf(format, negative);
    }
    if (format.nan == NanEncoding::kNegativeZero) return CanonicalNan(format);
  }
  return LargestFinite(format) | SignOf(format, negative);
}

uint64_t RoundZero(const NumberFormat& format, bool negative) {
  return format.has_negative_zero ? SignOf(format, negative) : 0;
}

// The magnitude as a whole number of units and what is left of the last one.
struct Split {
  uint64_t units = 0;
  bool inexact = false;
  bool above_half = false;
  bool half = false;       // exactly
  bool near_half = false;  // within 2^-16 of a unit of it, but not exactly
};

Split SplitAt(int unit, const Unrounded& value) {
  const int drop = unit - value.exponent;
  if (drop <= 0) {
    assert(!value.sticky);
    return {.units = static_cast<uint64_t>(value.significand << -drop)};
  }
  if (drop > 128) return {.inexact = true};
  const Uint128 half = static_cast<Uint128>(1) << (drop - 1);
  const Uint128 units = drop == 128 ? 0 : value.significand >> drop;
  const Uint128 rest = drop == 128 ? value.significand : value.significand - (units << drop);
  const Uint128 distance = rest > half ? rest - half : half - rest;
  Split split{.units = static_cast<uint64_t>(units)};
  split.inexact = rest != 0 || value.sticky;
  split.half = rest == half && !value.sticky;
  split.above_half = rest > half || (rest == half && value.sticky);
  split.near_half = !split.half && (drop > 16 ? distance >> (drop - 16) == 0 : distance == 0);
  return split;
}

bool RoundsAway(const Split& split, bool negative, RoundingMode mode) {
  switch (mode) {
    case RoundingMode::kNearestEven:
      return split.above_half || (split.half && (split.units & 1) != 0);
    case RoundingMode::kNearestAway: return split.above_half || split.half;
    case RoundingMode::kTowardZero: return false;
    case RoundingMode::kDown: return negative && split.inexact;
    case RoundingMode::kUp: return !negative && split.inexact;
  }
  return false;
}

}  // namespace

int SmallestNormalExponent(const NumberFormat& format) {
  assert(format.kind == NumberKind::kFloat);
  return 1 - format.exponent_bias;
}

Rounded RoundWithFacts(const NumberFormat& format, const Unrounded& value, RoundingMode mode,
                       OverflowPolicy policy) {
  assert(format.kind != NumberKind::kPowerOfTwo);
  // (1) What is not a finite number other than zero.
  switch (value.value_class) {
    case ValueClass::kNan: return {.code = RoundNan(format)};
    case ValueClass::kInfinity:
      return {.code = RoundOverflow(format, value.negative, policy), .overflow = true};
    case ValueClass::kZero: return {.code = RoundZero(format, value.negative)};
    case ValueClass::kFinite: break;
  }
  const bool is_float = format.kind == NumberKind::kFloat;
  const uint64_t largest = LargestFinite(format);

  // (2) 2^top <= magnitude < 2^(top+1); far beyond the range nothing is rounded.
  const int top =
      (value.significand == 0 ? -1 : TopBit(value.significand)) + value.exponent;
  const int largest_top =
      is_float ? static_cast<int>(largest >> format.mantissa_bits) - format.exponent_bias
               : format.bits - 1;
  if (top > largest_top) {
    return {.code = RoundOverflow(format, value.negative, policy),
            .inexact = true,
            .overflow = true};
  }

  // (3) The format's grid around the value: one unit is the last place.
  const int unit =
      is_float ? std::max(top, SmallestNormalExponent(format)) - format.mantissa_bits : 0;
  const Split split = SplitAt(unit, value);
  const bool away = RoundsAway(split, value.negative, mode);

  // (4) Magnitudes as codes. The hidden bit, where there is one, adds one to
  // the exponent field; a carry out of the mantissa does the same.
  const uint64_t base = is_float ? static_cast<uint64_t>(unit + format.mantissa_bits +
                                                         format.exponent_bias - 1)
                                       << format.mantissa_bits
                                 : 0;
  const uint64_t lower = base + split.units;
  const uint64_t magnitude = lower + (away ? 1 : 0);
  // Integers reach one further below zero, or not below it at all.
  const uint64_t limit = !is_float && value.negative
                             ? static_cast<uint64_t>(-IntegerMin(format))
                             : largest;

  Rounded rounded{.inexact = split.inexact,
                  .tie = split.half,
                  .near_tie = split.near_half,
                  .between_codes = split.inexact && lower < limit,
                  .away = away};
  // (5) Overflow.
  if (magnitude > limit) {
    rounded.overflow = true;
    rounded.code = RoundOverflow(format, value.negative, policy);
  } else if (magnitude == 0) {
    rounded.code = RoundZero(format, value.negative);
  } else if (is_float) {
    rounded.code = magnitude | SignOf(format, value.negative);
  } else {
    rounded.code = (value.negative ? ~magnitude + 1 : magnitude) & CodeMask(format);
  }
  return rounded;
}

uint64_t Round(const NumberFormat& format, const Unrounded& value, RoundingMode mode,
               OverflowPolicy policy) {
  return RoundWithFacts(format, value, mode, policy).code;
}

}  // namespace qconform
