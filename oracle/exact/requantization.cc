#include "oracle/exact/requantization.h"

#include <algorithm>

namespace qconform::exact {
namespace {

// Whether numbers from 2^low to below 2^high times `value` may leave FLOAT's normal
// range.
bool MayLeaveFloat(const Value& value, int low, int high) {
  return value.number * PowerOfTwo(low) < PowerOfTwo(-126) ||
         value.number * PowerOfTwo(high) >= PowerOfTwo(127);
}

// |v| / Unit(v) is an odd integer, for FLOAT's values other than 0.
mpq_class Unit(const mpq_class& v) {
  const mpz_class numerator = abs(v.get_num());
  const mpz_class odd = numerator >> mpz_scan1(numerator.get_mpz_t(), 0);
  return abs(v) / odd;
}

}  // namespace

std::vector<RequantizationReadings> AllowedRequantizations(int scale_type) {
  std::vector<RequantizationReadings> all = {RequantizationReadings{}};
  const auto admit = [&](Requantization requantization, bool has_multiplier,
                         bool product_in_double) {
    const bool is_chain = requantization == Requantization::kF32DequantizeQuantize ||
                          requantization == Requantization::kF64Chain;
    for (MultiplierOrder order : {MultiplierOrder::kAbFirst, MultiplierOrder::kByFirst,
                                  MultiplierOrder::kAyFirst}) {
      if (!has_multiplier && order != MultiplierOrder::kAbFirst) continue;
      all.push_back({requantization, order, product_in_double, false});
    }
    if (!is_chain) return;
    all.push_back({.requantization = requantization, .b_scale_first = true});
  };
  admit(Requantization::kF32Multiplier, true, false);
  admit(Requantization::kF32DequantizeQuantize, false, false);
  admit(Requantization::kF32CombinedDequantizeQuantize, false, false);
  admit(Requantization::kF64Product, true, false);
  admit(Requantization::kF64Chain, false, false);
  if (scale_type != kFloat) {
    admit(Requantization::kScaleTypeMultiplier, true, false);
    admit(Requantization::kScaleTypeMultiplier, true, true);
  }
  return all;
}

const Format* TypeOfV(const RequantizationReadings& readings) {
  switch (readings.requantization) {
    case Requantization::kCanonical:
      return nullptr;
    case Requantization::kF64Product:
    case Requantization::kF64Chain:
      return &GetFormat(kDouble);
    case Requantization::kF32Multiplier:
    case Requantization::kF32DequantizeQuantize:
    case Requantization::kF32CombinedDequantizeQuantize:
    case Requantization::kScaleTypeMultiplier:
      break;
  }
  return &GetFormat(readings.product_in_double ? kDouble : kFloat);
}

Value Requantize(const Value& c, const RequantizationScales& scales,
                 const RequantizationReadings& readings) {
  // Older compilers refuse to capture structured bindings in lambdas.
  const Value &a_scale = scales.a, &b_scale = scales.b, &y_scale = scales.y;
  const Format& f32 = GetFormat(kFloat);
  const Format& f64 = GetFormat(kDouble);
  const auto times = [](const Format& p, const Value& one, const Value& other) {
    return RoundToPrecision(p, Multiply(one, other));
  };
  const auto over = [](const Format& p, const Value& one, const Value& other) {
    return RoundToPrecision(p, Divide(one, other));
  };
  const auto multiplier = [&](const Format& p) {
    switch (readings.order) {
      case MultiplierOrder::kByFirst:
        return times(p, a_scale, over(p, b_scale, y_scale));
      case MultiplierOrder::kAyFirst:
        return times(p, over(p, a_scale, y_scale), b_scale);
      case MultiplierOrder::kAbFirst:
        break;
    }
    return over(p, times(p, a_scale, b_scale), y_scale);
  };
  const auto product = [&](const Format& p, const Value& m) {
    return times(p, RoundToPrecision(p, c), m);
  };
  const auto chain = [&](const Format& p) {
    const Value& first = readings.b_scale_first ? b_scale : a_scale;
    const Value& second = readings.b_scale_first ? a_scale : b_scale;
    return over(p, times(p, times(p, RoundToPrecision(p, c), first), second), y_scale);
  };
  switch (readings.requantization) {
    case Requantization::kF32Multiplier:
      return product(f32, multiplier(f32));
    case Requantization::kF32DequantizeQuantize:
      return chain(f32);
    case Requantization::kF32CombinedDequantizeQuantize:
      return over(f32, product(f32, times(f32, a_scale, b_scale)), y_scale);
    case Requantization::kF64Product:
      return product(f64, multiplier(f32));
    case Requantization::kF64Chain:
      return chain(f64);
    case Requantization::kScaleTypeMultiplier:
      return product(readings.product_in_double ? f64 : f32,
                     multiplier(GetFormat(scales.type)));
    case Requantization::kCanonical:
      break;
  }
  return Divide(Multiply(Multiply(c, a_scale), b_scale), y_scale);
}

int CeilLog2(int64_t n) {
  int digits = 0;
  while ((int64_t{1} << digits) < n) ++digits;
  return digits;
}

bool IsDegenerate(const RequantizationScales& scales,
                  const OperandMagnitudes& magnitudes) {
  const auto& [scale_type, a, b, y] = scales;
  const Format& ts = GetFormat(scale_type);
  for (const Value* scale : {&a, &b, &y}) {
    if (!scale->IsNumber() || sgn(scale->number) <= 0 || IsSubnormal(ts, *scale))
      return true;
  }
  const Value product = Multiply(a, b);
  if (MayLeaveFloat(a, magnitudes.a_low, magnitudes.a_high) ||
      MayLeaveFloat(b, magnitudes.b_low, magnitudes.b_high) ||
      MayLeaveFloat(product, magnitudes.a_low + magnitudes.b_low, magnitudes.sum_high)) {
    return true;
  }
  const Value multiplier = Divide(product, y);
  for (const Format* format : {&ts, &GetFormat(kFloat)}) {
    for (const Value* value : {&product, &multiplier}) {
      if (IsSubnormal(*format, *value) ||
          RoundToPrecision(*format, *value).IsInfinity()) {
        return true;
      }
    }
  }
  return false;
}

mpq_class Gamma(int64_t n) {
  const mpq_class nu = Scaled(mpq_class(mpz_class(static_cast<long>(n))), -24);
  return nu / (1 - nu);
}

// The roundings that move the v of float_matmul, of `most`: without products and sums
// where all of these are multiples of one unit, at most 2^24 of it, and normal in FLOAT.
int64_t FloatMatMulRoundings(const mpq_class& magnitude,
                             const RequantizationScales& scales, int64_t most) {
  const auto& [scale_type, a, b, y_scale] = scales;
  for (const Value* scale : {&a, &b, &y_scale}) {
    if (!scale->IsNumber() || scale->number == 0) return most;
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

std::optional<std::pair<mpq_class, mpq_class>> IntervalAroundV(
    const Value& c, const mpq_class& magnitude, const RequantizationScales& scales,
    const mpq_class& part) {
  const Value v = Requantize(c, scales, {});
  const Value multiplier = Divide(Multiply(scales.a, scales.b), scales.y);
  if (!v.IsNumber() || !multiplier.IsNumber()) return std::nullopt;
  const mpq_class radius = part * magnitude * abs(multiplier.number);
  return std::pair(mpq_class(v.number - radius), mpq_class(v.number + radius));
}

}  // namespace qconform::exact
