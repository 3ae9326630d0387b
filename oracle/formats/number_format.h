// Codes of a number format (oracle/tensor/data_type.h) <-> exact values. This folder is the only
// place of the oracle where rounding exists, and it has no floating-point instruction: it is
// compiled with -mgeneral-regs-only where the compiler has that switch.
//
// A finite value is (-1)^negative * significand * 2^exponent, exactly.
#ifndef QCONFORM_ORACLE_FORMATS_NUMBER_FORMAT_H_
#define QCONFORM_ORACLE_FORMATS_NUMBER_FORMAT_H_

#include <cstdint>

#include "oracle/tensor/data_type.h"

namespace qconform {

__extension__ typedef unsigned __int128 Uint128;
__extension__ typedef __int128 Int128;

enum class ValueClass : uint8_t { kZero, kFinite, kInfinity, kNan };

// The exact value of a code. significand is not 0 where kFinite.
struct ExactValue {
  ValueClass value_class = ValueClass::kZero;
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
};

// Precondition: code < 2^bits.
ExactValue Decode(const NumberFormat& format, uint64_t code);

// The result of an exact computation, before its rounding. Where `sticky` is
// set the magnitude lies strictly between significand and significand + 1, in
// units of 2^exponent; whoever makes one keeps at least 62 significant bits
// wherever sticky is set and significand is not 0.
struct Unrounded {
  ValueClass value_class = ValueClass::kZero;
  bool negative = false;
  bool sticky = false;
  Uint128 significand = 0;
  int exponent = 0;
};

Unrounded ToUnrounded(const ExactValue& value);

// Exact operations on extended reals, as IEEE 754 has them for special operands
// (Inf - Inf, 0 * Inf, 0/0, Inf/Inf give NaN; x/0 gives Inf of the xor of the
// signs). Of these only Divide can set sticky.
Unrounded Multiply(const ExactValue& a, const ExactValue& b);
Unrounded Divide(const ExactValue& a, const ExactValue& b);

// The same with a first operand of up to 128 digits. Preconditions: the product's
// a is not sticky; where the quotient's is, its significand has at least 126 digits, as
// a product has that did not fit.
Unrounded MultiplyWide(const Unrounded& a, const ExactValue& b);
Unrounded DivideWide(const Unrounded& a, const ExactValue& b);

// Exact but for sticky; the sum of x and -x is +0, -0 + -0 is -0. Precondition:
// where a is sticky, b is a multiple of 2^a.exponent; if it is not, then |a| is
// above 2^61 times what is uncertain, and the sum may be off by one such unit.
Unrounded Add(const Unrounded& a, const ExactValue& b);

enum class RoundingMode : uint8_t {
  kNearestEven,
  kNearestAway,  // ties away from 0
  kNearestUp,    // ties to the larger value: floor(v + 1/2)
  kTowardZero,
  kDown,
  kUp,
};

// What a finite value beyond the range becomes, and an infinity.
enum class OverflowPolicy : uint8_t {
  kSaturate,      // the largest finite of its sign (infinities too)
  kNonSaturating  // infinity where the format has one, else NaN; integers: not allowed
};

// The one rounding routine: rounds to the format's grid with unbounded
// exponent, then applies the overflow policy. A result of zero keeps its sign
// where the format has -0. NaN becomes the format's canonical NaN (the sign of
// a NaN that overflow makes is kept in FLOAT8E4M3FN); for formats without NaN
// the answer is the code of the smallest value (integers) or the one that ONNX's
// technical page gives (NumberFormat::code_for_nan).
// Precondition: the format is not FLOAT8E8M0 (nothing is ever rounded to it, QL-07).
uint64_t Round(const NumberFormat& format, const Unrounded& value, RoundingMode mode,
               OverflowPolicy policy);

// The same, with what happened on the way.
struct Rounded {
  static constexpr uint64_t kHalf = uint64_t{1} << 63;

  uint64_t code = 0;
  // The rounded magnitude is units * 2^unit, where it did not overflow.
  uint64_t units = 0;
  int unit = 0;
  // What lay beyond the last unit before rounding, in 2^-64 units; where
  // `sticky` is set, more than that by less than one of these.
  uint64_t fraction = 0;
  bool sticky = false;
  bool away = false;      // rounded away from zero
  bool overflow = false;  // beyond the range after rounding, or an infinity
  // The largest magnitude of its sign, or beyond it, before rounding: there is
  // no code for a larger one.
  bool at_limit = false;

  bool inexact() const { return fraction != 0 || sticky; }
  // Halfway between two points of the grid.
  bool tie() const { return fraction == kHalf && !sticky; }
  // Within 2^-16 of their distance of that, but not there.
  bool near_tie() const {
    const uint64_t distance = fraction > kHalf ? fraction - kHalf : kHalf - fraction;
    return distance < (uint64_t{1} << 48) && !tie();
  }
};
Rounded RoundWithFacts(const NumberFormat& format, const Unrounded& value, RoundingMode mode,
                       OverflowPolicy policy);

// Returns whether every value of `from` is a value of `to`: converting it never
// rounds, overflows or becomes zero. Precondition: `to` is a float format.
bool HoldsAllOf(const NumberFormat& to, const NumberFormat& from);

// The exponent of the smallest normal value, 2^n. Precondition: a float format.
int SmallestNormalExponent(const NumberFormat& format);

// The place of the first bit: 0 for 1. Precondition: value is not 0.
int TopBit(Uint128 value);

// Facts that follow from the descriptor, as codes.
uint64_t LargestFinite(const NumberFormat& format);            // positive
uint64_t SmallestNormal(const NumberFormat& format);           // positive; floats
uint64_t SmallestPositive(const NumberFormat& format);         // subnormal where there are any
uint64_t CanonicalNan(const NumberFormat& format);             // precondition: has NaN
uint64_t Infinity(const NumberFormat& format, bool negative);  // precondition: has_infinity
bool IsNan(const NumberFormat& format, uint64_t code);
bool IsZero(const NumberFormat& format, uint64_t code);  // of either sign
// A non-zero value below the smallest normal.
bool IsSubnormal(const NumberFormat& format, uint64_t code);
// The smallest and largest integer of an integer format.
int64_t IntegerMin(const NumberFormat& format);
int64_t IntegerMax(const NumberFormat& format);
// Sign-extends the code of an integer format.
int64_t ToInteger(const NumberFormat& format, uint64_t code);

// A number that orders the codes of a format as their values; +0 and -0 have 0.
// Precondition: code is no NaN.
int64_t ValueOrder(const NumberFormat& format, uint64_t code);

// The code of the next larger (smaller) finite or infinite value; +0 and -0
// count as one value. At the end of the range: the code itself. Precondition:
// code is no NaN.
uint64_t NextUp(const NumberFormat& format, uint64_t code);
uint64_t NextDown(const NumberFormat& format, uint64_t code);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_FORMATS_NUMBER_FORMAT_H_
