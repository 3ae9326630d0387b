#include <algorithm>

#include "cases/core/exact_value.h"
#include "cases/operators/quantize_linear/testing/wrong_models.h"

namespace qconform::generators {
namespace {

using Q = Recipe::Quotient;
using R = Recipe::Rounding;

const NumberFormat& Float() { return FormatOf(DataType::kFloat); }

bool Finite(const ExactValue& v) { return v.value_class == ValueClass::kFinite; }

ExactValue RoundedTo(const NumberFormat& format, const Unrounded& value,
                     RoundingMode mode = RoundingMode::kNearestEven) {
  return Decode(format, Round(format, value, mode, OverflowPolicy::kNonSaturating));
}

ExactValue Converted(const NumberFormat& format, const ExactValue& value,
                     RoundingMode mode = RoundingMode::kNearestEven) {
  return Finite(value) ? RoundedTo(format, ToUnrounded(value), mode) : value;
}

void Flush(const NumberFormat& format, ExactValue& value) {
  if (Finite(value) && format.kind == NumberKind::kFloat &&
      FloorLog2(value) < SmallestExponent(format)) {
    value = {.negative = value.negative};
  }
}

Unrounded Exact(const ExactValue& value) { return ToUnrounded(value); }

Unrounded DivideIn(const NumberFormat* p, const ExactValue& x, const ExactValue& s) {
  if (p == nullptr) return Divide(x, s);
  return Exact(RoundedTo(*p, Divide(Converted(*p, x), Converted(*p, s))));
}

Unrounded ReciprocalIn(const NumberFormat& p, const ExactValue& x, const ExactValue& s) {
  const ExactValue reciprocal = RoundedTo(p, Divide(Dyadic(1, 0), Converted(p, s)));
  return Exact(RoundedTo(p, Multiply(Converted(p, x), reciprocal)));
}

Unrounded QuotientOf(const Setting& setting, const Recipe& recipe, ExactValue x,
                     ExactValue s) {
  const NumberFormat* p = recipe.default_precision ? setting.default_p : setting.p;
  if (recipe.absolute_scale) s.negative = false;
  if (recipe.zero_scale_is_one && s.value_class == ValueClass::kZero) s = Dyadic(1, 0);
  if (recipe.flush_x) {
    Flush(*setting.x, x);
    if (p != nullptr) Flush(*p, x = Converted(*p, x));
  }
  if (recipe.flush_scale) {
    Flush(*setting.scale, s);
    if (p != nullptr) Flush(*p, s = Converted(*p, s));
  }
  const auto in_p = [&](const Unrounded& value,
                        RoundingMode mode = RoundingMode::kNearestEven) {
    return p == nullptr ? value : Exact(RoundedTo(*p, value, mode));
  };
  Unrounded q;
  switch (recipe.quotient) {
    case Q::kCanonical:
      q = DivideIn(p, x, s);
      break;
    case Q::kExact:
      q = Divide(x, s);
      break;
    case Q::kConvertedExact:
      q = p == nullptr ? Divide(x, s) : Divide(Converted(*p, x), Converted(*p, s));
      break;
    case Q::kUnconverted:
      q = in_p(Divide(x, s));
      break;
    case Q::kReciprocal:
      q = ReciprocalIn(p == nullptr ? Float() : *p, x, s);
      break;
    case Q::kDivisionIn:
      q = DivideIn(recipe.type, x, s);
      break;
    case Q::kReciprocalIn:
      q = ReciprocalIn(*recipe.type, x, s);
      break;
    case Q::kTruncated:
      q = p == nullptr ? Divide(x, s)
                       : in_p(Divide(Converted(*p, x), Converted(*p, s)),
                              RoundingMode::kTowardZero);
      break;
    case Q::kTruncatedConversion:
      q = p == nullptr ? Divide(x, s)
                       : in_p(Divide(Converted(*p, x, RoundingMode::kTowardZero),
                                     Converted(*p, s, RoundingMode::kTowardZero)));
      break;
    case Q::kThrough:
      q = Exact(RoundedTo(*recipe.type, DivideIn(p, x, s)));
      break;
    case Q::kIntegerDivision: {
      q = Divide(x, s);
      const NumberFormat wide{
          .kind = NumberKind::kInteger, .bits = 60, .is_signed = true};
      if (setting.x->kind == NumberKind::kInteger &&
          setting.scale->kind == NumberKind::kInteger &&
          q.value_class == ValueClass::kFinite) {
        q = Exact(Decode(
            wide, Round(wide, q, RoundingMode::kTowardZero, OverflowPolicy::kSaturate)));
      }
      break;
    }
  }
  if (recipe.flush_quotient && p != nullptr && q.value_class == ValueClass::kFinite) {
    ExactValue value = RoundedTo(*p, q);
    Flush(*p, value);
    q = Exact(value);
  }
  return q;
}

constexpr NumberFormat kWide{.kind = NumberKind::kInteger, .bits = 62, .is_signed = true};

int64_t ToWide(const Unrounded& value, R rounding) {
  const auto round = [&](RoundingMode mode) {
    return ToInteger(kWide, Round(kWide, value, mode, OverflowPolicy::kSaturate));
  };
  switch (rounding) {
    case R::kEven:
      return round(RoundingMode::kNearestEven);
    case R::kAway:
      return round(RoundingMode::kNearestAway);
    case R::kZero:
      return round(RoundingMode::kTowardZero);
    case R::kDown:
      return round(RoundingMode::kDown);
    case R::kUp:
      return round(RoundingMode::kUp);
    case R::kHalfUp:
    case R::kHalfDown:
      break;
  }
  // Away from zero on one side, towards it on the other.
  const bool outward = value.negative == (rounding == R::kHalfDown);
  if (outward) return round(RoundingMode::kNearestAway);
  const int64_t away = round(RoundingMode::kNearestAway);
  const int64_t even = round(RoundingMode::kNearestEven);
  const int64_t zero = round(RoundingMode::kTowardZero);
  const int64_t up = round(value.negative ? RoundingMode::kDown : RoundingMode::kUp);
  // A tie is where even and away differ, or where both are even's own choice.
  Unrounded twice = value;
  ++twice.exponent;
  const bool tie =
      zero != up && ToInteger(kWide, Round(kWide, twice, RoundingMode::kDown,
                                           OverflowPolicy::kSaturate)) ==
                        ToInteger(kWide, Round(kWide, twice, RoundingMode::kUp,
                                               OverflowPolicy::kSaturate));
  return tie ? zero : away != even ? even : away;
}

uint64_t IntegerResult(const Setting& setting, const Recipe& recipe, const Unrounded& q,
                       const ExactValue& zero_point) {
  using O = Recipe::Overflow;
  const NumberFormat& y = *setting.y;
  const int64_t low = IntegerMin(y);
  const int64_t high = IntegerMax(y);
  int64_t zp = 0;
  if (Finite(zero_point)) {
    zp = static_cast<int64_t>(zero_point.significand << zero_point.exponent);
    if (zero_point.negative) zp = -zp;
  }
  const uint64_t mask = (uint64_t{1} << y.bits) - 1;
  if (q.value_class == ValueClass::kNan) return static_cast<uint64_t>(low) & mask;
  if (recipe.overflow == O::kInfinityIsZero && q.value_class == ValueClass::kInfinity) {
    return IntegerCode(y, zp);
  }
  int64_t value = 0;
  switch (recipe.order) {
    case Recipe::Order::kBeforeExact:
      value = ToWide(Add(q, zero_point), recipe.rounding);
      break;
    case Recipe::Order::kBeforeInP:
      value =
          ToWide(setting.p == nullptr ? Add(q, zero_point)
                                      : Exact(RoundedTo(*setting.p, Add(q, zero_point))),
                 recipe.rounding);
      break;
    case Recipe::Order::kClampFirst:
      value = std::clamp(ToWide(q, recipe.rounding), low, high) + zp;
      break;
    case Recipe::Order::kIgnored:
      value = ToWide(q, recipe.rounding);
      break;
    case Recipe::Order::kAfter: {
      int64_t rounded = ToWide(q, recipe.rounding);
      if (recipe.overflow == O::kInt32Min &&
          (rounded > INT32_MAX || rounded < INT32_MIN)) {
        rounded = INT32_MIN;
      }
      if (recipe.overflow == O::kThroughInt16) {
        rounded = std::clamp<int64_t>(rounded, INT16_MIN, INT16_MAX);
      }
      value = rounded + zp;
      if (recipe.overflow == O::kWrapInt32) value = static_cast<int32_t>(value);
      break;
    }
  }
  if (recipe.overflow == O::kThroughInt16)
    value = std::clamp<int64_t>(value, INT16_MIN, INT16_MAX);
  if (recipe.overflow == O::kWrap) return static_cast<uint64_t>(value) & mask;
  if (recipe.overflow == O::kNarrowRange && y.is_signed) value = std::max(value, low + 1);
  return IntegerCode(y, value);
}

uint64_t FloatRound(const NumberFormat& y, const Unrounded& value, R rounding,
                    OverflowPolicy policy) {
  RoundingMode mode = RoundingMode::kNearestEven;
  switch (rounding) {
    case R::kEven:
      break;
    case R::kAway:
    case R::kHalfUp:
      mode = RoundingMode::kNearestAway;
      break;
    case R::kHalfDown:
    case R::kZero:
      mode = RoundingMode::kTowardZero;
      break;
    case R::kDown:
      mode = RoundingMode::kDown;
      break;
    case R::kUp:
      mode = RoundingMode::kUp;
      break;
  }
  return Round(y, value, mode, policy);
}

uint64_t FloatResult(const Setting& setting, const Recipe& recipe, Unrounded q,
                     const ExactValue& zero_point) {
  const NumberFormat& y = *setting.y;
  const bool float8 = IsFloat8(y.type);
  const bool saturate = !float8 || setting.saturate != recipe.other_saturate;
  const auto policy =
      saturate ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating;
  if (recipe.nan_is_zero && q.value_class == ValueClass::kNan) return 0;
  const bool add = zero_point.value_class != ValueClass::kZero;
  if (recipe.order == Recipe::Order::kBeforeInP && setting.p != nullptr) {
    q = add ? Exact(RoundedTo(*setting.p, Add(q, zero_point))) : q;
  } else if (recipe.order == Recipe::Order::kClampFirst) {
    if (add)
      q = Add(Exact(Decode(y, Round(y, q, RoundingMode::kNearestEven, policy))),
              zero_point);
  } else if (recipe.order != Recipe::Order::kIgnored && add) {
    q = Add(q, zero_point);
  }
  if (recipe.infinity_is_nan && q.value_class == ValueClass::kInfinity && float8) {
    return CanonicalNan(y);
  }
  if (recipe.early_overflow && !saturate && q.value_class == ValueClass::kFinite) {
    const Unrounded rest = Add(q, [&] {
      ExactValue end = Decode(y, LargestFinite(y));
      end.negative = !q.negative;
      return end;
    }());
    if (rest.value_class == ValueClass::kFinite && rest.negative == q.negative) {
      q.value_class = ValueClass::kInfinity;
    }
  }
  uint64_t code = FloatRound(y, q, recipe.rounding, policy);
  const uint64_t sign = uint64_t{1} << (y.bits - 1);
  if (recipe.flush_result && IsSubnormal(y, code))
    code = y.has_negative_zero ? code & sign : 0;
  if (recipe.drop_zero_sign && (code & ~sign) == 0 && y.has_negative_zero) code = 0;
  if (recipe.negative_zero_code && code == 0 && q.negative) code = sign;
  if (recipe.saturate_to_infinity && y.has_infinity &&
      (code & ~sign) == LargestFinite(y) && q.value_class == ValueClass::kInfinity) {
    code = Infinity(y, q.negative);
  }
  return code;
}

}  // namespace

uint64_t CodeFor(const Setting& setting, const Recipe& recipe, const ExactValue& x,
                 size_t scale, size_t zero_point) {
  const Unrounded q = QuotientOf(setting, recipe, x, setting.scales[scale]);
  const ExactValue& zp = setting.zero_points[zero_point];
  return setting.y->kind == NumberKind::kInteger ? IntegerResult(setting, recipe, q, zp)
                                                 : FloatResult(setting, recipe, q, zp);
}

}  // namespace qconform::generators
