// Multipliers of integer-only runtimes: an integer and a shift.
#ifndef QCONFORM_HARNESS_CORE_FIXED_POINT_H_
#define QCONFORM_HARNESS_CORE_FIXED_POINT_H_

#include <algorithm>
#include <cstdint>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {

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

#endif  // QCONFORM_HARNESS_CORE_FIXED_POINT_H_
