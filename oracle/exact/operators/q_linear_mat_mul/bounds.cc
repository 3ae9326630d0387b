#include "oracle/exact/operators/q_linear_mat_mul/bounds.h"

#include <algorithm>
#include <optional>

namespace qconform::exact {
namespace {

// The hull of the values of some codes; NaN is no part of it.
class Hull {
 public:
  Hull(const Format& format, uint64_t code) : format_(format), interval_{code, code} {}

  void Add(uint64_t code) {
    if (ValueOf(format_, code).IsNan()) {
      has_nan_ = true;
      return;
    }
    if (IsLess(code, interval_.low)) interval_.low = code;
    if (IsLess(interval_.high, code)) interval_.high = code;
  }

  const CodeInterval& interval() const { return interval_; }
  bool has_nan() const { return has_nan_; }

 private:
  bool IsLess(uint64_t one, uint64_t other) const {
    const Value a = ValueOf(format_, one);
    const Value b = ValueOf(format_, other);
    if (a.IsInfinity() || b.IsInfinity()) {
      const auto rank = [](const Value& v) {
        return v.IsInfinity() ? (v.negative ? -1 : 1) : 0;
      };
      return rank(a) < rank(b);
    }
    return a.number < b.number;
  }

  const Format& format_;
  CodeInterval interval_;
  bool has_nan_ = false;
};

bool HasIntegerOperands(const QLinearMatMulInput& input) {
  return GetFormat(input.a.type).set == Format::Set::kIntegers &&
         GetFormat(input.b.type).set == Format::Set::kIntegers;
}

// n of MM-10: A and B of float8 operands may themselves be rounded.
int64_t SumRoundings(const QLinearMatMulInput& input, const Accumulator& element) {
  const bool may_round = !HasIntegerOperands(input) && element.has_zero_point;
  return may_round ? element.terms + 2 : element.terms;
}

// |v| / Unit(v) is an odd integer, for FLOAT's values other than 0.
mpq_class Unit(const mpq_class& v) {
  const mpz_class numerator = abs(v.get_num());
  const mpz_class odd = numerator >> mpz_scan1(numerator.get_mpz_t(), 0);
  return abs(v) / odd;
}

// The roundings that move the v of float_matmul, of `most`: without products and sums
// where all of these are multiples of one unit, at most 2^24 of it, and normal in FLOAT.
int64_t FloatMatMulRoundings(const mpq_class& magnitude, const Value& a, const Value& b,
                             const Value& y_scale, int64_t most) {
  for (const Value& scale : {a, b, y_scale}) {
    if (!scale.IsNumber() || scale.number == 0) return most;
  }
  const mpq_class unit = Unit(a.number) * Unit(b.number);
  const mpq_class least = Scaled(1, -126), end = Scaled(1, 127);
  const mpq_class largest = std::max<mpq_class>(abs(a.number), abs(b.number));
  const mpq_class y = abs(y_scale.number);
  const bool normal = Unit(a.number) >= least && Unit(b.number) >= least &&
                      unit >= least && Scaled(largest, 9) < end &&
                      Scaled(unit, 24) <= end && y < unit / least &&
                      Scaled(unit, 24) <= end * Unit(y);
  const bool exact = magnitude <= Scaled(1, 24) &&
                     magnitude * abs(a.number) * abs(b.number) <= Scaled(unit, 24);
  if (!normal || !exact) return most;
  return y == Unit(y) ? 0 : 1;
}

// Those of one element.
struct Scales {
  Scales(const QLinearMatMulInput& input, const Accumulator& element)
      : type(input.y_scale.type),
        a(ValueOf(GetFormat(type), input.a_scale.codes[element.a_index])),
        b(ValueOf(GetFormat(type), input.b_scale.codes[element.b_index])),
        y(ValueOf(GetFormat(type), input.y_scale.codes.front())) {}

