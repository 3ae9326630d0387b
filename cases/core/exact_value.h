// Small helpers over oracle/formats that choose questions: exact values, codes
// in the order of their values, and facts about ranges.
#ifndef QCONFORM_CASES_CORE_EXACT_VALUE_H_
#define QCONFORM_CASES_CORE_EXACT_VALUE_H_

#include <cstdint>

#include "cases/core/prepared_formats.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// Returns significand * 2^exponent with the sign of `significand`.
ExactValue Dyadic(int64_t significand, int exponent);

// Returns the value, where 64 bits hold its significand (they do for sums of
// codes of 16-bit and narrower types).
ExactValue ToExact(const Unrounded& value);

// Returns floor(log2 |value|). Precondition: finite, not zero.
int FloorLog2(const ExactValue& value);
int FloorLog2(const NumberFormat& format, uint64_t code);

// Floor of log2 of the largest finite value, and of the smallest normal one (1
// for integers).
int LargestExponent(const NumberFormat& format);
int SmallestExponent(const NumberFormat& format);

// Returns the code nearest to the value, of the largest finite value past the end.
inline uint64_t RoundNearest(const NumberFormat& format, const Unrounded& value) {
  return Prepared(format).nearest(value).code;
}

// Returns the code `steps` values above (below, where negative).
uint64_t Step(const NumberFormat& format, uint64_t code, int steps);

// Returns the code of the value with its sign changed; integers saturate.
uint64_t Negated(const NumberFormat& format, uint64_t code);

// Whether a finite value of `from` can overflow in `to`, or become zero there.
bool LeavesRange(const NumberFormat& from, const NumberFormat& to);

// Returns v rounded to P, nearest even, overflow to infinity (SEMANTICS' round_P).
ExactValue RoundTo(const NumberFormat& precision, const Unrounded& value);

// Returns the code of an integer in an integer format, saturated.
uint64_t IntegerCode(const NumberFormat& format, int64_t value);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_EXACT_VALUE_H_
