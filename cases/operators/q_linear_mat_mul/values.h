// Sums of products that are made to measure.
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_VALUES_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_VALUES_H_

#include <cstdint>
#include <vector>

#include "cases/operators/q_linear_mat_mul/question.h"

namespace qconform::generators {

// Rows of `a` that each have a segment of k to themselves, so that the sum of
// every row and column can be chosen freely: elsewhere A is 0.
//
// A segment holds digits: large values, then a middle one, then 1 (or -1).
class DirectedSums {
 public:
  // Sets sizes (rows x rows * segment, of columns), zero points and `a`. b has `batch`
  // matrices, a is one for all.
  // Precondition: segment >= 3; more than one matrix in a form that has room for it.
  DirectedSums(MatMulQuestion& question, int64_t rows, int64_t columns, int64_t segment,
               uint32_t zero_points, int64_t batch = 1);

  // The largest sum that any column can have, and whether it can be of a sign.
  int sum_exponent() const { return sum_exponent_; }
  bool can_be_positive() const { return positive_; }
  bool can_be_negative() const { return negative_; }

  // Chooses the column's segment of `b`, of one of its matrices, so that the sum is
  // `wanted`, or the nearest that digits reach, and returns what it is.
  Int128 Choose(int64_t row, int64_t column, Int128 wanted, int64_t b_matrix = 0);

  // Calls choose(row, column, b_matrix, scales) for all of them.
  template <typename Chooser>
  void ForEach(const Chooser& choose) const {
    const MatMulLayout& layout = question_.layout;
    for (int64_t m = 0; m < layout.b_matrices; ++m) {
      for (int64_t row = 0; row < layout.sizes.rows; ++row) {
        for (int64_t column = 0; column < layout.sizes.columns; ++column) {
          choose(
              row, column, m,
              question_.ScalesOf(layout.a_channel(0, row), layout.b_channel(m, column)));
        }
      }
    }
  }

 private:
  MatMulQuestion& question_;
  int64_t segment_;
  int sum_exponent_ = 0;
  bool positive_ = false;
  bool negative_ = false;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_VALUES_H_
