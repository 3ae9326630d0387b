// The faults of DequantizeLinear. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULTS_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/dequantize_linear/fault_model.h"

namespace qconform::dequantize_linear {

const OperatorFaults& GetFaults();

std::vector<OperatorFault> Catalogue();

// A set of faults is a DequantizeLinearSwitches.
class Faults : public CataloguedFaults {
 public:
  Faults() : CataloguedFaults("DequantizeLinear", Catalogue()) {}

  Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const override;
  std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const override;
  bool ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const override;
  std::string_view BrokenClause(const Cell& cell, const Node& node,
                                const FaultSet& set) const override;
  // By bringing both to one normal form: a mistake that does not act on the types of the
  // cell is none ("does_not_act"), and for some types two mistakes are one ("same_type"):
  //   - the type of the scale by `output_dtype` that is ignored, and by its name
  //   - half of every float x, and half of every FLOAT8E8M0 scale
  std::string WhyIndistinguishable(const Cell& cell, const FaultSet& a,
                                   const FaultSet& b) const override;
  Patterns PatternsOf(std::span<const EvidenceCase> cases) const override;
  const ClauseDecides& clauses_asked() const override;
};

// A case of the operator.
class Case : public DecodedCaseOf<DecodedDequantizeLinear> {
 public:
  using DecodedCase::CodesOf;
  using DecodedCaseOf::DecodedCaseOf;
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* other,
                                  const FaultSet* set) const override;
};

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULTS_H_
