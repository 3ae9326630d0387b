// The layout of a product of stacks of matrices by numpy.matmul's rules, and of the
// scales and zero points that belong to rows of the left operand or to columns of the
// right one. For every operator that multiplies matrices.
#ifndef QCONFORM_ORACLE_MATMUL_LAYOUT_H_
#define QCONFORM_ORACLE_MATMUL_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/core/validation.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// An operand as a stack of matrices, row-major. Its lines are its rows (left operand,
// output) or its columns (right operand); a 1-D operand is one line.
struct MatMulStack {
  Shape batch;
  int64_t matrices = 1;  // product of `batch`
  int64_t rows = 1;
  int64_t columns = 1;
};

// For each line of each matrix, the index of its scale or zero point; empty
// where there is one for the whole tensor.
using LineIndices = std::vector<int64_t>;

// Returns the index of the scale or zero point of a line, counted through all matrices.
inline int64_t IndexOfLine(const LineIndices& indices, int64_t line) {
  return indices.empty() ? 0 : indices[static_cast<size_t>(line)];
}

struct MatMulLayout {
  MatMulStack a, b, y;  // the left operand, the right one, their product
  Shape y_shape;        // without the dimensions that 1-D operands do not have
  // For each matrix of y, which matrix of a and of b makes it.
  std::vector<int64_t> a_matrix;
  std::vector<int64_t> b_matrix;

  int64_t terms() const { return a.columns; }  // K
};

// Finds the layout of the product of operands with these names and shapes. Nothing if the
// model is invalid.
std::optional<MatMulLayout> ResolveMatMul(std::string_view a_name,
                                          std::span<const int64_t> a,
                                          std::string_view b_name,
                                          std::span<const int64_t> b,
                                          Validation& validation);

// Whose lines a scale or zero point belongs to.
struct MatMulLines {
  const MatMulStack* stack = nullptr;
  bool by_row = true;      // otherwise by column
  bool is_vector = false;  // a 1-D operand: it has no lines to choose from
};

// How the shape of a scale or zero point fits the lines of its operand.
struct LineFit {
  enum class Kind : uint8_t {
    kOne,        // a scalar, or [1]
    kOwn,        // the operand's batch dimensions and lines
    kBroadcast,  // some of them are missing or 1
    kNone,       // it does not fit
  };
  Kind kind = Kind::kOne;
  LineIndices indices{};
  std::string reason{};  // kBroadcast, kNone: what is wrong with the shape
};
LineFit FitLines(std::string_view name, std::span<const int64_t> shape,
                 const MatMulLines& lines);

// Whether dimensions `from` broadcast to exactly `to`.
bool BroadcastsTo(std::span<const int64_t> from, std::span<const int64_t> to);

// Where an element of the output (row-major) comes from.
class MatMulElement {
 public:
  MatMulElement(const MatMulLayout& layout, int64_t index);

  // Counted through all matrices.
  int64_t a_line() const { return a_line_; }
  int64_t b_line() const { return b_matrix_ * layout_.b.columns + column_; }
  int64_t y_line() const { return y_line_; }

  // The place of the k-th factors in the operands, row-major.
  int64_t AIndex(int64_t k) const { return a_line_ * layout_.terms() + k; }
  int64_t BIndex(int64_t k) const {
    return (b_matrix_ * layout_.b.rows + k) * layout_.b.columns + column_;
  }

 private:
  const MatMulLayout& layout_;
  int64_t column_ = 0;
  int64_t a_line_ = 0;
  int64_t b_matrix_ = 0;
  int64_t y_line_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_MATMUL_LAYOUT_H_
