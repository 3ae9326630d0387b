#include "oracle/exact/operators/quantize_linear/quantize_linear.h"

namespace qconform::exact {
namespace {

bool IsPrecisionGiven(int since_version, int64_t precision) {
  return since_version >= 23 && precision != 0;  // QL-05
}

const Format* CanonicalP(int since_version, int y_scale, int64_t precision) {
  if (IsPrecisionGiven(since_version, precision)) {
    return &GetFormat(static_cast<int>(precision));
  }
  if (y_scale == kInt32) return nullptr;                  // QL-06
  if (y_scale == kFloat8E8M0) return &GetFormat(kFloat);  // QL-07
  return &GetFormat(y_scale);                             // QL-02 to QL-05
}

Division MakeDivision(DivisionPrecision name, const Format* p, int x, int y_scale) {
  if (p == nullptr) return {name, p, false, false};
  return {name, p, !Contains(*p, GetFormat(x)), !Contains(*p, GetFormat(y_scale))};
}

// Readings of how y comes from the quotient: the combinations of those that
// can make a difference for this target.
std::vector<TargetReadings> AllowedTargetReadings(const Format& target, bool has_p) {
  if (target.set == Format::Set::kIntegers) return {TargetReadings{}};
  const bool is_fnuz = target.has_nan && !target.has_negative_zero;
  std::vector<TargetReadings> all;
  for (FloatZeroPoint zero_point :
       {FloatZeroPoint::kCanonical, FloatZeroPoint::kIgnored,
        FloatZeroPoint::kRoundThenAdd, FloatZeroPoint::kAddedInP}) {
    if (zero_point == FloatZeroPoint::kAddedInP && !has_p) continue;
    for (ZeroPointOfZero of_zero :
         {ZeroPointOfZero::kNotAdded, ZeroPointOfZero::kAddedWherePresent,
          ZeroPointOfZero::kAlwaysAdded}) {
      if (of_zero != ZeroPointOfZero::kNotAdded && !target.has_negative_zero) continue;
      for (bool other_infinity : {false, true}) {
        if (other_infinity && !is_fnuz) continue;
        for (bool dropped : {false, true}) {
          if (dropped && !HasNumbersOnly(target)) continue;
          all.push_back({.float_zero_point = zero_point,
                         .zero_point_of_zero = of_zero,
                         .other_fnuz_infinity = other_infinity,
                         .zero_sign_dropped = dropped});
        }
      }
    }
  }
  return all;
}

}  // namespace

std::vector<Division> Divisions(int since_version, int x, int y_scale,
                                int64_t precision) {
  std::vector<Division> all;
  const auto admit = [&](DivisionPrecision name, const Format* p) {
    all.push_back(MakeDivision(name, p, x, y_scale));
  };
  admit(DivisionPrecision::kCanonical, CanonicalP(since_version, y_scale, precision));
  if (IsPrecisionGiven(since_version, precision)) return all;
  const bool is_half = x == kFloat16 || x == kBfloat16;
  const bool is_ql02 = since_version <= 21 && x == kFloat;
  const bool is_ql03 = since_version <= 13 && x == kInt32;
  const bool is_ql04 = (since_version == 19 || since_version == 21) && is_half;
  const bool is_ql06 = y_scale == kInt32;
  const bool is_ql07 = y_scale == kFloat8E8M0;
  // Before 23 no text names the precision of x / y_scale, whatever their type.
  if (is_ql02 || is_ql03 || is_ql04 || (is_ql07 && x == kInt32)) {
    admit(DivisionPrecision::kF64Division, &GetFormat(kDouble));
  }
  if (is_ql04 || is_ql06) admit(DivisionPrecision::kF32Quotient, &GetFormat(kFloat));
  // Where x is FLOAT this is what another reading names already.
  if ((is_ql06 || is_ql07) && is_half) {
    admit(DivisionPrecision::kXTypeDivision, &GetFormat(x));
  }
  return all;
}

std::vector<QuantizeLinearReadings> AllowedReadings(int since_version, int x, int y_scale,
                                                    int y, int64_t precision) {
  std::vector<QuantizeLinearReadings> all;
  for (const Division& division : Divisions(since_version, x, y_scale, precision)) {
    const bool converts = division.rounds_x || division.rounds_y_scale;
    // QL-09 speaks of since 23, QL-03 of the quotient in FLOAT.
    const bool may_stay =
        converts &&
        (since_version >= 23 ||
         (since_version <= 13 && division.name == DivisionPrecision::kCanonical));
    for (bool unconverted : {false, true}) {
      if (unconverted && !may_stay) continue;
      for (const TargetReadings& target :
           AllowedTargetReadings(GetFormat(y), division.p != nullptr)) {
        all.push_back({division.name, unconverted, target});
      }
    }
  }
  return all;
}

}  // namespace qconform::exact