  int type;
  Value a, b, y;
};

// v, moved by `part` of the sum of all products' magnitudes.
std::optional<std::pair<mpq_class, mpq_class>> IntervalAroundV(const Accumulator& element,
                                                               const Scales& scales,
                                                               const mpq_class& part) {
  const Value v = Requantize(element.c, scales.a, scales.b, scales.y, scales.type, {});
  const Value multiplier = Divide(Multiply(scales.a, scales.b), scales.y);
  if (!v.IsNumber() || !multiplier.IsNumber()) return std::nullopt;
  const mpq_class radius = part * element.magnitude * abs(multiplier.number);
  return std::pair(mpq_class(v.number - radius), mpq_class(v.number + radius));
}

}  // namespace

mpq_class Gamma(int64_t n) {
  const mpq_class nu = Scaled(mpq_class(mpz_class(static_cast<long>(n))), -24);
  return nu / (1 - nu);
}

std::optional<std::pair<mpq_class, mpq_class>> FloatMatMulInterval(
    const QLinearMatMulInput& input, const Accumulator& element) {
  const Scales scales(input, element);
  int64_t n = SumRoundings(input, element) + 3;
  if (HasIntegerOperands(input)) {
    n = FloatMatMulRoundings(element.magnitude, scales.a, scales.b, scales.y, n);
  }
  return IntervalAroundV(element, scales, Gamma(n));
}

std::optional<std::pair<mpq_class, mpq_class>> ScaleTypeMatMulInterval(
    const QLinearMatMulInput& input, const Accumulator& element) {
  const mpq_class factor = 1 + PowerOfTwo(-GetFormat(input.y_scale.type).precision);
  mpq_class growth = 1;
  for (int64_t i = SumRoundings(input, element) + 3; i > 0; --i) growth *= factor;
  return IntervalAroundV(element, Scales(input, element), growth - 1);
}

std::vector<CodeBounds> Bounds(const QLinearMatMulInput& input,
                               const std::vector<Accumulator>& accumulators,
                               const TargetReadings& readings) {
  const int ts = input.y_scale.type;
  const Format& target = GetFormat(input.y_zero_point.type);
  const Format& scale_format = GetFormat(ts);
  const Value y_scale = ValueOf(scale_format, input.y_scale.codes.front());
  const std::optional<Value> zero_point =
      ValueOf(target, input.y_zero_point.codes.front());
  const bool is_integer = HasIntegerOperands(input);
  QLinearMatMulReadings canonical;
  canonical.target = readings;
  const Answer answer = QLinearMatMul(input, accumulators, canonical);

  std::vector<CodeBounds> all;
  for (size_t i = 0; i < accumulators.size(); ++i) {
    const Accumulator& c = accumulators[i];
    const uint64_t code = answer.elements[i].code;
    const Freedom freedom = answer.elements[i].freedom;
    if (!c.c.IsNumber() || freedom == Freedom::kAnyCode || freedom == Freedom::kAnyNan) {
      all.push_back({{code, code}, {code, code}, false});
      continue;
    }
    const Value a = ValueOf(scale_format, input.a_scale.codes[c.a_index]);
    const Value b = ValueOf(scale_format, input.b_scale.codes[c.b_index]);
    const int64_t roundings = SumRoundings(input, c);
    Hull admissible(target, code);
    Hull reduced(target, code);
    const auto encode = [&](const Value& v, const Format* p) {
      return QuantizeToTarget(kCastGivesNan, target, v, zero_point, p, true, readings)
          .code;
    };
    if (const auto interval = FloatMatMulInterval(input, c)) {
      for (const mpq_class& end : {interval->first, interval->second}) {
        admissible.Add(encode(Value::Number(end), &GetFormat(kFloat)));
      }
    }
    if (!is_integer) {
      const mpq_class radius = Gamma(roundings) * c.magnitude;
      const mpq_class reduced_radius =
          Scaled(mpq_class(mpz_class(static_cast<long>(c.terms))), -10) * c.magnitude;
      for (QLinearMatMulReadings way : AllowedReadings(ts, kUint8)) {
        const bool in_double = way.requantization == Requantization::kF64Product ||
                               way.requantization == Requantization::kF64Chain ||
                               way.product_in_double;
        const Format* p = way.requantization == Requantization::kCanonical
                              ? nullptr
                              : &GetFormat(in_double ? kDouble : kFloat);
        for (int sign : {-1, 1}) {
          const auto end = [&](const mpq_class& distance) {
            const mpq_class sum = c.c.number + sign * distance;
            return encode(Requantize(Value::Number(sum), a, b, y_scale, ts, way), p);
          };
          admissible.Add(end(radius));
          reduced.Add(end(reduced_radius));
        }
      }
    }
    reduced.Add(admissible.interval().low);
    reduced.Add(admissible.interval().high);
    all.push_back({admissible.interval(), reduced.interval(),
                   admissible.has_nan() || reduced.has_nan()});
  }
  return all;
}

}  // namespace qconform::exact
