// The faults of QLinearMatMul. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULTS_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/q_linear_mat_mul/fault_model.h"

namespace qconform::q_linear_mat_mul {

const OperatorFaults& GetFaults();

std::vector<OperatorFault> Catalogue();

// A set of faults is a QLinearMatMulSwitches.
class Faults : public CataloguedFaults {
 public:
  Faults() : CataloguedFaults("QLinearMatMul", Catalogue()) {}

  Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const override;
  std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const override;
  size_t most_in_pairs() const override { return 12; }  // K times as long as others
  bool ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const override;
  std::string_view BrokenClause(const Cell& cell, const Node& node,
                                const FaultSet& set) const override;
  Patterns PatternsOf(std::span<const EvidenceCase> cases) const override;
  std::string WrongScalesOf(std::span<const EvidenceCase> cases) const override;
  const ClauseDecides& clauses_asked() const override;
};

// A case of the operator.
class Case : public DecodedCaseOf<DecodedMatMul> {
 public:
  using DecodedCase::CodesOf;
  using DecodedCaseOf::DecodedCaseOf;
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* by,
                                  const FaultSet* set) const override;
};

}  // namespace qconform::q_linear_mat_mul

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULTS_H_
