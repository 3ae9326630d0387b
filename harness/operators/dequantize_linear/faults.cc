#include "harness/operators/dequantize_linear/faults.h"

#include <utility>

#include "harness/operators/dequantize_linear/catalogue.h"

namespace qconform::dequantize_linear {

using Switches = DequantizeLinearSwitches;

const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

std::vector<OperatorFault> Catalogue() {
  std::vector<OperatorFault> catalogue;
  AddReadingFaults(catalogue);
  AddDifferenceFaults(catalogue);
  AddProductFaults(catalogue);
  AddLayoutFaults(catalogue);
  return catalogue;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(
    const Node& node, int since_version, const Operands& operands, Codes canonical,
    const ReadingSet& readings) const {
  return CaseOf<Case>(DecodeDequantizeLinear(node, since_version, operands, readings),
                      std::move(canonical));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  using S = Switches;
  Switches both = a.As<Switches>();
  const auto& other = b.As<Switches>();
  if (both.tail_lanes != 0 || other.tail_lanes != 0) return std::nullopt;
  Overlay<&S::packing, &S::zero_point_packing, &S::decoding, &S::zero_point_decoding,
          &S::zero_point, &S::difference, &S::int32, &S::int32_type, &S::power_of_two,
          &S::scale, &S::scale_type, &S::product, &S::product_type, &S::rounding,
          &S::flush_result, &S::overflow_saturates, &S::nan_is_zero,
          &S::zero_sign_dropped, &S::other_half_type, &S::last_unwritten, &S::scale_place,
          &S::zero_point_place>(both, other);
  return both;
}

bool Faults::ChangesAnotherStep(const FaultSet& set, const ReadingSet& follows) const {
  if (follows.is_bounded()) return false;
  const auto& s = set.As<Switches>();
  for (const Reading& reading : follows.readings) {
    const bool is_sign = reading.name == "zero_sign_dropped";
    const bool is_difference = reading.clause == "DQ-08" || reading.name == "x_in_p";
    const bool changes_difference = s.zero_point != Switches::ZeroPoint::kSubtracted ||
                                    s.difference != Switches::Difference::kExact ||
                                    s.int32 != Switches::Int32::kRight ||
                                    s.int32_type != DataType::kUndefined;
    if (is_sign && s.zero_sign_dropped) return false;
    if (is_difference && changes_difference) return false;
    if (!is_sign && s.product != Switches::Product::kRight) return false;
    if (!is_sign && s.zero_point == Switches::ZeroPoint::kDistributed) return false;
  }
  return true;
}

Codes Case::CodesOf(const FaultSet& set, FaultState& state) const {
  return EvaluateWithSwitches(decoded(), canonical(), set.As<Switches>(), state);
}

}  // namespace qconform::dequantize_linear
