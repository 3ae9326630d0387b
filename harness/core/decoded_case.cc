#include "harness/core/decoded_case.h"

#include <string>
#include <utility>

#include "harness/backends/operands.h"

namespace qconform {

Result<DecodedCase> DecodedCase::Create(const Model& model, int since_version,
                                        std::span<const TensorView> inputs,
                                        const Answer& canonical,
                                        const QuantizeLinearReadings& quantize_linear,
                                        const QLinearMatMulReadings& mat_mul) {
  const auto operands = ResolveOperands(model, inputs);
  if (!operands) return operands.error();
  DecodedCase decoded;
  if (model.node.op_type == "QuantizeLinear") {
    auto made =
        DecodeQuantizeLinear(model.node, since_version, *operands, quantize_linear);
    if (!made) return made.error();
    decoded.quantize_linear_ =
        std::make_shared<const DecodedQuantizeLinear>(*std::move(made));
  } else if (model.node.op_type == "QLinearMatMul") {
    auto made = DecodeMatMul(since_version, *operands, mat_mul);
    if (!made) return made.error();
    decoded.mat_mul_ = std::make_shared<const DecodedMatMul>(*std::move(made));
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
  if (mat_mul() != nullptr && fault.mat_mul) return CodesOf(*fault.mat_mul);
  return canonical_;
}

std::vector<uint32_t> DecodedCase::CodesOf(const QuantizeLinearSwitches& switches,
                                           FaultState& state) const {
  const DecodedQuantizeLinear* decoded = quantize_linear();
  if (decoded == nullptr) return canonical_;
  return EvaluateWithSwitches(*decoded, canonical_, switches, state);
}

std::vector<uint32_t> DecodedCase::CodesOf(const QLinearMatMulSwitches& switches) const {
  const DecodedMatMul* decoded = mat_mul();
  if (decoded == nullptr) return canonical_;
  return EvaluateWithSwitches(*decoded, canonical_, switches);
}

}  // namespace qconform
