#include "oracle/exact/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

#include <algorithm>
#include <vector>

#include "oracle/exact/format.h"

namespace qconform::exact {
namespace {

using Readings = DynamicQuantizeLinearReadings;

constexpr uint64_t kLargest = 255;  // of UINT8

Value InFloat(const Value& v) { return RoundToPrecision(GetFormat(kFloat), v); }

Value InDouble(const Value& v) { return RoundToPrecision(GetFormat(kDouble), v); }

bool IsLess(const Value& a, const Value& b) {
  if (a.IsInfinity() || b.IsInfinity()) {
    const auto sign = [](const Value& v) {
      return v.IsInfinity() ? (v.negative ? -1 : 1) : 0;
    };
    return sign(a) < sign(b);
  }
  return a.number < b.number;
}

// min(0, min x) and max(0, max x), without NaN among x.
struct Extremes {
  Value least = Value::Number(0);
  Value largest = Value::Number(0);

  bool AreZero() const { return least.IsZero() && largest.IsZero(); }
  bool AreNumbers() const { return least.IsNumber() && largest.IsNumber(); }
};

// DYN-01, DYN-04.
Value ScaleOf(const Extremes& extremes, const Readings& readings) {
  const Value steps = Value::Number(mpq_class(kLargest));
  if (extremes.AreZero()) {
    switch (readings.zero_scale) {
      case Readings::ZeroScale::kZero:
        return Value::Zero(false);
      case Readings::ZeroScale::kUnit:
        return InFloat(Divide(Value::Number(1), steps));
      case Readings::ZeroScale::kOne:
        return Value::Number(1);
    }
  }
  const Value range = Add(extremes.largest, Negated(extremes.least));
  switch (readings.range) {
    case Readings::Range::kInFloat:
      break;
    case Readings::Range::kFused:
      return InFloat(Divide(range, steps));
    case Readings::Range::kFusedInDouble:
      return InFloat(InDouble(Divide(InDouble(range), steps)));
  }
  return InFloat(Divide(InFloat(range), steps));
}

// A code of UINT8; any is allowed if `value` is NaN.
Element Saturated(const Value& value) {
  Element element;
  if (value.IsNan()) {
    element.freedom = Freedom::kAnyCode;
    return element;
  }
  element.code = Round(GetFormat(kUint8), value, Overflow::kSaturate);
  return element;
}

// DYN-02. Clipping before rounding, as the text has it, gives the same as after it.
Element ZeroPointOf(const Value& least, const Value& scale) {
  return Saturated(Negated(InFloat(Divide(least, scale))));
}

// DYN-03. Precondition: the zero point is not free, or x is not 0.
Element QuantizedTo(const Value& x, const Value& scale, uint64_t zero_point) {
  Value quotient = InFloat(Divide(x, scale));
  if (quotient.IsNumber()) {
    quotient = Value::Number(RoundHalfEven(quotient.number) + mpq_class(zero_point));
  }
  return Saturated(quotient);
}

// G-02 for all elements: `scale` is the canonical one. What flushes an end of the range
// that is subnormal moves everything.
Tier TierOf(const Extremes& extremes, const Value& scale) {
  const Format& f32 = GetFormat(kFloat);
  if (!extremes.AreNumbers() || !scale.IsNumber() || scale.IsZero() ||
      IsSubnormal(f32, scale)) {
    return Tier::kDegenerateScale;
  }
  const bool is_subnormal =
      IsSubnormal(f32, extremes.least) || IsSubnormal(f32, extremes.largest);
  return is_subnormal ? Tier::kSubnormal : Tier::kRegular;
}

// G-02 for a quotient. `all` is the tier of all elements.
Tier TierOfQuotient(const Value& x, const Value& scale, Tier all) {
  const Format& f32 = GetFormat(kFloat);
  if (all == Tier::kDegenerateScale) return all;
  const bool is_subnormal = IsSubnormal(f32, x) || IsSubnormal(f32, Divide(x, scale));
  return is_subnormal ? Tier::kSubnormal : all;
}

constexpr Element kFree = {0, Freedom::kAnyCode, Tier::kDegenerateScale};

}  // namespace

DynamicQuantizeLinearAnswers DynamicQuantizeLinear(const Codes& x,
                                                   const Readings& readings) {
  const Format& f32 = GetFormat(kFloat);
  std::vector<Value> values;
  values.reserve(x.codes.size());
  for (uint64_t code : x.codes) values.push_back(ValueOf(f32, code));

  DynamicQuantizeLinearAnswers answers;
  answers.y = {kUint8, x.shape, {}};
  answers.y_scale = {kFloat, {}, {kFree}};
  answers.y_zero_point = {kUint8, {}, {kFree}};
  const bool has_nan =
      std::any_of(values.begin(), values.end(), [](const Value& v) { return v.IsNan(); });
  if (values.empty() || has_nan) {  // DYN-05, DYN-07
    answers.y.elements.assign(values.size(), kFree);
    return answers;
  }

  Extremes extremes;
  bool has_negative_zero = false;
  for (const Value& v : values) {
    if (IsLess(v, extremes.least)) extremes.least = v;
    if (IsLess(extremes.largest, v)) extremes.largest = v;
    has_negative_zero = has_negative_zero || (v.IsZero() && v.negative);
  }
  const Value scale = ScaleOf(extremes, readings);
  const Value canonical = ScaleOf(extremes, {});
  const Tier tier = TierOf(extremes, canonical);

  Element& scale_element = answers.y_scale.elements[0];
  scale_element = {CodeOf(f32, scale), Freedom::kNone, tier};
  // Which zero is the smaller or larger one of +0 and -0 is not stated.
  if (scale.IsZero() && extremes.AreZero() && has_negative_zero) {
    scale_element.freedom = Freedom::kAnyZero;
  }

  Element& zero_point = answers.y_zero_point.elements[0];
  zero_point = ZeroPointOf(extremes.least, scale);
  const bool is_free = zero_point.freedom != Freedom::kNone;
  for (const Value& v : values) {
    Element element = QuantizedTo(v, scale, zero_point.code);
    // A zero point is free next to quotients of 0, infinities and NaN only (DYN-06).
    if (is_free && InFloat(Divide(v, scale)).IsNumber()) {
      element.freedom = Freedom::kSameCode;
    }
    element.tier = TierOfQuotient(v, canonical, tier);
    answers.y.elements.push_back(element);
  }
  zero_point.tier = TierOfQuotient(extremes.least, canonical, tier);
  return answers;
}

}  // namespace qconform::exact
