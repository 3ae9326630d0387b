// The faults of DynamicQuantizeLinear. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULTS_H_
#define QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/dynamic_quantize_linear/fault_model.h"

namespace qconform::dynamic_quantize_linear {

const OperatorFaults& GetFaults();

std::vector<OperatorFault> Catalogue();

// A set of faults is a DynamicQuantizeLinearSwitches.
class Faults : public CataloguedFaults {
 public:
  Faults() : CataloguedFaults("DynamicQuantizeLinear", Catalogue()) {}

  Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const override;
  std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const override;
  bool ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const override;
  std::string_view BrokenClause(const Cell& cell, const Node& node,
                                const FaultSet& set) const override;
  Patterns PatternsOf(std::span<const EvidenceCase> cases) const override;
  const ClauseDecides& clauses_asked() const override;
};

// A case of the operator.
class Case : public DecodedCaseOf<DecodedDynamicQuantizeLinear> {
 public:
  using DecodedCase::CodesOf;
  using DecodedCaseOf::DecodedCaseOf;
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  bool IsUndefined(const FaultSet& set, int64_t index) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* by,
                                  const FaultSet* set) const override;
};

}  // namespace qconform::dynamic_quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULTS_H_
