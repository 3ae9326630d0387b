#include "oracle/exact/dequantized_sum.h"

#include <algorithm>
#include <optional>

// Of P, or the coarser one of two, with p digits let u = 2^-p, and T the least magnitude
// that rounds to infinity: `highest` and half a step.
//
// Products. alpha_i and beta_i have one value each, an extended real, since D is given:
// what leaves D's range is an infinity, or 0. So q_i = alpha_i beta_i is known too: NaN
// for 0 * Inf. A product is q_i or round_P(q_i): what is too small for P may be 0, what
// is too large an infinity. For float operands with a zero point two values of alpha_i
// and beta_i come into question.
//
// Sums. All products numbers: a sum z is rounded to z (1 + d) with |d| <= u, and a sum of
// members that is below the smallest normal is a member. A term meets at most K - 1 sums,
// so S = sum of p_i (1 + t_i) with p_i between q_i and round_P(q_i), and
// |t_i| <= (1+u)^(K-1) - 1. Of two types P, S in FLOAT may be rounded to the scales' type
// at the end, which is one factor more.
//   Products below the smallest normal may be no members. Rounded, one of them moves by
// at most half the smallest member, and by no more than itself. Unrounded, it moves a sum
// that takes it in and is rounded there by no more than that either, for without such
// products that sum is a member. Each is rounded or taken in once: p_i = q_i +- slack.
//   Where all q_i are multiples of a power of two w that is a member, and
// sum |q_i| <= 2^p w, all partial sums are members, and S is exact.
//
// A partial sum that is +Inf: of m positive products it is, before its own rounding, at
// most (1+u)^(m-2) times their sum, for none of them meets more sums before; and negative
// terms make no sum larger. If that is below T, no order leads to +Inf. If the sum itself
// reaches T, adding the positive products first does, exactly but for the last rounding.
// What lies between, a part of m 2^-p, is admitted.
//   Once there, +Inf stays, whatever finite terms follow: a fused multiply-add rounds
// none of their products. It becomes NaN where another partial sum is -Inf.
//   An unrounded sum never leaves the range: finite S stay possible.
//
// Some q_i special: NaN stays NaN, +Inf and -Inf together are NaN, and one of these alone
// is S, or NaN where the finite products of the other sign can reach T.
//
// Quotients. Rounding is monotone, so the quotients of an interval lie between those of
// its ends, rounded or not. S / 0 is an infinity or, for S = 0, NaN.

