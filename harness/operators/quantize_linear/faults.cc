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
  Overlay<&S::quotient, &S::type, &S::default_precision, &S::without_precision,
          &S::flush_x, &S::flush_scale, &S::flush_quotient, &S::absolute_scale,
          &S::zero_scale_is_one, &S::rounding, &S::order, &S::overflow, &S::flush_result,
          &S::always_saturates, &S::never_saturates, &S::early_overflow,
          &S::late_overflow, &S::overflow_by_carry, &S::negative_zero_code,
          &S::drop_zero_sign, &S::nan_is_zero, &S::infinity_is_nan,
          &S::saturate_to_infinity, &S::zero_point_read, &S::grid, &S::through,
          &S::largest_is_free, &S::overflow_to_infinity_code, &S::subnormal_sign_lost,
          &S::scale_place, &S::zero_point_place, &S::storage>(both, other);
  return both;
}

bool Faults::ChangesAnotherStep(const FaultSet& set, const ReadingSet& follows) const {
  if (follows.is_bounded()) return false;
  const QuantizeLinearReadings plain;
  const QuantizeLinearReadings readings = DecodeQuantizeLinearReadings(follows.code);
  QuantizeLinearReadings rest = readings;
  rest.quotient = plain.quotient;
  if (rest != plain) return false;
  const auto& switches = set.As<Switches>();
  const bool divides = switches.quotient != Switches::Quotient::kCanonical ||
                       switches.default_precision || switches.without_precision;
  return !divides || readings.quotient == plain.quotient;
}

Codes Case::CodesOf(const FaultSet& set, FaultState& state) const {
  return EvaluateWithSwitches(decoded(), canonical(), set.As<Switches>(), state);
}

}  // namespace qconform::quantize_linear
