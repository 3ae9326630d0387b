#include "harness/runner/judge/clauses_asked.h"

#include "harness/core/operator_faults.h"

namespace qconform {

std::set<std::string> ClausesAsked(const OpCase& op_case, const CaseAnswer& answer) {
  std::set<std::string> clauses;
  const OperatorFaults* op = FindOperatorFaults(op_case.key.cell.op_type);
  if (op == nullptr) return clauses;
  for (const auto& [clause, decides] : op->clauses_asked()) {
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      const auto elements = static_cast<int64_t>(answer.SizeOf(answer.PlaceOf(i).output));
      if (!decides({op_case, answer.elements[i], answer.TypeOf(i), elements})) continue;
      clauses.insert(clause);
      break;
    }
  }
  return clauses;
}

}  // namespace qconform
