#include "oracle/exact/target.h"

#include <algorithm>

namespace qconform::exact {
namespace {

Element ToInteger(const Format& target, const Value& q,
                  const std::optional<Value>& zero_point) {
  Element element;
  mpq_class y;
  if (q.IsNan()) {
    element.freedom = Freedom::kAnyCode;
    y = target.lowest;
  } else if (q.IsInfinity()) {
    y = q.negative ? target.lowest : target.highest;
  } else {
    y = RoundHalfEven(q.number);
    if (zero_point) y += zero_point->number;
    y = std::clamp(y, target.lowest, target.highest);
  }
  element.code = CodeOf(target, Value::Number(y));
  return element;
}

// How values are rounded to a float target, and what is added before that.
struct ToFloatRules {
  const Format& target;
  const Format* division;  // P, or null
  bool saturates;
  bool fnuz_infinity_is_nan;
  const TargetReadings& readings;
};

// QL-20 to QL-22, QL-25, QL-27: one rounding of v, which already holds the zero point.
uint64_t RoundToFloat(const ToFloatRules& rules, const Value& v) {
  const Format& target = rules.target;
  const bool is_fnuz = target.has_nan && !target.has_negative_zero;
  if (v.IsInfinity() && is_fnuz && rules.saturates && rules.fnuz_infinity_is_nan) {
    return CodeOf(target, Value::Nan());
  }
  if (v.IsInfinity() && target.has_infinity && rules.readings.e5m2_infinity_kept) {
    return CodeOf(target, v);
  }
  const bool saturates = rules.saturates || HasNumbersOnly(target);  // QL-14, QL-27
  return Round(target, v, saturates ? Overflow::kSaturate : Overflow::kSpecial);
}

// Returns the zero point that is added, or nothing if none is (QL-20a, QL-24).
std::optional<Value> AddedZeroPoint(const std::optional<Value>& zero_point,
                                    const TargetReadings& readings) {
  if (!zero_point) {
    if (readings.zero_point_of_zero != ZeroPointOfZero::kAlwaysAdded) return std::nullopt;
    return Value::Zero(false);  // QL-30
  }
  if (zero_point->IsZero()) {
    if (readings.zero_point_of_zero == ZeroPointOfZero::kNotAdded) return std::nullopt;
    return zero_point;
  }
  if (readings.float_zero_point == FloatZeroPoint::kIgnored) return std::nullopt;
  return zero_point;
}

// q + zp, in one of the ways of QL-24.
Value WithZeroPoint(const ToFloatRules& rules, const Value& q,
                    const std::optional<Value>& zero_point) {
  const std::optional<Value> added = AddedZeroPoint(zero_point, rules.readings);
  if (!added) return q;
  switch (rules.readings.float_zero_point) {
    case FloatZeroPoint::kRoundThenAdd:
      if (q.IsNan()) return q;
      return Add(ValueOf(rules.target, RoundToFloat(rules, q)), *added);
    case FloatZeroPoint::kAddedInP: {
      const Value sum = Add(q, *added);
      return rules.division == nullptr ? sum : RoundToPrecision(*rules.division, sum);
    }
    case FloatZeroPoint::kIgnored:  // those other than zero
    case FloatZeroPoint::kCanonical:
      break;
  }
  return Add(q, *added);
}

// The answer of the tables of Cast for NaN in formats that have none: 6 in FLOAT4E2M1
// (QL-26), -0 in the formats of 6 bits (QL-28).
Value InPlaceOfNan(const Format& target) {
  return target.type == kFloat4E2M1 ? Value::Number(target.highest) : Value::Zero(true);
}

Element ToFloat(const ToFloatRules& rules, const Value& q,
                const std::optional<Value>& zero_point) {
  const Format& target = rules.target;
  Element element;
  const Value v = WithZeroPoint(rules, q, zero_point);
  if (v.IsNan() && HasNumbersOnly(target)) {
    element.freedom = Freedom::kAnyCode;
    element.code = CodeOf(target, InPlaceOfNan(target));
    return element;
  }
  element.code = RoundToFloat(rules, v);
  if (IsNanCode(target, element.code)) element.freedom = Freedom::kAnyNan;
  if (HasNumbersOnly(target) && rules.readings.zero_sign_dropped &&
      ValueOf(target, element.code).IsZero()) {
    element.code = 0;
  }
  return element;
}

}  // namespace

Element QuantizeToTarget(bool cast_gives_nan, const Format& target, const Value& q,
                         const std::optional<Value>& zero_point, const Format* division,
                         bool saturates, const TargetReadings& readings) {
  if (target.set == Format::Set::kIntegers) return ToInteger(target, q, zero_point);
  return ToFloat({.target = target,
                  .division = division,
                  .saturates = saturates,
                  .fnuz_infinity_is_nan = cast_gives_nan != readings.other_fnuz_infinity,
                  .readings = readings},
                 q, zero_point);
}

}  // namespace qconform::exact