namespace qconform::exact {
namespace {

mpq_class Power(const mpq_class& base, size_t exponent) {
  mpq_class power;
  mpz_pow_ui(power.get_num_mpz_t(), base.get_num_mpz_t(), exponent);
  mpz_pow_ui(power.get_den_mpz_t(), base.get_den_mpz_t(), exponent);
  return power;
}

// The least magnitude that rounds to infinity.
mpq_class Threshold(const Format& p) {
  return p.highest + PowerOfTwo(FloorLog2(p.highest) - p.precision);
}

// The largest power of two that v is a multiple of. Precondition: v is not 0 and its
// denominator is a power of two.
mpq_class PowerOfTwoIn(const mpq_class& v) {
  const mpz_class numerator = abs(v.get_num());
  const auto zeros = mpz_scan1(numerator.get_mpz_t(), 0);
  return Scaled(mpq_class(1, v.get_den()), static_cast<int>(zeros));
}

// What round_D(x scale) may be; `x` may be rounded to FLOAT before.
std::vector<Value> Dequantized(const Value& x, const Value& scale, const Format& d) {
  std::vector<Value> values = {Multiply(x, scale)};
  if (d.type == kFloat) values.push_back(Multiply(RoundToPrecision(d, x), scale));
  for (Value& value : values) value = RoundToPrecision(d, value);
  return values;
}

// Are all partial sums of these multiples of one member, few enough to be members?
bool HasExactSums(const std::vector<Outcomes>& products, const mpq_class& magnitude,
                  const Format& p) {
  std::optional<mpq_class> unit;
  for (const Outcomes& product : products) {
    if (!product.has_numbers) continue;
    if (product.low != product.high) return false;
    if (sgn(product.low) == 0) continue;
    const mpq_class own = PowerOfTwoIn(product.low);
    if (!unit || own < *unit) unit = own;
  }
  return !unit || (*unit >= SmallestMember(p) && magnitude <= Scaled(*unit, p.precision));
}

// A product of several, as it takes part in their sum.
Outcomes Term(const Outcomes& q, const Types& types) {
  if (!q.has_numbers) return q;
  const mpq_class magnitude = std::max<mpq_class>(abs(q.low), abs(q.high));
  Types relative;
  mpq_class slack = 0;
  for (const Format* type : types) {
    const bool is_member =
        q.low == q.high &&
        (sgn(q.low) == 0 || PowerOfTwoIn(q.low) >= SmallestMember(*type));
    if (is_member || magnitude >= type->smallest_normal) {
      relative.push_back(type);
      continue;
    }
    // Rounded to the other type before, it is at most twice as large.
    const mpq_class largest = type == types.back() ? magnitude : 2 * magnitude;
    slack += std::min<mpq_class>(SmallestMember(*type) / 2, largest);
  }
  Outcomes term = WithRounded(q, relative);
  term.low -= slack;
  term.high += slack;
  return term;
}

}  // namespace

mpq_class Growth(const Format& p, size_t n) {
  return Power(1 + PowerOfTwo(-p.precision), n);
}

mpq_class SmallestMember(const Format& p) {
  return PowerOfTwo(p.min_exponent - p.precision + 1);
}

Outcomes WithRounded(Outcomes one, const Types& types) {
  if (!one.has_numbers) return one;
  for (const mpq_class& end : {one.low, one.high}) {
    for (const Format* type : types) {
      one.Add(RoundToPrecision(*type, Value::Number(end)));
    }
  }
  return one;
}

Outcomes Widened(Outcomes sum, const Accumulator& element, const Value& a_scale,
                 const Value& b_scale, const Format& type) {
  if (!sum.has_numbers) return sum;
  const size_t roundings = element.a.size() + (element.has_zero_point ? 4 : 2);
  const mpq_class part = Growth(type, roundings) - 1;
  const mpq_class smallest = 2 * SmallestMember(type);
  for (size_t i = 0; i < element.a.size(); ++i) {
    const mpq_class a = abs(element.a[i].number * a_scale.number);
    const mpq_class b = abs(element.b[i].number * b_scale.number);
    const mpq_class width = part * a * b + smallest * (a + b + 2);
    sum.low -= width;
    sum.high += width;
  }
  return sum;
}

void Outcomes::Add(const Value& v) {
  if (v.IsNan()) {
    nan = true;
  } else if (v.IsInfinity()) {
    (v.negative ? minus_infinity : plus_infinity) = true;
  } else if (!has_numbers) {
    has_numbers = true;
    low = high = v.number;
  } else {
    low = std::min(low, v.number);
    high = std::max(high, v.number);
  }
}

std::vector<Outcomes> Products(const Accumulator& element, const Value& a_scale,
                               const Value& b_scale, const Format& d) {
  std::vector<Outcomes> products(element.a.size());
  for (size_t i = 0; i < products.size(); ++i) {
    const std::vector<Value> betas = Dequantized(element.b[i], b_scale, d);
    for (const Value& alpha : Dequantized(element.a[i], a_scale, d)) {
      for (const Value& beta : betas) products[i].Add(Multiply(alpha, beta));
    }
  }
  return products;
}

Outcomes Sum(const std::vector<Outcomes>& products, const Types& types,
             size_t more_roundings) {
  const Format& p = *types.front();
  mpq_class low = 0, high = 0, magnitude = 0, positive = 0, negative = 0;
  size_t positives = 0, negatives = 0;
  bool may_be_plus = false, may_be_minus = false, may_be_nan = false;
  bool never_number = false, never_plus = false, never_minus = false;
  const bool is_alone = products.size() == 1;
  for (const Outcomes& unrounded : products) {
    const Outcomes q = is_alone ? WithRounded(unrounded, types) : Term(unrounded, types);
    may_be_nan = may_be_nan || q.nan;
    may_be_plus = may_be_plus || q.plus_infinity;
    may_be_minus = may_be_minus || q.minus_infinity;
    never_number = never_number || !q.has_numbers;
    never_plus = never_plus || (!q.has_numbers && !q.plus_infinity);
    never_minus = never_minus || (!q.has_numbers && !q.minus_infinity);
    if (!q.has_numbers) continue;
    low += q.low;
    high += q.high;
    magnitude += std::max<mpq_class>(abs(q.low), abs(q.high));
    if (sgn(q.high) > 0) positive += q.high, ++positives;
    if (sgn(q.low) < 0) negative -= q.low, ++negatives;
  }
  const bool exact = HasExactSums(products, magnitude, p);
  const auto reaches_infinity = [&](const mpq_class& sum, size_t terms) {
    const size_t roundings = exact || terms < 2 ? 0 : terms - 2;
    return sum * Growth(p, roundings + more_roundings) >= Threshold(p);
  };
  may_be_plus = may_be_plus || reaches_infinity(positive, positives);
  may_be_minus = may_be_minus || reaches_infinity(negative, negatives);

  Outcomes sum;
  sum.nan = may_be_nan || (may_be_plus && may_be_minus);
  sum.plus_infinity = may_be_plus && !never_plus;
  sum.minus_infinity = may_be_minus && !never_minus;
  if (!never_number) {
    const size_t roundings = exact || products.empty() ? 0 : products.size() - 1;
    const mpq_class radius = (Growth(p, roundings) - 1) * magnitude;
    sum.has_numbers = true;
    sum.low = low - radius;
    sum.high = high + radius;
  }
  if (types.size() == 1 || !sum.has_numbers) return sum;
  if (is_alone) return WithRounded(sum, types);
  for (const mpq_class& end : {sum.low, sum.high}) {
    if (abs(end) < p.smallest_normal) continue;  // slack has it
    sum.Add(RoundToPrecision(p, Value::Number(end)));
  }
  return sum;
}

Outcomes Quotient(const Outcomes& sum, const Value& y_scale, const Types& types) {
  Outcomes v;
  if (sum.nan) v.Add(Value::Nan());
  if (sum.plus_infinity) v.Add(Divide(Value::Infinity(false), y_scale));
  if (sum.minus_infinity) v.Add(Divide(Value::Infinity(true), y_scale));
  if (!sum.has_numbers) return v;
  std::vector<mpq_class> numbers = {sum.low, sum.high};
  if (sgn(sum.low) < 0 && sgn(sum.high) > 0) numbers.push_back(0);
  for (const mpq_class& number : numbers) v.Add(Divide(Value::Number(number), y_scale));
  return WithRounded(v, types);
}

}  // namespace qconform::exact
