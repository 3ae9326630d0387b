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

// Those of one element.
RequantizationScales ScalesOf(const QLinearMatMulInput& input,
                              const Accumulator& element) {
  const int type = input.y_scale.type;
  const Format& format = GetFormat(type);
  return {type, ValueOf(format, input.a_scale.codes[element.a_index]),
          ValueOf(format, input.b_scale.codes[element.b_index]),
          ValueOf(format, input.y_scale.codes.front())};
}

}  // namespace

std::optional<std::pair<mpq_class, mpq_class>> FloatMatMulInterval(
    const QLinearMatMulInput& input, const Accumulator& element) {
  const RequantizationScales scales = ScalesOf(input, element);
  int64_t n = SumRoundings(input, element) + 3;
  if (HasIntegerOperands(input)) {
    n = FloatMatMulRoundings(element.magnitude, scales, n);
  }
  return IntervalAroundV(element.c, element.magnitude, scales, Gamma(n));
}

std::optional<std::pair<mpq_class, mpq_class>> ScaleTypeMatMulInterval(
    const QLinearMatMulInput& input, const Accumulator& element) {
  const mpq_class factor = 1 + PowerOfTwo(-GetFormat(input.y_scale.type).precision);
  mpq_class growth = 1;
  for (int64_t i = SumRoundings(input, element) + 3; i > 0; --i) growth *= factor;
  return IntervalAroundV(element.c, element.magnitude, ScalesOf(input, element),
                         growth - 1);
}

std::vector<CodeBounds> Bounds(const QLinearMatMulInput& input,
                               const std::vector<Accumulator>& accumulators,
                               const TargetReadings& readings) {
  const int ts = input.y_scale.type;
  const Format& target = GetFormat(input.y_zero_point.type);
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
    const RequantizationScales scales = ScalesOf(input, c);
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
      for (const RequantizationReadings& way : AllowedRequantizations(ts)) {
        const Format* p = TypeOfV(way);
        for (int sign : {-1, 1}) {
          const auto end = [&](const mpq_class& distance) {
            const mpq_class sum = c.c.number + sign * distance;
            return encode(Requantize(Value::Number(sum), scales, way), p);
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
