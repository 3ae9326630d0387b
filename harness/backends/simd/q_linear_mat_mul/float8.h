// Products in which an operand is float8. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_FLOAT8_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_FLOAT8_H_

#include "harness/backends/simd/matmul/job.h"

namespace qconform::simd {

// a or b is float8: exact sums of exact products (MM-10, MM-11).
void MultiplyFloat8(const MatMulJob& job);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_FLOAT8_H_
