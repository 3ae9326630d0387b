// Decode, Divide and Round for many values of one format: what follows from the
// format, the divisor or the mode is worked out once. These are the definitions;
// the functions of number_format.h use them. They are inline because all that
// the oracle does for an element is these three, a hundred million times over.
#ifndef QCONFORM_ORACLE_FORMATS_PREPARED_H_
#define QCONFORM_ORACLE_FORMATS_PREPARED_H_

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "oracle/formats/number_format.h"

namespace qconform {

// Decode for many codes. The format must outlive it.
class Decoder {
 public:
  explicit Decoder(const NumberFormat& format);

  ExactValue operator()(uint64_t code) const;

 private:
  ExactValue DecodeOther(uint64_t code) const;

  const NumberFormat* format_;
  bool is_float_;
  int mantissa_bits_;
  int smallest_unit_;  // exponent of the last place of the smallest values
  uint64_t sign_bit_;
  uint64_t magnitude_mask_;  // exponent and mantissa
  uint64_t mantissa_mask_;
  uint64_t largest_;  // the magnitude of the largest finite value
};

// A divisor with its reciprocal, for many quotients by the same one.
class Divisor {
 public:
  Divisor() = default;  // 0
  explicit Divisor(const ExactValue& value);

 private:
  friend Unrounded Divide(const ExactValue& a, const Divisor& b);

  ValueClass value_class_ = ValueClass::kZero;
  bool negative_ = false;
  uint64_t digits_ = 0;      // the significand, shifted until bit 63 is set
  uint64_t reciprocal_ = 0;  // floor((2^128 - 1) / digits) - 2^64
  int exponent_ = 0;         // value = digits * 2^exponent
};
Unrounded Divide(const ExactValue& a, const Divisor& b);

// Round for many values: what follows from format, mode and policy is worked
// out once. The format must outlive it.
class Rounder {
 public:
  // Precondition: the format is not FLOAT8E8M0.
  Rounder(const NumberFormat& format, RoundingMode mode, OverflowPolicy policy);

  Rounded operator()(const Unrounded& value) const;

  const NumberFormat& format() const { return *format_; }

 private:
  bool RoundsAway(const Rounded& rounded, bool negative) const;

