// Shapes of products as numpy.matmul has them: which matrices are multiplied, and which
// scale and zero point belong to each row or column. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SHAPE_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SHAPE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/tensor/tensor.h"

namespace qconform::simd {

using Dims = std::span<const int64_t>;

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

// Returns why these shapes have no product, or nothing.
std::optional<std::string> CheckProduct(Dims a, Dims b);

// Whether y would have more elements than a tensor may have. Precondition: CheckProduct
// accepts the shapes.
bool IsProductTooLarge(Dims a, Dims b);

// Precondition: as IsProductTooLarge, which is false.
MatMulShape MakeMatMulShape(Dims a, Dims b);

// Makes one product of those of several a and one b: y's rows follow each other as a's
// do.
void JoinBatches(MatMulShape* shape);

enum class Side : uint8_t { kA, kB };

// Returns why a scale or zero point of shape `parameter` does not belong to the rows of a
// (kA) or the columns of b (kB), or nothing. It may be one element, a vector of all lines
// or [...,M,1] and [...,1,N], with batch dimensions that broadcast to those of the
// operand. `name` is the parameter's. An operand of rank 1 has no lines.
std::optional<std::string> CheckLines(Side side, const char* name, Dims operand,
                                      Dims parameter);

// Which element of a scale or zero point belongs to each row of each matrix of a
// (kA), or to each column of each matrix of b (kB), matrix after matrix. One
// index, 0, where one element stands for all.
std::vector<int64_t> ParameterIndices(Side side, Dims operand, Dims parameter);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SHAPE_H_
