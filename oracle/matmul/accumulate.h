// The exact operands of a product of matrices, less their zero points, and the exact sums
// of their exact products, in fixed point.
#ifndef QCONFORM_ORACLE_MATMUL_ACCUMULATE_H_
#define QCONFORM_ORACLE_MATMUL_ACCUMULATE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/formats/number_format.h"
#include "oracle/matmul/layout.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// One element of C. Where finite or zero, C = units * 2^exponent.
struct Accumulated {
  ValueClass value_class = ValueClass::kZero;
  bool negative = false;  // of an infinity
  Int128 units = 0;
  int exponent = 0;
  Uint128 magnitude = 0;  // sum of |A_i B_i| in the same units, where asked for
};

// a - a_zero_point or b - b_zero_point, exactly, line by line: the K elements of
// a row of a, or of a column of b, stand together.
class MatMulOperand {
 public:
  // `tensor` has 8 bits. Without a zero point, it is 0.
  MatMulOperand(const TensorView& tensor, const MatMulStack& stack, bool by_row,
                const std::optional<TensorView>& zero_point,
                const LineIndices& zero_point_lines);

  // Lines of `terms` integers each, one line after the other: differences that somebody
  // else formed. `has_zero_point`: by line.
  MatMulOperand(std::vector<int64_t> differences, int64_t terms,
                std::vector<uint8_t> has_zero_point);

  int64_t terms() const { return terms_; }  // K
  bool is_integer() const { return is_integer_; }
  // Whether the zero point of that line is zero: then A is the operand itself.
  bool has_zero_point(int64_t line) const {
    return has_zero_point_[static_cast<size_t>(line)];
  }
  // Whether any element or zero point is infinite or NaN.
  bool has_special() const { return !classes_.empty(); }
  // Element k of a line.
  ExactValue ValueAt(int64_t line, int64_t k) const;
  // Every finite element is a multiple of 2^this.
  int unit_exponent() const { return exponent_; }
  // Magnitudes of all finite elements: the largest, and the smallest that is not 0.
  ExactValue largest() const { return OfUnits(largest_); }
  ExactValue smallest() const { return OfUnits(smallest_); }

 private:
  friend class MatMulAccumulator;

  void AddMagnitude(int64_t units);
  ExactValue OfUnits(int64_t units) const;

  int64_t terms_ = 0;
  bool is_integer_ = false;
  int exponent_ = 0;  // of the unit of `units_`
  int digits_ = 0;    // |units| < 2^digits
  int64_t largest_ = 0;
  int64_t smallest_ = 0;
  std::vector<int64_t> units_;
  std::vector<uint8_t> has_zero_point_;
  // Infinities and NaN: lines that have any, and their classes.
  std::vector<uint8_t> is_special_line_;
  std::vector<ValueClass> classes_;  // empty where there are none
};

class MatMulAccumulator {
 public:
  // The operands must outlive it. `with_magnitude`: Accumulated::magnitude is wanted.
  MatMulAccumulator(const MatMulOperand& a, const MatMulOperand& b, bool with_magnitude);

  // The lines are numbered through all matrices.
  Accumulated operator()(int64_t a_line, int64_t b_line) const;

 private:
  Accumulated AccumulateSpecial(const int64_t* a, const ValueClass* a_classes,
                                const int64_t* b, const ValueClass* b_classes) const;

  const MatMulOperand* a_;
  const MatMulOperand* b_;
  bool with_magnitude_;
  bool fits_64_;  // no sum needs more than 63 bits
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_MATMUL_ACCUMULATE_H_
