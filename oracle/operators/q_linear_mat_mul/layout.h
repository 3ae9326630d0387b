// Which model a QLinearMatMul problem is: types, numpy.matmul's shapes, and where
// the scale and the zero point of a row or column lie (MM-04 to MM-07).
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_LAYOUT_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {

// An operand as a stack of matrices, row-major. Its lines are its rows (a, y) or
// its columns (b); a 1-D operand is one line.
struct MatMulStack {
  Shape batch;
  int64_t matrices = 1;  // product of `batch`
  int64_t rows = 1;
  int64_t columns = 1;
};

// For each line of each matrix, the index of its scale or zero point; empty
// where there is one for the whole tensor.
using LineIndices = std::vector<int64_t>;

struct QLinearMatMulLayout {
  MatMulStack a, b, y;
  Shape y_shape;  // without the dimensions that 1-D operands do not have
  // For each matrix of y, which matrix of a and of b makes it.
  std::vector<int64_t> a_matrix;
  std::vector<int64_t> b_matrix;
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
