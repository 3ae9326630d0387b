// A case as a problem of the oracle.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_PROBLEM_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_PROBLEM_H_

#include "cases/core/testing/asked.h"
#include "oracle/operators/quantize_linear/problem.h"

namespace qconform::generators {

inline QuantizeLinearProblem ProblemOf(const OpCase& made) {
  return *QuantizeLinearProblemOf(
      made.key.cell.since_version,
      *ReadQuantizeLinearAttributes(made.model.node.attributes), OperandsOf(made));
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_PROBLEM_H_
