#include "oracle/exact/operators/q_linear_mat_mul/dequantized.h"

#include <algorithm>
#include <optional>

#include "oracle/exact/operators/q_linear_mat_mul/bounds.h"

namespace qconform::exact {
namespace {

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
