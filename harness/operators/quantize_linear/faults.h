// The faults of QuantizeLinear. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULTS_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/quantize_linear/fault_model.h"

namespace qconform::quantize_linear {

const OperatorFaults& GetFaults();

std::vector<OperatorFault> Catalogue();

// A set of faults is a QuantizeLinearSwitches.
class Faults : public CataloguedFaults {
 public:
  Faults() : CataloguedFaults("QuantizeLinear", Catalogue()) {}

  Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const override;
  std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const override;
  bool ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const override;
  std::string_view BrokenClause(const Cell& cell, const Node& node,
                                const FaultSet& set) const override;
  // By bringing both to one normal form:
  //   exact_quotient   A type R with p digits holds the side of every threshold: rounding
  //                    the exact quotient to R changes no answer (HoldsEveryThreshold).
  //   same_type        Converting to a type that holds every value of the operand changes
  //                    nothing, so that two models divide the same numbers.
  //   integer_quotient Of two integers, dividing as integers do and rounding toward zero
  //                    are the same.
  //   int16            For INT16, saturating at INT16 and clamping to y's range are one.
  std::string WhyIndistinguishable(const Cell& cell, const FaultSet& a,
                                   const FaultSet& b) const override;
  Patterns PatternsOf(std::span<const EvidenceCase> cases) const override;
  std::string WrongScalesOf(std::span<const EvidenceCase> cases) const override;
  const ClauseDecides& clauses_asked() const override;
};

// A case of the operator.
class Case : public DecodedCaseOf<DecodedQuantizeLinear> {
 public:
  using DecodedCase::CodesOf;
  using DecodedCaseOf::DecodedCaseOf;
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  bool IsUndefined(const FaultSet& set, int64_t index) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* other,
                                  const FaultSet* set) const override;
};

// Returns whether rounding the exact quotient of an x and a y_scale of these types to
// `r` never changes the code of y that the nearest rounding gives, whatever the operands
// and the zero point of y's type.
//
// Let x have d_x significant digits, y_scale d_s, and let every threshold m of y (a
// midpoint of its grid, moved by a zero point) have at most c: m is a multiple of 2^u
// with |m| < 2^(u + c). Where x / s is not m itself, x - m s is a multiple of the
// smaller of x's last digit and that of m s, so that x / s differs from m by more than
// half a digit of r next to m, as soon as r has p >= max(d_x, d_s + c) digits; where it
// is m, r holds it. No threshold but 0 lies below 2^u, and 0 is none for the nearest
// rounding, so that r must be normal from 2^u on and reach beyond the last threshold.
bool HoldsEveryThreshold(DataType r, DataType x, DataType y_scale, DataType y);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULTS_H_
