#include "harness/core/operator_faults.h"

#include <utility>

namespace qconform {

Codes DecodedCase::CodesOf(const Fault& fault, FaultState& state) const {
  const FaultSet* set = fault.SetFor(op_type_);
  return set == nullptr ? canonical_ : CodesOf(*set, state);
}

Result<std::shared_ptr<const DecodedCase>> OperatorFaults::Decode(
    const Node&, int, const Operands&, Codes canonical, const ReadingSet&) const {
  return std::make_shared<const DecodedCase>(op_type(), std::move(canonical));
}

std::optional<FaultSet> OperatorFaults::Merge(const FaultSet&, const FaultSet&) const {
  return std::nullopt;
}

bool OperatorFaults::ChangesAnotherStep(const FaultSet&, const ReadingSet&) const {
  return false;
}

std::string_view OperatorFaults::BrokenClause(const Cell&, const Node&,
                                              const FaultSet&) const {
  return "";
}

std::string OperatorFaults::WhyIndistinguishable(const Cell&, const FaultSet& a,
                                                 const FaultSet& b) const {
  return a == b ? "same_type" : "";
}

const ClauseDecides& OperatorFaults::clauses_asked() const {
  static const ClauseDecides none;
  return none;
}

Patterns OperatorFaults::PatternsOf(std::span<const EvidenceCase>) const {
  Patterns patterns = SpecialValuePatterns("values before rounding");
  Append(patterns, ResultPatterns());
  Append(patterns, TailPatterns());
  Append(patterns, LanePatterns());
  Append(patterns, TierPatterns());
  return patterns;
}

const OperatorFaults* FindOperatorFaults(std::string_view op_type) {
  for (const OperatorFaults* faults : AllOperatorFaults()) {
    if (faults->op_type() == op_type) return faults;
  }
  return nullptr;
}

}  // namespace qconform
