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

// QL-20 to QL-22, QL-25: one rounding of v, which already holds the zero point.
uint64_t RoundToFloat(const Format& target, const Value& v, bool saturates,
                      const TargetReadings& readings) {
  const bool is_fnuz = target.has_nan && !target.has_negative_zero;
  if (v.IsInfinity() && is_fnuz && saturates && readings.fnuz_infinity_nan) {
    return CodeOf(target, Value::Nan());
  }
  if (v.IsInfinity() && target.has_infinity && readings.e5m2_infinity_kept) {
    return CodeOf(target, v);
  }
  const bool is_float4 = !target.has_nan;  // QL-14: it always saturates
  return Round(target, v,
               saturates || is_float4 ? Overflow::kSaturate : Overflow::kSpecial);
}

// q + zp, in one of the ways of QL-24 and QL-20a.
Value WithZeroPoint(const Format& target, const Value& q,
                    const std::optional<Value>& zero_point, const Format* division,
                    bool saturates, const TargetReadings& readings) {
  if (!zero_point) return q;
  // A zero point of zero changes nothing but the sign of a zero, and that only
  // where it is added at all (QL-20a).
  if (zero_point->IsZero() && !readings.zero_point_added) return q;
  switch (readings.float_zero_point) {
    case FloatZeroPoint::kIgnored:
      return zero_point->IsZero() ? Add(q, *zero_point) : q;
    case FloatZeroPoint::kRoundThenAdd: {
      if (q.IsNan()) return q;
      const uint64_t rounded = RoundToFloat(target, q, saturates, readings);
      return Add(ValueOf(target, rounded), *zero_point);
    }
    case FloatZeroPoint::kAddedInP: {
      const Value sum = Add(q, *zero_point);
      return division == nullptr ? sum : RoundToPrecision(*division, sum);
    }
    case FloatZeroPoint::kCanonical:
      break;
  }
  return Add(q, *zero_point);
}

Element ToFloat(const Format& target, const Value& q,
                const std::optional<Value>& zero_point, const Format* division,
                bool saturates, const TargetReadings& readings) {
  Element element;
  const Value v = WithZeroPoint(target, q, zero_point, division, saturates, readings);
  if (v.IsNan() && !target.has_nan) {  // QL-26
    element.freedom = Freedom::kAnyCode;
    element.code = CodeOf(target, Value::Number(target.highest));
    return element;
  }
  element.code = RoundToFloat(target, v, saturates, readings);
  if (IsNanCode(target, element.code)) element.freedom = Freedom::kAnyNan;
  const bool is_float4 = !target.has_nan;
  if (is_float4 && readings.zero_sign_dropped && ValueOf(target, element.code).IsZero()) {
    element.code = 0;
  }
  return element;
}

}  // namespace

Element QuantizeToTarget(const Format& target, const Value& q,
                         const std::optional<Value>& zero_point, const Format* division,
                         bool saturates, const TargetReadings& readings) {
  return target.set == Format::Set::kIntegers
             ? ToInteger(target, q, zero_point)
             : ToFloat(target, q, zero_point, division, saturates, readings);
}

}  // namespace qconform::exact
