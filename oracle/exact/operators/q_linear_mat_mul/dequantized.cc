#include "oracle/exact/operators/q_linear_mat_mul/dequantized.h"

#include <algorithm>
#include <optional>

#include "oracle/exact/operators/q_linear_mat_mul/bounds.h"

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

// (1+u)^n.
mpq_class Growth(const Format& p, size_t n) {
  return Power(1 + PowerOfTwo(-p.precision), n);
}

mpq_class SmallestMember(const Format& p) {
  return PowerOfTwo(p.min_exponent - p.precision + 1);
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

// Rounded to one of `types`, or not: rounding is monotone, so that of both ends is
// enough.
Outcomes WithRounded(Outcomes one, const Types& types) {
  if (!one.has_numbers) return one;
  for (const mpq_class& end : {one.low, one.high}) {
    for (const Format* type : types) {
      one.Add(RoundToPrecision(*type, Value::Number(end)));
    }
  }
  return one;
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

// Rounded to `type` whatever it is.
Outcomes Rounded(const Outcomes& one, const Format& type) {
  Outcomes rounded = one;
  rounded.has_numbers = false;
  if (!one.has_numbers) return rounded;
  std::vector<Value> ends;
  for (const mpq_class& end : {one.low, one.high}) {
    ends.push_back(RoundToPrecision(type, Value::Number(end)));
    rounded.Add(ends.back());
  }
  // Between an end that is beyond the range and the other are the largest numbers.
  const bool is_all_beyond = ends[0].IsInfinity() && ends[1].IsInfinity() &&
                             ends[0].negative == ends[1].negative;
  for (const Value& end : ends) {
    if (!end.IsInfinity() || is_all_beyond) continue;
    rounded.Add(Value::Number(end.negative ? type.lowest : type.highest));
  }
  return rounded;
}

// S of which some products are too small for `type`, with the ends that a sum can have.
// Sum gives such a product slack, so an end may be a number that no sum is:
// - A sum that is rounded last is a member, so it is not beyond the end rounded to one.
// - Else it is a member and products that were never rounded. If these are together at
//   least half the smallest member, so is the slack that they did not use, and again the
//   rounded end is not passed. Otherwise it is passed by no more than they are.
Outcomes WithinReach(Outcomes sum, const std::vector<Outcomes>& products,
                     const Format& type) {
  if (!sum.has_numbers) return sum;
  mpq_class low = 0, high = 0, tiny_positive = 0, tiny_negative = 0;
  for (const Outcomes& unrounded : products) {
    const Outcomes q = WithRounded(unrounded, {&type});
    if (!q.has_numbers) continue;
    low += q.low;
    high += q.high;
    if (abs(unrounded.low) >= SmallestMember(type) / 2) continue;
    (sgn(unrounded.low) < 0 ? tiny_negative : tiny_positive) += abs(unrounded.low);
  }
  const Value rounded_low = RoundToPrecision(type, Value::Number(sum.low));
  const Value rounded_high = RoundToPrecision(type, Value::Number(sum.high));
  if (rounded_low.IsNumber()) {
    low = std::min<mpq_class>(low, rounded_low.number - tiny_negative);
    sum.low = std::max(sum.low, low);
  }
  if (rounded_high.IsNumber()) {
    high = std::max<mpq_class>(high, rounded_high.number + tiny_positive);
    sum.high = std::min(sum.high, high);
  }
  return sum;
}

// One factor more than the sums need, and what is too small for `type` once more.
Outcomes WidenedByOneRounding(Outcomes sum, const std::vector<Outcomes>& products,
                              const Format& type) {
  if (!sum.has_numbers) return sum;
  const mpq_class part = Growth(type, products.size()) - 1;
  for (const Outcomes& q : products) {
    const mpq_class magnitude = std::max<mpq_class>(abs(q.low), abs(q.high));
    const mpq_class width = part * magnitude + 2 * SmallestMember(type);
    sum.low -= width;
    sum.high += width;
  }
  return sum;
}

// Where no more is known of alpha_i and beta_i than that they are rounded: K + 2 factors
// for them, the products and the sums, and two for A_i and B_i with a zero point; and
// half the smallest member for each, four times, as what is rounded again grows and a
// bound may be simple.
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

// The codes of the outcomes of v, which `types` divided.
class Encoder {
 public:
  Encoder(const Format& target, const std::optional<Value>& zero_point,
          const TargetReadings& readings)
      : target_(target), zero_point_(zero_point), readings_(readings) {}

  CodeSet Codes(const Outcomes& v, const Types& types) const {
    CodeSet codes;
    for (const Format* type : types) {
      if (v.nan) AddSpecial(Value::Nan(), type, codes);
      if (v.plus_infinity) AddSpecial(Value::Infinity(false), type, codes);
      if (v.minus_infinity) AddSpecial(Value::Infinity(true), type, codes);
    }
    if (v.has_numbers) AddNumbers(v, types, codes);
    return codes;
  }

 private:
  Element Encode(const Value& v, const Format* type) const {
    return QuantizeToTarget(kCastGivesNan, target_, v, zero_point_, type, true,
                            readings_);
  }

  void AddNans(CodeSet& codes) const {
    for (uint64_t code = 0; code < codes.size(); ++code) {
      if (IsNanCode(target_, code)) codes.set(code);
    }
  }

  void AddBetween(Value low, Value high, CodeSet& codes) const {
    for (uint64_t code = 0; code < codes.size(); ++code) {
      const Value value = ValueOf(target_, code);
      if (!value.IsNan() && !IsLess(value, low) && !IsLess(high, value)) codes.set(code);
    }
  }

  void AddSpecial(const Value& v, const Format* type, CodeSet& codes) const {
    const Element element = Encode(v, type);
    const Value value = ValueOf(target_, element.code);
    if (element.freedom == Freedom::kAnyCode) {
      codes.set();
    } else if (value.IsNan()) {
      AddNans(codes);
    } else {
      AddBetween(value, value, codes);
    }
  }

  void AddNumbers(const Outcomes& v, const Types& types, CodeSet& codes) const {
    std::vector<Value> ends;
    for (const Format* type : types) {
      for (const mpq_class* end : {&v.low, &v.high}) {
        const Value value = ValueOf(target_, Encode(Value::Number(*end), type).code);
        if (!value.IsNan()) {
          ends.push_back(value);
          continue;
        }
        AddNans(codes);
        // added_in_p overflows at this end (QL-22); what is next to it does not.
        if (zero_point_->IsNumber() && v.low != v.high) {
          ends.push_back(Value::Number(sgn(*end) < 0 ? target_.lowest : target_.highest));
        }
      }
    }
    if (ends.empty()) return;
    const auto [low, high] = std::minmax_element(ends.begin(), ends.end(), IsLess);
    AddBetween(*low, *high, codes);
  }

  // Infinities included.
  static bool IsLess(const Value& one, const Value& other) {
    const auto side = [](const Value& v) {
      return v.IsInfinity() ? (v.negative ? -1 : 1) : 0;
    };
    return side(one) != side(other) ? side(one) < side(other) : one.number < other.number;
  }

  const Format& target_;
  const std::optional<Value>& zero_point_;
  const TargetReadings& readings_;
};

// The element with A_i and B_i as a subtraction in `type` gives them.
Accumulator WithDifferencesIn(const Format& type, Accumulator element) {
  for (std::vector<Value>* line : {&element.a, &element.b}) {
    for (Value& value : *line) value = RoundToPrecision(type, value);
  }
  return element;
}

// What one or the other may be, and all numbers between.
Outcomes Either(Outcomes one, const Outcomes& other) {
  if (other.nan) one.Add(Value::Nan());
  if (other.plus_infinity) one.Add(Value::Infinity(false));
  if (other.minus_infinity) one.Add(Value::Infinity(true));
  if (!other.has_numbers) return one;
  one.Add(Value::Number(other.low));
  one.Add(Value::Number(other.high));
  return one;
}

}  // namespace

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

std::vector<DequantizedCodes> DequantizedMatMul(
    const QLinearMatMulInput& input, const std::vector<Accumulator>& accumulators,
    const TargetReadings& readings) {
  const Format& f32 = GetFormat(kFloat);
  const Format& ts = GetFormat(input.y_scale.type);
  const Format& target = GetFormat(input.y_zero_point.type);
  const Value y_scale = ValueOf(ts, input.y_scale.codes.front());
  const std::optional<Value> zero_point =
      ValueOf(target, input.y_zero_point.codes.front());
  const Encoder encoder(target, zero_point, readings);

  std::vector<DequantizedCodes> all;
  for (const Accumulator& element : accumulators) {
    const Value a = ValueOf(ts, input.a_scale.codes[element.a_index]);
    const Value b = ValueOf(ts, input.b_scale.codes[element.b_index]);
    const auto add = [](const auto& interval, Outcomes& v) {
      if (!interval) return;
      v.Add(Value::Number(interval->first));
      v.Add(Value::Number(interval->second));
    };
    DequantizedCodes codes;
    const size_t more = element.a.size() + 5;
    const Types in_float = {&f32};
    std::vector<Outcomes> products = Products(element, a, b, f32);
    Outcomes v = Quotient(Sum(products, in_float), y_scale, in_float);
    add(FloatMatMulInterval(input, element), v);
    codes.float_matmul.derived = encoder.Codes(v, in_float);
    v = Quotient(Widened(Sum(products, in_float, more), element, a, b, f32), y_scale,
                 in_float);
    add(FloatMatMulInterval(input, element), v);
    codes.float_matmul.widest = encoder.Codes(v, in_float);
    if (ts.type != kFloat) {
      std::vector<std::vector<Outcomes>> choices = {Products(element, a, b, ts)};
      if (element.has_zero_point) {
        choices.push_back(Products(WithDifferencesIn(ts, element), a, b, ts));
      }
      for (size_t way = 0; way < codes.scale_type_matmul.size(); ++way) {
        const Types of_v = {way >= 2 ? &ts : &f32};
        for (const bool widest : {false, true}) {
          Outcomes all_of_v;
          for (const std::vector<Outcomes>& known : choices) {
            Outcomes sum = Sum(known, in_float, widest ? more : 0);
            sum = widest ? WidenedByOneRounding(sum, known, f32)
                         : WithinReach(sum, known, f32);
            if (way % 2 == 1) sum = Rounded(sum, ts);
            v = Quotient(sum, y_scale, in_float);
            if (way >= 2) v = Rounded(v, ts);
            all_of_v = Either(all_of_v, v);
          }
          CodeSets& sets = codes.scale_type_matmul[way];
          (widest ? sets.widest : sets.derived) = encoder.Codes(all_of_v, of_v);
        }
      }
      const Types in_both = {&ts, &f32};
      products = choices.front();
      v = Quotient(Sum(products, in_both), y_scale, in_both);
      codes.scale_type_sums.derived = encoder.Codes(v, in_both);
      v = Quotient(Widened(Sum(products, in_both, more), element, a, b, ts), y_scale,
                   in_both);
      add(ScaleTypeMatMulInterval(input, element), v);
      codes.scale_type_sums.widest = encoder.Codes(v, in_both);
    }
    all.push_back(codes);
  }
  return all;
}

}  // namespace qconform::exact
