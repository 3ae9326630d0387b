// Which clauses of the ledger decide an element of a case. (That readings of parametric
// clauses are told apart is another question: harness/compare/inference.h.)
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_CLAUSES_ASKED_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_CLAUSES_ASKED_H_

#include <functional>
#include <map>
#include <set>
#include <string>

#include "cases/core/case.h"
#include "harness/core/case_answer.h"

namespace qconform {

// One element of one case.
struct AskedElement {
  const OpCase& op_case;
  const CaseAnswer& answer;
  const ElementAnswer& element;
  DataType type;  // of the output
};

// By clause id; of an operator, all clauses that elements can show. Models at the border
// of what is defined show the others (cases/negative).
using ClauseDecides = std::map<std::string, std::function<bool(const AskedElement&)>>;
const ClauseDecides& DecidesOf(const std::string& op_type);

// The clauses that decide some element of a case.
std::set<std::string> ClausesAsked(const OpCase& op_case, const CaseAnswer& answer);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_CLAUSES_ASKED_H_
