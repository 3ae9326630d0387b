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

uint64_t NanCode(const NumberFormat& format) {
  if (format.nan != NanEncoding::kNone) return CanonicalNan(format);
  if (format.kind == NumberKind::kFloat) return LargestFinite(format);
  return static_cast<uint64_t>(IntegerMin(format)) & CodeMask(format);
}

// What lies beyond the range, infinities included.
uint64_t OverflowCode(const NumberFormat& format, bool negative, OverflowPolicy policy) {
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

// The magnitude as a whole number of units and what is left of the last one.
struct Split {
  uint64_t units = 0;
  bool inexact = false;
  bool above_half = false;
  bool half = false;       // exactly
  bool near_half = false;  // within 2^-16 of a unit of it, but not exactly
};

// UInt is an unsigned type that holds the significand.
template <typename UInt>
Split SplitAt(int unit, const Unrounded& value) {
  constexpr int kWidth = static_cast<int>(8 * sizeof(UInt));
  const auto significand = static_cast<UInt>(value.significand);
  const int drop = unit - value.exponent;
  if (drop <= 0) {
    assert(!value.sticky);
    return {.units = static_cast<uint64_t>(significand) << -drop};
  }
  if (drop > kWidth) return {.inexact = true};  // less than half a unit
  const UInt half = static_cast<UInt>(1) << (drop - 1);
  const UInt units = drop == kWidth ? 0 : significand >> drop;
  const UInt rest = drop == kWidth ? significand : significand - (units << drop);
  const UInt distance = rest > half ? rest - half : half - rest;
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

Rounder::Rounder(const NumberFormat& format, RoundingMode mode, OverflowPolicy policy)
    : format_(&format),
      mode_(mode),
      is_float_(format.kind == NumberKind::kFloat),
      mantissa_bits_(format.mantissa_bits),
      negative_zero_(format.has_negative_zero ? SignOf(format, true) : 0),
      nan_(NanCode(format)),
      code_mask_(CodeMask(format)) {
  assert(format.kind != NumberKind::kPowerOfTwo);
  const uint64_t largest = LargestFinite(format);
  if (is_float_) {
    smallest_unit_ = SmallestNormalExponent(format) - format.mantissa_bits;
    largest_top_ = static_cast<int>(largest >> format.mantissa_bits) - format.exponent_bias;
    limits_[0] = limits_[1] = largest;
  } else {
    smallest_unit_ = 0;
    largest_top_ = format.bits - 1;
    limits_[0] = largest;
    limits_[1] = static_cast<uint64_t>(-IntegerMin(format));
  }
  for (const bool negative : {false, true}) {
    overflow_[negative] = OverflowCode(format, negative, policy);
    signs_[negative] = SignOf(format, negative);
  }
}

Rounded Rounder::operator()(const Unrounded& value) const {
  // (1) What is not a finite number other than zero.
  if (value.value_class != ValueClass::kFinite) {
    switch (value.value_class) {
      case ValueClass::kNan: return {.code = nan_};
      case ValueClass::kInfinity:
        return {.code = Overflow(value.negative), .overflow = true};
      default: return {.code = value.negative ? negative_zero_ : 0};
    }
  }

  // (2) 2^top <= magnitude < 2^(top+1); far beyond the range nothing is rounded.
  const int top =
      (value.significand == 0 ? -1 : TopBit(value.significand)) + value.exponent;
  if (top > largest_top_) {
    return {.code = Overflow(value.negative), .inexact = true, .overflow = true};
  }

  // (3) The format's grid around the value: one unit is the last place.
  const int unit =
      is_float_ ? std::max(top - mantissa_bits_, smallest_unit_) : 0;
  const bool narrow = static_cast<uint64_t>(value.significand >> 64) == 0;
  const Split split = narrow ? SplitAt<uint64_t>(unit, value) : SplitAt<Uint128>(unit, value);
  const bool away = RoundsAway(split, value.negative, mode_);

  // (4) Magnitudes as codes. The hidden bit, where there is one, adds one to
  // the exponent field; a carry out of the mantissa does the same.
  const uint64_t lower =
      (static_cast<uint64_t>(unit - smallest_unit_) << mantissa_bits_) + split.units;
  const uint64_t magnitude = lower + (away ? 1 : 0);
  const uint64_t limit = limits_[value.negative ? 1 : 0];

  Rounded rounded{.inexact = split.inexact,
                  .tie = split.half,
                  .near_tie = split.near_half,
                  .between_codes = split.inexact && lower < limit,
                  .away = away};
  // (5) Overflow, sign.
  if (magnitude > limit) {
    rounded.overflow = true;
    rounded.code = Overflow(value.negative);
  } else if (magnitude == 0) {
    rounded.code = value.negative ? negative_zero_ : 0;
  } else if (is_float_) {
    rounded.code = magnitude | signs_[value.negative ? 1 : 0];
  } else {
    rounded.code = (value.negative ? ~magnitude + 1 : magnitude) & code_mask_;
  }
  return rounded;
}

uint64_t Round(const NumberFormat& format, const Unrounded& value, RoundingMode mode,
               OverflowPolicy policy) {
  return Rounder(format, mode, policy)(value).code;
}

}  // namespace qconform
