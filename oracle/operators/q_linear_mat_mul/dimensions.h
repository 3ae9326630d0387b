// The dimensions of QLinearMatMul: oracle/matmul/dimensions.h.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_DIMENSIONS_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_DIMENSIONS_H_

#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {

// An Error, citing the clause, if the model is invalid. The operands' data may be
// missing.
Result<Dimensions> QLinearMatMulDimensions(const QLinearMatMulProblem& problem);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_DIMENSIONS_H_
