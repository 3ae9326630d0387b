#include "harness/backends/faulty/decoded_case.h"

#include <string>
#include <utility>

#include "harness/backends/operands.h"

namespace qconform {

Result<DecodedCase> DecodedCase::Create(const Model& model, int since_version,
                                        std::span<const TensorView> inputs,
                                        const Answer& canonical) {
  const auto operands = ResolveOperands(model, inputs);
  if (!operands) return operands.error();
  DecodedCase decoded;
  if (model.node.op_type == "QuantizeLinear") {
    auto made = DecodeQuantizeLinear(model.node, since_version, *operands);
    if (!made) return made.error();
    decoded.decoded_ = *std::move(made);
  } else {
    return Error{"there are no faults of operator '" + model.node.op_type +
                 "'; there are for QuantizeLinear and QLinearMatMul"};
  }
  decoded.canonical_.reserve(canonical.elements.size());
  for (const ElementAnswer& element : canonical.elements) {
    decoded.canonical_.push_back(element.code);
  }
  return decoded;
}

std::vector<uint32_t> DecodedCase::CodesOf(const Fault& fault, FaultState& state) const {
  if (quantize_linear() != nullptr && fault.quantize_linear) {
    return CodesOf(*fault.quantize_linear, state);
  }
  return canonical_;
}

std::vector<uint32_t> DecodedCase::CodesOf(const QuantizeLinearSwitches& switches,
                                           FaultState& state) const {
  const DecodedQuantizeLinear* decoded = quantize_linear();
  if (decoded == nullptr) return canonical_;
  return EvaluateWithSwitches(*decoded, canonical_, switches, state);
}

}  // namespace qconform
