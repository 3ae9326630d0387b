#include "oracle/exact/matrix_product.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace qconform::exact {
namespace {

using Dims = std::vector<int64_t>;

Dims Broadcast(Dims one, Dims other) {
  if (one.size() < other.size()) std::swap(one, other);
  const size_t missing = one.size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    int64_t& dim = one[missing + i];
    if (dim == 1) dim = other[i];
    assert(other[i] == dim || other[i] == 1);
  }
  return one;
}

// The place of batch index `at` (of the broadcast dimensions) among the matrices of a
// tensor with its own batch dimensions.
size_t BatchPlace(const Dims& at, const Dims& own) {
  size_t place = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    const int64_t index = own[i] == 1 ? 0 : at[at.size() - own.size() + i];
    place = place * static_cast<size_t>(own[i]) + static_cast<size_t>(index);
  }
  return place;
}

// Where the scale of a line stands: of a row of `a` or of a column of `b`.
size_t LinePlace(const Dims& shape, const Dims& at, int64_t line, int64_t lines) {
  const bool is_single =
      std::all_of(shape.begin(), shape.end(), [](int64_t dim) { return dim == 1; });
  if (is_single) return 0;
  if (shape.size() == 1) return static_cast<size_t>(line);
  const Dims batch(shape.begin(), shape.end() - 2);
  const int64_t own_lines = std::max(shape.back(), shape[shape.size() - 2]);
  assert(own_lines == lines || own_lines == 1);
  return BatchPlace(at, batch) * static_cast<size_t>(own_lines) +
         static_cast<size_t>(own_lines == 1 && lines != 1 ? 0 : line);
}

bool Increment(Dims& at, const Dims& bounds) {
  for (size_t d = bounds.size(); d-- > 0;) {
    if (++at[d] < bounds[d]) return true;
    at[d] = 0;
  }
  return false;
}

}  // namespace

MatrixProduct::Stack MatrixProduct::StackOf(Dims shape, bool is_left) {
  if (shape.size() == 1) shape.insert(is_left ? shape.begin() : shape.end(), 1);
  assert(shape.size() >= 2);
  Stack stack;
  stack.columns = shape.back();
  stack.rows = shape[shape.size() - 2];
  stack.batch.assign(shape.begin(), shape.end() - 2);
  return stack;
}

MatrixProduct::MatrixProduct(const Dims& a, const Dims& b)
    : left_(StackOf(a, true)),
      right_(StackOf(b, false)),
      batch_(Broadcast(left_.batch, right_.batch)),
      shape_(batch_) {
  assert(left_.columns == right_.rows);
  if (a.size() > 1) shape_.push_back(left_.rows);
  if (b.size() > 1) shape_.push_back(right_.columns);
}

void MatrixProduct::ForEach(
    const std::function<void(const ProductElement&)>& work) const {
  if (std::count(batch_.begin(), batch_.end(), 0) > 0) return;
  Dims at(batch_.size(), 0);
  do {
    for (int64_t row = 0; row < left_.rows; ++row) {
      for (int64_t column = 0; column < right_.columns; ++column) {
        work(ProductElement(*this, at, row, column));
      }
    }
  } while (Increment(at, batch_));
}

ProductElement::ProductElement(const MatrixProduct& product, const Dims& matrix,
                               int64_t row, int64_t column)
    : product_(product), matrix_(matrix), row_(row), column_(column) {
  const MatrixProduct::Stack& left = product.left_;
  const MatrixProduct::Stack& right = product.right_;
  a_base_ = (BatchPlace(matrix, left.batch) * static_cast<size_t>(left.rows) +
             static_cast<size_t>(row)) *
            static_cast<size_t>(left.columns);
  b_base_ = BatchPlace(matrix, right.batch) * static_cast<size_t>(right.rows) *
                static_cast<size_t>(right.columns) +
            static_cast<size_t>(column);
}

size_t ProductElement::PlaceInA(int64_t k) const {
  return a_base_ + static_cast<size_t>(k);
}

size_t ProductElement::PlaceInB(int64_t k) const {
  return b_base_ + static_cast<size_t>(k) * static_cast<size_t>(product_.right_.columns);
}

size_t ProductElement::RowPlace(const Dims& shape) const {
  return LinePlace(shape, matrix_, row_, product_.left_.rows);
}

size_t ProductElement::ColumnPlace(const Dims& shape) const {
  return LinePlace(shape, matrix_, column_, product_.right_.columns);
}

}  // namespace qconform::exact
