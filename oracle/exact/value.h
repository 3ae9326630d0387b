// Extended reals with signed zeros, over GMP rationals: the numbers that the judge
// computes with. This folder includes only GMP and the standard library, and shares
// no code with the oracle that it judges.
#ifndef QCONFORM_ORACLE_EXACT_VALUE_H_
#define QCONFORM_ORACLE_EXACT_VALUE_H_

#include <gmpxx.h>

#include <cstdint>

namespace qconform::exact {

// A rational number, an infinity or NaN. `negative` is the sign of a zero and
// of an infinity too; it is always that of `number` where that is not 0.
struct Value {
  enum class Kind : uint8_t { kNumber, kInfinity, kNan };

  Kind kind = Kind::kNumber;
  bool negative = false;
  mpq_class number = 0;  // 0 if kind is not kNumber

  static Value Number(mpq_class number);  // 0 is +0
  static Value Zero(bool negative);
  static Value Infinity(bool negative);
  static Value Nan();

  bool IsNumber() const { return kind == Kind::kNumber; }
  bool IsZero() const { return kind == Kind::kNumber && sgn(number) == 0; }
  bool IsInfinity() const { return kind == Kind::kInfinity; }
  bool IsNan() const { return kind == Kind::kNan; }
};

// The operations of IEEE 754 without their rounding: Inf - Inf, 0 * Inf, 0/0
// and Inf/Inf are NaN, x/0 is an infinity. A zero product or quotient has the
// sign of the factors' signs together; x + -x is +0, -0 + -0 is -0.
Value Add(const Value& a, const Value& b);
Value Multiply(const Value& a, const Value& b);
Value Divide(const Value& a, const Value& b);
Value Negated(Value value);

// Returns 2^exponent; the exponent may be negative.
mpq_class PowerOfTwo(int exponent);

// Returns v * 2^exponent.
mpq_class Scaled(const mpq_class& v, int exponent);

// Returns the largest e with 2^e <= v. Precondition: v > 0.
int FloorLog2(const mpq_class& v);

// Returns the integer nearest to v; if there are two, the even one.
mpz_class RoundHalfEven(const mpq_class& v);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_VALUE_H_
