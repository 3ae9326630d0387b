// The dimensions of a product of matrices: "batch_0", the innermost, and those before it,
// then "m", "n" and "k". A dimension that a 1-D operand does not have is left out.
#ifndef QCONFORM_ORACLE_MATMUL_DIMENSIONS_H_
#define QCONFORM_ORACLE_MATMUL_DIMENSIONS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "oracle/core/dimensions.h"
#include "oracle/matmul/layout.h"

namespace qconform {

// An operand: its position in the schema and its shape.
struct MatMulOperandPlace {
  size_t operand = 0;
  std::span<const int64_t> shape;
};

// A scale or zero point, and whether it belongs to rows or to columns.
struct MatMulParameterPlace {
  size_t operand = 0;
  std::span<const int64_t> shape;
  bool by_row = true;
};

// Precondition: `layout` is that of the operands' shapes, and every parameter fits it.
Dimensions MatMulDimensions(const MatMulLayout& layout, const MatMulOperandPlace& a,
                            const MatMulOperandPlace& b,
                            std::span<const MatMulParameterPlace> parameters);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_MATMUL_DIMENSIONS_H_
