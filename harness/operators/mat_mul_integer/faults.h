// The faults of MatMulInteger. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULTS_H_
#define QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/mat_mul_integer/fault_model.h"

namespace qconform::mat_mul_integer {

const OperatorFaults& GetFaults();

std::vector<OperatorFault> Catalogue();

// A set of faults is a MatMulIntegerSwitches.
class Faults : public CataloguedFaults {
 public:
  Faults() : CataloguedFaults("MatMulInteger", Catalogue()) {}

  Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const override;
  std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const override;
  size_t most_in_pairs() const override { return 12; }  // K times as long as others
  std::string_view BrokenClause(const Cell& cell, const Node& node,
                                const FaultSet& set) const override;
  Patterns PatternsOf(std::span<const EvidenceCase> cases) const override;
  const ClauseDecides& clauses_asked() const override;
};

// A case of the operator.
class Case : public DecodedCaseOf<DecodedMatMulInteger> {
 public:
  using DecodedCase::CodesOf;
  using DecodedCaseOf::DecodedCaseOf;
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* by,
                                  const FaultSet* set) const override;
};

}  // namespace qconform::mat_mul_integer

#endif  // QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULTS_H_
