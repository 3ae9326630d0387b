// Which model a QLinearMatMul problem is: types, numpy.matmul's shapes, and where
// the scale and the zero point of a row or column lie (MM-04 to MM-07).
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_LAYOUT_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_LAYOUT_H_

#include "oracle/matmul/layout.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {

struct QLinearMatMulLayout : MatMulLayout {
  LineIndices a_scale, a_zero_point;  // by row
  LineIndices b_scale, b_zero_point;  // by column
  LineIndices y_scale, y_zero_point;  // by row
};

struct QLinearMatMulResolution {
  ModelValidity validation;
  QLinearMatMulLayout layout;  // meaningless where the model is invalid
};

QLinearMatMulResolution Resolve(const QLinearMatMulProblem& problem);

// The same of operands whose data may be missing.
QLinearMatMulResolution ResolveWithoutData(const QLinearMatMulProblem& problem);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_LAYOUT_H_
