// A case as faults see it: operands decoded once, and the oracle's codes, which
// whatever a fault leaves alone is taken from.
#ifndef QCONFORM_HARNESS_CORE_DECODED_CASE_H_
#define QCONFORM_HARNESS_CORE_DECODED_CASE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cases/model/model.h"
#include "harness/core/fault.h"
#include "harness/operators/q_linear_mat_mul/fault_model.h"
#include "harness/operators/quantize_linear/fault_model.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

class DecodedCase {
 public:
  // An Error where the model is invalid or of no operator that has faults.
  // `canonical` is the oracle's answer to it. With readings of the operator, it is the
  // answer by them, and what a fault leaves alone follows them: the quotient or the
  // requantization. Precondition: they are canonical in all else.
  static Result<DecodedCase> Create(const Model& model, int since_version,
                                    std::span<const TensorView> inputs,
                                    const Answer& canonical,
                                    const QuantizeLinearReadings& quantize_linear = {},
                                    const QLinearMatMulReadings& mat_mul = {});

  // Returns the codes of y by a fault; the oracle's where it does not touch the
  // operator.
  std::vector<uint32_t> CodesOf(const Fault& fault, FaultState& state) const;
  std::vector<uint32_t> CodesOf(const QuantizeLinearSwitches& switches,
                                FaultState& state) const;
  std::vector<uint32_t> CodesOf(const QLinearMatMulSwitches& switches) const;

  const std::vector<uint32_t>& canonical() const { return canonical_; }
  const DecodedQuantizeLinear* quantize_linear() const { return quantize_linear_.get(); }
  const DecodedMatMul* mat_mul() const { return mat_mul_.get(); }

 private:
  DecodedCase() = default;

  // The one of the operator; shared among copies.
  std::shared_ptr<const DecodedQuantizeLinear> quantize_linear_;
  std::shared_ptr<const DecodedMatMul> mat_mul_;
  std::vector<uint32_t> canonical_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_DECODED_CASE_H_
