// From the operands of a QLinearMatMul node to the problem that oracle/scalar takes.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROBLEM_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROBLEM_H_

#include "harness/backends/operands.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {

// An operand that is missing keeps kUndefined, which Validate tells of.
QLinearMatMulProblem MatMulProblemOf(int since_version, const Operands& operands);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROBLEM_H_
