// The faults of QLinearConv. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULTS_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/q_linear_conv/fault_model.h"

namespace qconform::q_linear_conv {

const OperatorFaults& GetFaults();

std::vector<OperatorFault> Catalogue();

// A set of faults is a QLinearConvSwitches.
class Faults : public CataloguedFaults {
 public:
  Faults() : CataloguedFaults("QLinearConv", Catalogue()) {}

  Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const override;
  std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const override;
  size_t most_in_pairs() const override { return 12; }  // K times as long as others
  bool ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const override;
  std::string_view BrokenClause(const Cell& cell, const Node& node,
                                const FaultSet& set) const override;
  // "unsigned": of UINT8 y, clamping the quotient to y's range before the zero point is
  // added leaves nothing below the zero point, as clamping the result there does; above,
  // both saturate.
  std::string WhyIndistinguishable(const Cell& cell, const FaultSet& a,
                                   const FaultSet& b) const override;
  Patterns PatternsOf(std::span<const EvidenceCase> cases) const override;
  std::string WrongScalesOf(std::span<const EvidenceCase> cases) const override;
  const ClauseDecides& clauses_asked() const override;
};

// A case of the operator.
class Case : public DecodedCaseOf<DecodedQLinearConv> {
 public:
  using DecodedCase::CodesOf;
  using DecodedCaseOf::DecodedCaseOf;
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* by,
                                  const FaultSet* set) const override;
};

}  // namespace qconform::q_linear_conv

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULTS_H_
