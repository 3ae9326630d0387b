// The last steps of an operator that quantizes, with their mistakes: rounding, the zero
// point and the range of an integer y. Wrong models of several operators share them.
#ifndef QCONFORM_HARNESS_CORE_INTEGER_TARGET_H_
#define QCONFORM_HARNESS_CORE_INTEGER_TARGET_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {

enum class FaultyRounding : uint8_t {
  kEven,
  kAway,
  kHalfUp,
  kHalfDown,
  kTowardZero,
  kDown,
  kUp,
  kAddHalfInP,  // floor(q + 1/2), the sum rounded to P
  // The same sum, rounded toward zero, as a cast to an integer does.
  kAddHalfInPTowardZero,
  kHalvesFirst,  // to a multiple of 1/2, then to an integer, both with ties to even
  kRandomTies,   // ties fall one way or the other, by the call and the index
};

enum class FaultyOrder : uint8_t {
  kAfter,
  kBeforeRounding,  // exactly
  kBeforeInP,       // the sum rounded to P; only integers
  kFused,           // added to x * (1 / y_scale) in one multiply-add, rounded once to P
  kAfterClamp,
  kIgnored,
  kSubtracted,
  kAsInteger,  // the code of a float zero point is added as an unsigned integer
};

enum class FaultyOverflow : uint8_t {
  kSaturate,
  kInt32Minimum,       // what x86 converts to INT32: 0x80000000 for all that does not fit
  kInt32MinimumWraps,  // and the sum with the zero point keeps 32 bits
  kInt32SaturatedWraps,  // to INT32 with saturation, and the sum keeps 32 bits
  kWrapInt32,
  kWrap,  // the low bits of the sum
  // The low bits of an INT32: of the sum with what x86 converts, or with what saturates,
  // or of the sum that saturates.
  kInt32MinimumLowBits,
  kInt32SaturatedLowBits,
  kInt32SumLowBits,
  kThroughInt16,
  kNarrowRange,  // signed types without their smallest value
  kInfinityIsZero,
  kSignedRange,  // unsigned types end where the signed one of their width does
};

// What becomes of a result for a float y before it is rounded to y.
enum class FaultyInteger : uint8_t {
  kNo,
  kRounded,    // to an integer, ties to even; the sign of a zero is kept
  kConverted,  // to INT32, as x86 does: what does not fit, and NaN, gives -2^31
};

Unrounded IntegerFirst(const Unrounded& value, FaultyInteger mistake);

constexpr bool AddsHalf(FaultyRounding rounding) {
  return rounding == FaultyRounding::kAddHalfInP ||
         rounding == FaultyRounding::kAddHalfInPTowardZero;
}

// Those that ask for ties go to the nearest.
RoundingMode ModeOf(FaultyRounding rounding);

// Whether ties fall by a rule that no RoundingMode has: AsksForTies.
bool AsksForTies(FaultyRounding rounding);
// Precondition: AsksForTies. `random` is where a random tie falls.
bool TieGoesAway(FaultyRounding rounding, bool negative, bool random);

// The steps of one element, to be shown. A model that adds before it rounds has only the
// second.
struct IntegerSteps {
  std::optional<int64_t> rounded{};
  std::optional<int64_t> with_zero_point{};  // before the range of y
};

class IntegerTarget {
 public:
  IntegerTarget(const NumberFormat& y, FaultyRounding rounding, FaultyOrder order,
                FaultyOverflow overflow);

  bool adds_before_rounding() const {
    return order_ == FaultyOrder::kBeforeRounding || order_ == FaultyOrder::kBeforeInP ||
           order_ == FaultyOrder::kFused;
  }

  // Returns y's code. `value` is what is rounded, to an integer of 48 bits: the quotient,
  // or its sum with the zero point if adds_before_rounding(). `random` is where a random
  // tie falls.
  uint64_t CodeOf(const Unrounded& value, const ExactValue& zero_point, bool random,
                  IntegerSteps* steps) const;
  // Returns the code of the zero point.
  uint64_t CodeOf(const ExactValue& zero_point) const;

