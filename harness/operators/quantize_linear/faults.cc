#include "harness/operators/quantize_linear/faults.h"

#include <utility>

#include "harness/operators/quantize_linear/catalogue.h"

namespace qconform::quantize_linear {

using Switches = QuantizeLinearSwitches;

const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

std::vector<OperatorFault> Catalogue() {
  std::vector<OperatorFault> catalogue;
  AddArithmeticFaults(catalogue);
  AddFloatFaults(catalogue);
  AddFloat6Faults(catalogue);
  AddLayoutFaults(catalogue);
  return catalogue;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(
    const Node& node, int since_version, const Operands& operands, Codes canonical,
    const ReadingSet& readings) const {
  return CaseOf<Case>(DecodeQuantizeLinear(node, since_version, operands,
                                           DecodeQuantizeLinearReadings(readings.code)),
                      std::move(canonical));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  using S = Switches;
  Switches both = a.As<Switches>();
  const auto& other = b.As<Switches>();
  if (both.tail_lanes != 0 || other.tail_lanes != 0) return std::nullopt;
  Overlay<&S::quotient, &S::type, &S::default_precision, &S::int32_through_float,
          &S::without_precision, &S::flush_x, &S::flush_scale, &S::flush_quotient,
          &S::absolute_scale, &S::zero_scale_is_one, &S::fake_quantize, &S::sign_lost,
          &S::integer_first, &S::rounding, &S::order, &S::overflow, &S::overflow_place,
          &S::flush_result, &S::flush_before_rounding, &S::always_saturates,
          &S::never_saturates, &S::early_overflow, &S::late_overflow,
          &S::overflow_by_carry, &S::fnuz_doubled, &S::negative_zero_code,
          &S::negative_underflow_code, &S::drop_zero_sign, &S::ends_at_240,
          &S::nan_is_zero, &S::infinity_is_nan, &S::saturate_to_infinity,
          &S::zero_point_read, &S::grid, &S::through, &S::largest_is_free,
          &S::overflow_to_infinity_code, &S::subnormal_sign_lost, &S::scale_place,
          &S::zero_point_place, &S::storage>(both, other);
  return both;
}

bool Faults::ChangesAnotherStep(const FaultSet& set, const ReadingSet& follows) const {
  if (follows.is_bounded()) return false;
  const QuantizeLinearReadings plain;
  const QuantizeLinearReadings readings = DecodeQuantizeLinearReadings(follows.code);
  const auto& s = set.As<Switches>();
  const bool divides = s.quotient != Switches::Quotient::kCanonical ||
                       s.default_precision || s.int32_through_float || s.fake_quantize ||
                       s.order == Switches::Order::kFused;
  if (divides && readings.quotient != plain.quotient) return false;
  const bool adds = s.order != Switches::Order::kAfter ||
                    s.zero_point_read == Switches::ZeroPointRead::kOtherFormat;
  if (adds && readings.float_zero_point != plain.float_zero_point) return false;
  const bool signs = s.drop_zero_sign || s.negative_zero_code ||
                     s.negative_underflow_code || s.sign_lost;
  const bool reads_sign = readings.zero_point_added ||
                          readings.missing_zero_point_added || readings.zero_sign_dropped;
  if ((signs || s.order != Switches::Order::kAfter) && reads_sign) return false;
  const bool infinite = s.infinity_is_nan || s.saturate_to_infinity;
  return !infinite || (!readings.fnuz_infinity_nan && !readings.fnuz_infinity_largest);
}

Codes Case::CodesOf(const FaultSet& set, FaultState& state) const {
  return EvaluateWithSwitches(decoded(), canonical(), set.As<Switches>(), state);
}

bool Case::IsUndefined(const FaultSet& set, int64_t index) const {
  const auto& s = set.As<Switches>();
  if (decoded().y->kind != NumberKind::kInteger) return false;
  return TraceElement(decoded(), s, index).quotient.value_class == ValueClass::kNan;
}

}  // namespace qconform::quantize_linear
