// The clauses of the ledger that decide an element of a case. (Whether cases distinguish
// the readings of parametric clauses is another question: harness/compare/inference.h.)
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_CLAUSES_ASKED_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_CLAUSES_ASKED_H_

#include <set>
#include <string>

#include "cases/core/case.h"
#include "harness/core/case_answer.h"

namespace qconform {

std::set<std::string> ClausesAsked(const OpCase& op_case, const CaseAnswer& answer);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_CLAUSES_ASKED_H_
