// What a proof of accumulators has to know of QLinearMatMul.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROOFS_SUMS_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROOFS_SUMS_H_

#include "harness/requantization/accumulators.h"

namespace qconform::q_linear_mat_mul {

requantization::AccumulatorsOperator SumsOfProducts();

}  // namespace qconform::q_linear_mat_mul

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROOFS_SUMS_H_