 private:
  int64_t ToWide(const Unrounded& value, bool random) const;
  uint64_t Masked(int64_t value) const;

  const NumberFormat& y_;
  FaultyRounding rounding_;
  FaultyOrder order_;
  FaultyOverflow overflow_;
  Rounder wide_;
};

// --- Multipliers of integer-only runtimes: an integer and a shift ------------------

// Returns a value rounded to an integer that is wide enough for every sum, and for what
// wrong multipliers make of one.
inline int64_t ToWideInteger(const Unrounded& value, RoundingMode mode) {
  constexpr NumberFormat kWide{
      .kind = NumberKind::kInteger, .bits = 62, .is_signed = true};
  return ToInteger(kWide, Round(kWide, value, mode, OverflowPolicy::kSaturate));
}

// m as an integer of `bits` bits times 2^exponent, to the nearest; 0 if it is not finite.
struct FixedPoint {
  FixedPoint(const Unrounded& m, int bits) {
    if (m.value_class != ValueClass::kFinite || m.significand == 0) return;
    exponent = TopBit(m.significand) + m.exponent + 1 - bits;
    Unrounded scaled = m;
    scaled.exponent -= exponent;
    scaled.negative = false;
    factor = ToWideInteger(scaled, RoundingMode::kNearestAway);
    if (m.negative) factor = -factor;
  }
  int64_t factor = 0;
  int exponent = 0;
};

// Returns a value of a float type: to the nearest, ties to even, not saturated.
ExactValue RoundedAs(DataType type, const Unrounded& value);

// Returns the power of two whose logarithm is nearest to that of a positive value of at
// most 53 digits; any other value as it is.
ExactValue NearestPowerOfTwo(const ExactValue& value);
// The same of a value, rounded to DOUBLE.
ExactValue NearestPowerOfTwo(const Unrounded& value);

// Returns c * m in FLOAT, where m = a * b / y is rounded to FLOAT after each step, and to
// `type` at last.
Unrounded TimesMultiplierIn(DataType type, const Unrounded& c, const ExactValue& a,
                            const ExactValue& b, const ExactValue& y);

inline constexpr int64_t kMostOfFixedPoint = int64_t{1} << 60;

// Returns value / 2^bits, rounded to the nearest. Ties go up, as those of a doubled high
// product do.
inline int64_t ShiftedRightUp(Int128 value, int bits) {
  if (bits > 120) return 0;
  const Int128 half = bits == 0 ? 0 : Int128{1} << (bits - 1);
  return static_cast<int64_t>(
      std::clamp<Int128>((value + half) >> bits, -kMostOfFixedPoint, kMostOfFixedPoint));
}

// The same with ties away from zero, as those of a division by a power of two go.
inline int64_t ShiftedRightAway(Int128 value, int bits) {
  return value < 0 ? -ShiftedRightUp(-value, bits) : ShiftedRightUp(value, bits);
}

// Returns c * m by the high half of the product, and a shift. Multipliers above 1 shift c
// first.
inline int64_t TimesFixedPoint(int64_t c, const FixedPoint& m, int bits) {
  const Int128 product = static_cast<Int128>(c) * m.factor;
  const int right = -m.exponent - bits;
  if (right < 0) return ShiftedRightUp(product << std::min(-right, 24), bits);
  return ShiftedRightAway(ShiftedRightUp(product, bits), right);
}

// Returns c * m, rounded once, with ties up.
inline int64_t TimesFixedPointOnce(int64_t c, const FixedPoint& m) {
  const Int128 product = static_cast<Int128>(c) * m.factor;
  if (m.exponent > 0) return ShiftedRightUp(product << std::min(m.exponent, 40), 0);
  return ShiftedRightUp(product, -m.exponent);
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_INTEGER_TARGET_H_
