// Shapes of QLinearMatMul: which matrices are multiplied, and which scale and zero
// point belong to each line. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_SHAPE_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_SHAPE_H_

#include <cstdint>
#include <vector>

#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// numpy.matmul as a list of products of matrices, row-major and contiguous.
struct MatMulShape {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 0;
  int64_t a_matrices = 1;
  int64_t b_matrices = 1;
  // Product p is matrix a_of[p] of a by matrix b_of[p] of b.
  std::vector<int64_t> a_of, b_of;
  Shape y;
};

// Precondition: CheckQLinearMatMul accepts the operands.
MatMulShape MakeMatMulShape(const QLinearMatMulArgs& args);

// Which element of a scale or zero point belongs to each row of each matrix of a
// (kA), or to each column of each matrix of b (kB), matrix after matrix. One
// index, 0, where one element stands for all.
enum class Side : uint8_t { kA, kB };
std::vector<int64_t> ParameterIndices(Side side, const TensorView& operand,
                                      const TensorView& parameter);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_SHAPE_H_
