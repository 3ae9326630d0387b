#include "harness/diagnosis/merged_switches.h"

namespace qconform {
namespace {

// Sets the members of `into` that `other` has otherwise than by default.
template <typename T>
void Overlay(T& into, const T& other, const T& plain) {
  if (other != plain) into = other;
}

}  // namespace

std::optional<QuantizeLinearSwitches> Merge(const QuantizeLinearSwitches& a,
                                            const QuantizeLinearSwitches& b) {
  if (a.tail_lanes != 0 || b.tail_lanes != 0) return std::nullopt;
  const QuantizeLinearSwitches plain;
  QuantizeLinearSwitches both = a;
  Overlay(both.quotient, b.quotient, plain.quotient);
  Overlay(both.type, b.type, plain.type);
  Overlay(both.default_precision, b.default_precision, false);
  Overlay(both.without_precision, b.without_precision, false);
  Overlay(both.flush_x, b.flush_x, false);
  Overlay(both.flush_scale, b.flush_scale, false);
  Overlay(both.flush_quotient, b.flush_quotient, false);
  Overlay(both.absolute_scale, b.absolute_scale, false);
  Overlay(both.zero_scale_is_one, b.zero_scale_is_one, false);
  Overlay(both.rounding, b.rounding, plain.rounding);
  Overlay(both.order, b.order, plain.order);
  Overlay(both.overflow, b.overflow, plain.overflow);
  Overlay(both.flush_result, b.flush_result, false);
  Overlay(both.always_saturates, b.always_saturates, false);
  Overlay(both.never_saturates, b.never_saturates, false);
  Overlay(both.early_overflow, b.early_overflow, false);
  Overlay(both.late_overflow, b.late_overflow, false);
  Overlay(both.negative_zero_code, b.negative_zero_code, false);
  Overlay(both.drop_zero_sign, b.drop_zero_sign, false);
  Overlay(both.nan_is_zero, b.nan_is_zero, false);
  Overlay(both.infinity_is_nan, b.infinity_is_nan, false);
  Overlay(both.saturate_to_infinity, b.saturate_to_infinity, false);
  Overlay(both.scale_place, b.scale_place, plain.scale_place);
  Overlay(both.zero_point_place, b.zero_point_place, plain.zero_point_place);
  Overlay(both.storage, b.storage, plain.storage);
  return both;
}

std::optional<QLinearMatMulSwitches> Merge(const QLinearMatMulSwitches& a,
                                           const QLinearMatMulSwitches& b) {
  if (a.tail_lanes != 0 || b.tail_lanes != 0) return std::nullopt;
  const QLinearMatMulSwitches plain;
  QLinearMatMulSwitches both = a;
  Overlay(both.sum, b.sum, plain.sum);
  Overlay(both.lost_tail, b.lost_tail, 0);
  Overlay(both.uncorrected_tail, b.uncorrected_tail, 0);
  Overlay(both.no_a_zero_point, b.no_a_zero_point, false);
  Overlay(both.no_b_zero_point, b.no_b_zero_point, false);
  Overlay(both.no_cross_term, b.no_cross_term, false);
  Overlay(both.first_batch, b.first_batch, false);
  Overlay(both.empty_is_zero, b.empty_is_zero, false);
  Overlay(both.empty_unwritten, b.empty_unwritten, false);
  Overlay(both.a_scale, b.a_scale, plain.a_scale);
  Overlay(both.b_scale, b.b_scale, plain.b_scale);
  Overlay(both.a_zero_point, b.a_zero_point, plain.a_zero_point);
  Overlay(both.b_zero_point, b.b_zero_point, plain.b_zero_point);
  Overlay(both.scales_as, b.scales_as, plain.scales_as);
  Overlay(both.absolute_scales, b.absolute_scales, false);
  Overlay(both.rounding, b.rounding, plain.rounding);
  Overlay(both.order, b.order, plain.order);
  Overlay(both.overflow, b.overflow, plain.overflow);
  Overlay(both.flush_result, b.flush_result, false);
  Overlay(both.never_saturates, b.never_saturates, false);
  Overlay(both.last_unwritten, b.last_unwritten, false);
  return both;
}

}  // namespace qconform
