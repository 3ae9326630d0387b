#include "oracle/exact/value.h"

#include <utility>

namespace qconform::exact {

Value Value::Number(mpq_class number) {
  Value value;
  value.negative = sgn(number) < 0;
  value.number = std::move(number);
  return value;
}

Value Value::Zero(bool negative) {
  Value value;
  value.negative = negative;
  return value;
}

Value Value::Infinity(bool negative) {
  Value value;
  value.kind = Kind::kInfinity;
  value.negative = negative;
  return value;
}

Value Value::Nan() {
  Value value;
  value.kind = Kind::kNan;
  return value;
}

Value Negated(Value value) {
  value.negative = !value.negative;
  value.number = -value.number;
  return value;
}

Value Add(const Value& a, const Value& b) {
  if (a.IsNan() || b.IsNan()) return Value::Nan();
  if (a.IsInfinity() && b.IsInfinity()) {
    return a.negative == b.negative ? a : Value::Nan();
  }
  if (a.IsInfinity()) return a;
  if (b.IsInfinity()) return b;
  mpq_class sum = a.number + b.number;
  if (sgn(sum) != 0) return Value::Number(std::move(sum));
  // Only the sum of two negative zeros is a negative zero.
  return Value::Zero(a.IsZero() && b.IsZero() && a.negative && b.negative);
}

Value Multiply(const Value& a, const Value& b) {
  const bool negative = a.negative != b.negative;
  if (a.IsNan() || b.IsNan()) return Value::Nan();
  if (a.IsInfinity() || b.IsInfinity()) {
    return a.IsZero() || b.IsZero() ? Value::Nan() : Value::Infinity(negative);
  }
  if (a.IsZero() || b.IsZero()) return Value::Zero(negative);
  return Value::Number(a.number * b.number);
}

Value Divide(const Value& a, const Value& b) {
  const bool negative = a.negative != b.negative;
  if (a.IsNan() || b.IsNan()) return Value::Nan();
  if (a.IsInfinity()) return b.IsInfinity() ? Value::Nan() : Value::Infinity(negative);
  if (b.IsInfinity()) return Value::Zero(negative);
  if (b.IsZero()) return a.IsZero() ? Value::Nan() : Value::Infinity(negative);
  if (a.IsZero()) return Value::Zero(negative);
  return Value::Number(a.number / b.number);
}

mpq_class PowerOfTwo(int exponent) { return Scaled(1, exponent); }

mpq_class Scaled(const mpq_class& v, int exponent) {
  mpq_class scaled;
  if (exponent >= 0) {
    mpq_mul_2exp(scaled.get_mpq_t(), v.get_mpq_t(), static_cast<unsigned>(exponent));
  } else {
    mpq_div_2exp(scaled.get_mpq_t(), v.get_mpq_t(), static_cast<unsigned>(-exponent));
  }
  return scaled;
}

int FloorLog2(const mpq_class& v) {
  // Digits of the numerator minus those of the denominator, or one below that.
  const int guess = static_cast<int>(mpz_sizeinbase(v.get_num_mpz_t(), 2)) -
                    static_cast<int>(mpz_sizeinbase(v.get_den_mpz_t(), 2));
  return PowerOfTwo(guess) <= v ? guess : guess - 1;
}

mpz_class RoundHalfEven(const mpq_class& v) {
  mpz_class below;
  mpz_fdiv_q(below.get_mpz_t(), v.get_num_mpz_t(), v.get_den_mpz_t());
  // The part above `below`, against one half: 2 (num - below den) <=> den.
  const mpz_class twice_rest = 2 * (v.get_num() - below * v.get_den());
  const int side = cmp(twice_rest, v.get_den());
  if (side > 0 || (side == 0 && mpz_odd_p(below.get_mpz_t()))) ++below;
  return below;
}

}  // namespace qconform::exact
