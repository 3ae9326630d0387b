#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::exact {
std::vector<QLinearMatMulReadings> AllowedReadings(int scale, int y) {
  const Format& target = GetFormat(y);
  const bool is_float = target.set == Format::Set::kFloats;
  const bool is_fnuz = target.has_nan && !target.has_negative_zero;
  std::vector<QLinearMatMulReadings> all;
  for (const RequantizationReadings& requantization : AllowedRequantizations(scale)) {
    const bool has_p = requantization.requantization != Requantization::kCanonical;
    for (FloatZeroPoint zero_point :
         {FloatZeroPoint::kCanonical, FloatZeroPoint::kIgnored,
          FloatZeroPoint::kRoundThenAdd, FloatZeroPoint::kAddedInP}) {
      if (zero_point != FloatZeroPoint::kCanonical && !is_float) continue;
      if (zero_point == FloatZeroPoint::kAddedInP && !has_p) continue;
      for (bool other_infinity : {false, true}) {  // QL-22, MM-11b
        if (other_infinity && !is_fnuz && !target.has_infinity) continue;
        QLinearMatMulReadings readings = {requantization};
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
