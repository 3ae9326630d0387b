// Shapes of the operands of a product of matrices (numpy.matmul's rules), and where the
// scale or zero point of a row of `a` and of a column of `b` lies. This index arithmetic
// only directs values; it shares nothing with the oracle's.
#ifndef QCONFORM_CASES_MATMUL_LAYOUT_H_
#define QCONFORM_CASES_MATMUL_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "cases/lattice/cell.h"
#include "oracle/tensor/tensor.h"

namespace qconform::generators {

// [..., M, K] x [..., K, N]. A 1-D operand has no rows (a) or columns (b).
struct MatMulSizes {
  Shape a_batch;
  Shape b_batch;
  int64_t rows = 1;
  int64_t k = 1;
  int64_t columns = 1;
  bool a_is_vector = false;
  bool b_is_vector = false;
};

// How the parameters of an operand (its scale and zero point) are written: [] or [1] if
// they are per tensor; [M] or [..., M, 1], [N] or [..., 1, N] if they are vectors.
enum class VectorForm : uint8_t { kShort, kFull };

// Returns the shape of parameters per tensor.
inline Shape SingleShape(VectorForm form) {
  return form == VectorForm::kFull ? Shape{1} : Shape{};
}

struct MatMulForms {
  VectorForm a = VectorForm::kShort;
  VectorForm b = VectorForm::kShort;
};

struct MatMulLayout {
  MatMulSizes sizes;
  Shape a_shape;
  Shape b_shape;
  Shape y_shape;
  Shape a_parameter_shape;
  Shape b_parameter_shape;
  bool per_row = false;
  bool per_column = false;
  int64_t a_matrices = 1;
  int64_t b_matrices = 1;
  // Of each matrix of y: which matrix of a, and of b.
  std::vector<int64_t> a_of;
  std::vector<int64_t> b_of;

  int64_t a_channels() const { return per_row ? a_matrices * sizes.rows : 1; }
  int64_t b_channels() const { return per_column ? b_matrices * sizes.columns : 1; }
  int64_t a_channel(int64_t matrix, int64_t row) const {
    return per_row ? matrix * sizes.rows + row : 0;
  }
  int64_t b_channel(int64_t matrix, int64_t column) const {
    return per_column ? matrix * sizes.columns + column : 0;
  }
};

// Precondition: the sizes fit the granularity: an operand with vectors of parameters has
// two dimensions or more, and no batch dimensions in the form kShort; the batches
// broadcast.
MatMulLayout MakeMatMulLayout(const Cell& cell, MatMulForms forms, MatMulSizes sizes);

// Whether a has parameters for each row, and b for each column.
inline bool IsPerRow(const Cell& cell) {
  return cell.granularity.starts_with("per_row-");
}
inline bool IsPerColumn(const Cell& cell) {
  return cell.granularity.ends_with("-per_column");
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_MATMUL_LAYOUT_H_
