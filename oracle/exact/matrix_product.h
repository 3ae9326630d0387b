// Which elements of two tensors meet in a matrix product by numpy.matmul's rules, and
// which scale or zero point belongs to a row of `a` or to a column of `b` (MM-04, MI-04,
// MI-08).
#ifndef QCONFORM_ORACLE_EXACT_MATRIX_PRODUCT_H_
#define QCONFORM_ORACLE_EXACT_MATRIX_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace qconform::exact {

// One element of the product: a matrix of the batch, a row of `a`, a column of `b`.
class ProductElement;

class MatrixProduct {
 public:
  // Precondition: numpy.matmul accepts operands of these shapes.
  MatrixProduct(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

  const std::vector<int64_t>& shape() const { return shape_; }
  // Returns K.
  int64_t terms() const { return left_.columns; }

  // Calls `work` for each element, row-major.
  void ForEach(const std::function<void(const ProductElement&)>& work) const;

 private:
  friend class ProductElement;

  // An operand as a stack of matrices.
  struct Stack {
    std::vector<int64_t> batch;
    int64_t rows = 0;
    int64_t columns = 0;
  };
  static Stack StackOf(std::vector<int64_t> shape, bool is_left);

  Stack left_;
  Stack right_;
  std::vector<int64_t> batch_;
  std::vector<int64_t> shape_;
};

// All places are row-major indices.
class ProductElement {
 public:
  // Returns where the k-th factors stand. Precondition: 0 <= k < terms().
  size_t PlaceInA(int64_t k) const;
  size_t PlaceInB(int64_t k) const;

  // Return where the scale or zero point of this row of `a`, or of this column of `b`,
  // stands in a tensor of this shape: a scalar or [1,...], [M] or [N], or [...,M,1] or
  // [...,1,N]. Missing batch dimensions and those of 1 are broadcast (MM-06, MI-05).
  size_t RowPlace(const std::vector<int64_t>& shape) const;
  size_t ColumnPlace(const std::vector<int64_t>& shape) const;

 private:
  friend class MatrixProduct;

  ProductElement(const MatrixProduct& product, const std::vector<int64_t>& matrix,
                 int64_t row, int64_t column);

  const MatrixProduct& product_;
  const std::vector<int64_t>& matrix_;  // index in the broadcast batch
  int64_t row_;
  int64_t column_;
  size_t a_base_;  // place of the row's first element
  size_t b_base_;  // place of the column's first element
};

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_MATRIX_PRODUCT_H_
