// A case as a problem of the oracle.
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_PROBLEM_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_PROBLEM_H_

#include "cases/core/testing/asked.h"
#include "oracle/operators/q_linear_mat_mul/problem.h"

namespace qconform::generators {

inline QLinearMatMulProblem ProblemOf(const OpCase& made) {
  return QLinearMatMulProblemOf(made.key.cell.since_version, OperandsOf(made));
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_PROBLEM_H_