  const NumberFormat* format_;
  RoundingMode mode_;
  bool is_float_;
  int mantissa_bits_;  // 0 for integers
  int smallest_unit_;  // exponent of the last place of the smallest values
  int largest_top_;    // exponent of the first bit of the largest values
  // Of positive values, and of negative ones:
  uint64_t limits_[2];    // the largest magnitude
  uint64_t overflow_[2];  // the code of what lies beyond
  uint64_t signs_[2];     // what a float adds to its magnitude
  uint64_t zero_[2];      // the code of zero
  uint64_t nan_;
  uint64_t code_mask_;
};

// The exponent of the first bit. Precondition: finite, not zero.
inline int TopOf(const ExactValue& value) {
  return 63 - std::countl_zero(value.significand) + value.exponent;
}

// The exponent of the first bit of |a / b|, both finite and not zero.
inline int TopOfQuotient(const ExactValue& a, const ExactValue& b) {
  const uint64_t a_digits = a.significand << std::countl_zero(a.significand);
  const uint64_t b_digits = b.significand << std::countl_zero(b.significand);
  return TopOf(a) - TopOf(b) - (a_digits < b_digits ? 1 : 0);
}

// Returns the value that a finite one of this sign was rounded to, infinity
// where it overflowed. Precondition: the policy is kNonSaturating.
inline Unrounded ValueOf(const Rounded& rounded, bool negative) {
  return {.value_class = rounded.overflow     ? ValueClass::kInfinity
                         : rounded.units == 0 ? ValueClass::kZero
                                              : ValueClass::kFinite,
          .negative = negative,
          .significand = rounded.units,
          .exponent = rounded.unit};
}

// --- definitions --------------------------------------------------------------

inline ExactValue Decoder::operator()(uint64_t code) const {
  if (!is_float_) return DecodeOther(code);
  ExactValue value{.value_class = ValueClass::kFinite, .negative = (code & sign_bit_) != 0};
  const uint64_t magnitude = code & magnitude_mask_;
  // (1) Beyond the finite values, and the codes of zero, one of which may be NaN.
  if (magnitude > largest_ || magnitude == 0) {
    value.value_class = IsNan(*format_, code) ? ValueClass::kNan
                        : magnitude == 0      ? ValueClass::kZero
                                              : ValueClass::kInfinity;
    return value;
  }
  const int field = static_cast<int>(magnitude >> mantissa_bits_);
  value.significand = magnitude & mantissa_mask_;
  value.exponent = smallest_unit_;
  // (2) Normal values have a hidden bit. Subnormals have none, and the exponent
  // of field 1.
  if (field != 0) {
    value.significand |= mantissa_mask_ + 1;
    value.exponent += field - 1;
  }
  return value;
}

inline Unrounded Divide(const ExactValue& a, const Divisor& b) {
  using enum ValueClass;
  const ValueClass b_class = b.value_class_;
  const bool negative = a.negative != b.negative_;
  if (a.value_class != kFinite || b_class != kFinite) {
    if (a.value_class == kNan || b_class == kNan || a.value_class == b_class) {
      return {.value_class = kNan};  // 0/0 and Inf/Inf too
    }
    const bool infinite = a.value_class == kInfinity || b_class == kZero;
    return {.value_class = infinite ? kInfinity : kZero, .negative = negative};
  }
  // (1) a.significand * 2^s = n * 2^63 with bit 63 of n set; the quotient of
  // that and b's digits lies between 2^62 and 2^64.
  const int shift = std::countl_zero(a.significand);
  const Uint128 numerator = static_cast<Uint128>(a.significand << shift) << 63;
  // (2) N. Moller, T. Granlund, "Improved division by invariant integers",
  // algorithm 4: the quotient from the reciprocal is right or one too large,
  // and in rare cases one too small.
  const auto high = static_cast<uint64_t>(numerator >> 64);
  const auto low = static_cast<uint64_t>(numerator);
  const Uint128 estimate = static_cast<Uint128>(b.reciprocal_) * high + numerator;
  uint64_t quotient = static_cast<uint64_t>(estimate >> 64) + 1;
  uint64_t remainder = low - quotient * b.digits_;
  if (remainder > static_cast<uint64_t>(estimate)) {
    --quotient;
    remainder += b.digits_;
  }
  if (remainder >= b.digits_) {
    ++quotient;
    remainder -= b.digits_;
  }
  return {.value_class = kFinite,
          .negative = negative,
          .sticky = remainder != 0,
          .significand = quotient,
          .exponent = a.exponent - shift - 63 - b.exponent_};
}

inline bool Rounder::RoundsAway(const Rounded& rounded, bool negative) const {
  switch (mode_) {
    // At half a unit an odd number of units becomes even.
    case RoundingMode::kNearestEven:
      return rounded.fraction > Rounded::kHalf ||
             (rounded.fraction == Rounded::kHalf && (rounded.sticky || (rounded.units & 1) != 0));
    case RoundingMode::kNearestAway:
      return rounded.fraction >= Rounded::kHalf;
    case RoundingMode::kNearestUp:
      return rounded.fraction > Rounded::kHalf ||
             (rounded.fraction == Rounded::kHalf && (rounded.sticky || !negative));
    case RoundingMode::kTowardZero:
      return false;
    case RoundingMode::kDown:
      return negative && rounded.inexact();
    case RoundingMode::kUp:
      return !negative && rounded.inexact();
  }
  return false;
}

inline Rounded Rounder::operator()(const Unrounded& value) const {
  Rounded rounded;
  const int sign = value.negative ? 1 : 0;
  // (1) What is not a finite number other than zero.
  if (value.value_class != ValueClass::kFinite) {
    rounded.overflow = value.value_class == ValueClass::kInfinity;
    rounded.at_limit = rounded.overflow;
    rounded.code = rounded.overflow                        ? overflow_[sign]
                   : value.value_class == ValueClass::kNan ? nan_
                                                           : zero_[sign];
    return rounded;
  }

  // (2) 64 digits, the first of them 1 and of weight 2^top: digits and sticky
  // together still tell every value from every boundary.
  auto digits = static_cast<uint64_t>(value.significand);
  int top = value.exponent + 63;
  rounded.sticky = value.sticky;
  if (const auto high = static_cast<uint64_t>(value.significand >> 64); high != 0) {
    const int shift = 64 - std::countl_zero(high);
    const auto kept = static_cast<uint64_t>(value.significand >> shift);
    rounded.sticky |= (static_cast<Uint128>(kept) << shift) != value.significand;
    digits = kept;
    top += shift;
  } else if (digits != 0) {
    const int shift = std::countl_zero(digits);
    digits <<= shift;
    top -= shift;
  }
  if (top > largest_top_) {
    rounded.sticky = true;
    rounded.overflow = true;
    rounded.at_limit = true;
    rounded.code = overflow_[sign];
    return rounded;
  }

  // (3) The format's grid around the value: one unit is the last place. Of the
  // digits, `drop` lie below it.
  rounded.unit = is_float_ ? std::max(top - mantissa_bits_, smallest_unit_) : 0;
  const int drop = rounded.unit - (top - 63);
  if (drop < 64) {
    assert(drop > 0);
    rounded.units = digits >> drop;
    rounded.fraction = digits << (64 - drop);
  } else if (drop < 128) {
    rounded.fraction = digits >> (drop - 64);
    rounded.sticky |= (rounded.fraction << (drop - 64)) != digits;
  } else {
    rounded.sticky = true;
  }
  rounded.away = RoundsAway(rounded, value.negative);

  // (4) Magnitudes as codes. The hidden bit, where there is one, adds one to
  // the exponent field; a carry out of the mantissa does the same.
  uint64_t magnitude =
      (static_cast<uint64_t>(rounded.unit - smallest_unit_) << mantissa_bits_) + rounded.units;
  rounded.at_limit = magnitude >= limits_[sign];
  magnitude += rounded.away ? 1 : 0;
  rounded.units += rounded.away ? 1 : 0;

  // (5) Overflow, sign.
  if (magnitude > limits_[sign]) {
    rounded.overflow = true;
    rounded.code = overflow_[sign];
  } else if (magnitude == 0) {
    rounded.code = zero_[sign];
  } else if (is_float_) {
    rounded.code = magnitude | signs_[sign];
  } else {
    rounded.code = (value.negative ? ~magnitude + 1 : magnitude) & code_mask_;
  }
  return rounded;
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_FORMATS_PREPARED_H_
