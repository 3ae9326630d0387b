#include "harness/diagnosis/evidence_case.h"

#include "harness/backends/operands.h"

namespace qconform {

Result<DecodedCase> DecodeCase(const AnsweredCase& answered, int since_version,
                               const FollowedReading* follows) {
  QuantizeLinearReadings quantize_linear;
  QLinearMatMulReadings mat_mul;
  if (follows != nullptr) {
    const auto choice = follows->choices.find(PrecisionOf(*answered.model));
    if (choice != follows->choices.end()) {
      const Readings& readings = choice->second.readings;
      if (const auto* one = std::get_if<QuantizeLinearReadings>(&readings))
        quantize_linear = *one;
      if (const auto* one = std::get_if<QLinearMatMulReadings>(&readings)) mat_mul = *one;
    }
  }
  return DecodedCase::Create(*answered.model, since_version, answered.inputs,
                             *answered.answer, quantize_linear, mat_mul);
}

}  // namespace qconform
