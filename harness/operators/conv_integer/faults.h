// The faults of ConvInteger. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_FAULTS_H_
#define QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/convolution/wrong_convolution.h"
#include "harness/core/operator_faults.h"

namespace qconform {

struct ConvIntegerSwitches {
  ConvolutionMistakes sum = {};
  enum class Range : uint8_t {
    kInt32,
    kInt24,  // the sum saturates to 24 bits
    kInt16,  // to 16 bits
    kFloat,  // the sum is rounded to FLOAT
  };
  Range range = Range::kInt32;
  bool last_unwritten = false;  // the last element keeps what lay there

  friend bool operator==(const ConvIntegerSwitches&,
                         const ConvIntegerSwitches&) = default;
};

namespace conv_integer {

const OperatorFaults& GetFaults();

std::vector<OperatorFault> Catalogue();

// A set of faults is a ConvIntegerSwitches.
class Faults : public CataloguedFaults {
 public:
  Faults() : CataloguedFaults("ConvInteger", Catalogue()) {}

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

// A case of the operator. Elements whose right sum lies outside of INT32 keep the
// oracle's code.
class Case : public DecodedCaseOf<DecodedConvolution> {
 public:
  using DecodedCase::CodesOf;
  using DecodedCaseOf::DecodedCaseOf;
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* by,
                                  const FaultSet* set) const override;
};

}  // namespace conv_integer
}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_FAULTS_H_
