#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::exact {
namespace {

std::vector<QLinearMatMulReadings> AllowedRequantizations(int scale) {
  std::vector<QLinearMatMulReadings> all = {QLinearMatMulReadings{}};
  const auto admit = [&](Requantization requantization, bool has_multiplier,
                         bool product_in_double) {
    const bool is_chain = requantization == Requantization::kF32DequantizeQuantize ||
                          requantization == Requantization::kF64Chain;
    for (MultiplierOrder order : {MultiplierOrder::kAbFirst, MultiplierOrder::kByFirst,
                                  MultiplierOrder::kAyFirst}) {
      if (!has_multiplier && order != MultiplierOrder::kAbFirst) continue;
      all.push_back({requantization, order, product_in_double, false, {}});
    }
    if (!is_chain) return;
    all.push_back({.requantization = requantization, .b_scale_first = true});
  };
  admit(Requantization::kF32Multiplier, true, false);
  admit(Requantization::kF32DequantizeQuantize, false, false);
  admit(Requantization::kF32CombinedDequantizeQuantize, false, false);
  admit(Requantization::kF64Product, true, false);
  admit(Requantization::kF64Chain, false, false);
  if (scale != kFloat) {
    admit(Requantization::kScaleTypeMultiplier, true, false);
    admit(Requantization::kScaleTypeMultiplier, true, true);
  }
  return all;
}

}  // namespace

std::vector<QLinearMatMulReadings> AllowedReadings(int scale, int y) {
  const Format& target = GetFormat(y);
  const bool is_float = target.set == Format::Set::kFloats;
  const bool is_fnuz = target.has_nan && !target.has_negative_zero;
  std::vector<QLinearMatMulReadings> all;
  for (const QLinearMatMulReadings& requantization : AllowedRequantizations(scale)) {
    const bool has_p = requantization.requantization != Requantization::kCanonical;
    for (FloatZeroPoint zero_point :
         {FloatZeroPoint::kCanonical, FloatZeroPoint::kIgnored,
          FloatZeroPoint::kRoundThenAdd, FloatZeroPoint::kAddedInP}) {
      if (zero_point != FloatZeroPoint::kCanonical && !is_float) continue;
      if (zero_point == FloatZeroPoint::kAddedInP && !has_p) continue;
      for (bool other_infinity : {false, true}) {  // QL-22, MM-11b
        if (other_infinity && !is_fnuz && !target.has_infinity) continue;
        QLinearMatMulReadings readings = requantization;
        readings.target.float_zero_point = zero_point;
        readings.target.other_fnuz_infinity = other_infinity && is_fnuz;
        readings.target.e5m2_infinity_kept = other_infinity && target.has_infinity;
        all.push_back(readings);
      }
    }
  }
  return all;
}

}  // namespace qconform::exact
