// Numbers for the ends of intervals: 126 digits or more, rounded outwards where an
// operation needs more. What is representable in them is exact.
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_REAL_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_REAL_H_

#include <cstdint>

#include "oracle/formats/number_format.h"

namespace qconform {

// (-1)^negative * digits * 2^exponent; zero has no sign.
struct Real {
  bool negative = false;
  Uint128 digits = 0;
  int exponent = 0;

  bool is_zero() const { return digits == 0; }
};

enum class Direction : uint8_t { kDown, kUp };

// Precondition: a finite number or zero.
Real ToReal(const ExactValue& value);
// Rounded, if sticky.
Real ToReal(const Unrounded& value, Direction direction);
Unrounded ToUnrounded(const Real& value);
Real RealOf(int64_t value);
// 2^exponent.
Real PowerOfTwo(int exponent);

// The result, or the nearest number with so many digits below (above) it.
Real Add(const Real& a, const Real& b, Direction direction);
Real Subtract(const Real& a, const Real& b, Direction direction);
Real Multiply(const Real& a, const Real& b, Direction direction);
// Precondition: b is not zero.
Real Divide(const Real& a, const Real& b, Direction direction);

Real Negated(Real value);
Real Magnitude(Real value);
// Returns -1, 0 or 1 as a is less than b, equal or greater.
int Compare(const Real& a, const Real& b);
inline const Real& Least(const Real& a, const Real& b) {
  return Compare(b, a) < 0 ? b : a;
}
inline const Real& Greatest(const Real& a, const Real& b) {
  return Compare(b, a) > 0 ? b : a;
}

// The places of the first and of the last digit that is 1. Precondition: not zero.
int TopOf(const Real& value);
int LowestBitOf(const Real& value);
bool IsPowerOfTwo(const Real& value);

// All numbers between two.
struct RealInterval {
  Real low;
  Real high;

  bool is_point() const { return Compare(low, high) == 0; }
};

RealInterval PointOf(const Real& value);
RealInterval Add(const RealInterval& a, const RealInterval& b);
RealInterval Multiply(const RealInterval& a, const RealInterval& b);
// Precondition: b does not hold zero.
RealInterval Divide(const RealInterval& a, const RealInterval& b);
RealInterval Negated(const RealInterval& a);
RealInterval Hull(const RealInterval& a, const RealInterval& b);
// Adds what lies within `distance` of it.
RealInterval Widened(const RealInterval& a, const Real& distance);
// The greatest magnitude in it.
Real Magnitude(const RealInterval& a);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_REAL_H_
