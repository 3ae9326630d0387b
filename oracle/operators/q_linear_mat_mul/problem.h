// From the operands of a node to the problem that the evaluation takes.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_PROBLEM_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_PROBLEM_H_

#include "oracle/core/operator.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {

// An operand that is missing keeps the type kUndefined, which makes the model invalid.
// The problem's views are those of the operands.
QLinearMatMulProblem QLinearMatMulProblemOf(int since_version, const Operands& operands);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_PROBLEM_H_
