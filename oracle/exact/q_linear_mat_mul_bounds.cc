#include "oracle/exact/q_linear_mat_mul_bounds.h"

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

bool HasZeroPoint(const Codes& zero_points) {
  const Format& format = GetFormat(zero_points.type);
  for (uint64_t code : zero_points.codes) {
    if (!ValueOf(format, code).IsZero()) return true;
  }
  return false;
}

}  // namespace

mpq_class Gamma(int64_t n) {
  const mpq_class nu = Scaled(mpq_class(mpz_class(static_cast<long>(n))), -24);
  return nu / (1 - nu);
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
  const bool is_integer = GetFormat(input.a.type).set == Format::Set::kIntegers &&
                          GetFormat(input.b.type).set == Format::Set::kIntegers;
  const bool has_zero_point =
      HasZeroPoint(input.a_zero_point) || HasZeroPoint(input.b_zero_point);
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
    // MM-10: A and B of float8 operands may themselves be rounded.
    const int64_t roundings = !is_integer && has_zero_point ? c.terms + 2 : c.terms;
    Hull admissible(target, code);
    Hull reduced(target, code);
    const auto encode = [&](const Value& v, const Format* p) {
      return QuantizeToTarget(target, v, zero_point, p, true, readings).code;
    };
    // float_matmul: an interval around the exact v.
    const Value v = Requantize(c.c, a, b, y_scale, ts, canonical);
    const Value multiplier = Divide(Multiply(a, b), y_scale);
    if (v.IsNumber() && multiplier.IsNumber()) {
      const mpq_class radius =
          Gamma(roundings + 3) * c.magnitude * abs(multiplier.number);
      for (const mpq_class& end :
           {mpq_class(v.number - radius), mpq_class(v.number + radius)}) {
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
