// A question under construction: one content of a QLinearMatMul case. The
// generators choose sizes, scales and zero points, and codes of a and b whose sums
// of products lie where requantization is hard.
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_QUESTION_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_QUESTION_H_

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "cases/core/rounding_boundaries.h"
#include "cases/lattice/cell.h"
#include "cases/matmul/layout.h"
#include "cases/requantization/requantize.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// The values of an 8-bit type as whole multiples of 2^unit.
class OperandValues {
 public:
  static const OperandValues& Of(DataType type);

  int unit() const { return unit_; }
  // NaN and infinite codes count as 0: no sum is directed at them.
  int64_t operator[](uint8_t code) const { return units_[code]; }
  // The code whose value is nearest.
  uint8_t Nearest(int64_t units) const;
  int64_t lowest() const { return lowest_; }
  int64_t highest() const { return highest_; }

 private:
  explicit OperandValues(DataType type);

  const NumberFormat* format_;
  int unit_ = 0;
  std::array<int64_t, 256> units_{};
  int64_t lowest_ = 0;
  int64_t highest_ = 0;
};

class MatMulQuestion {
 public:
  MatMulQuestion(const Cell& cell, VectorForm form, int index, CounterRng rng);

  const Cell& cell;
  const VectorForm form;
  const int index;
  const NumberFormat& scale;
  const NumberFormat& y;
  const OperandValues& a_values;
  const OperandValues& b_values;
  const RoundingBoundaries& boundaries;
  CounterRng rng;

  // --- what is chosen -------------------------------------------------------
  MatMulLayout layout;
  std::vector<uint64_t> a_scales;  // codes, one for each channel
  std::vector<uint64_t> b_scales;
  std::vector<uint8_t> a_zero_points;
  std::vector<uint8_t> b_zero_points;
  uint64_t y_scale = 0;
  uint8_t y_zero_point = 0;
  std::vector<uint8_t> a;  // codes, row-major
  std::vector<uint8_t> b;

  bool a_is_integer() const { return IsInteger(cell.types[1]); }
  bool b_is_integer() const { return IsInteger(cell.types[2]); }
  bool integer_operands() const { return a_is_integer() && b_is_integer(); }
  bool integer_y() const { return y.kind == NumberKind::kInteger; }

  // Whether a vector of scales keeps this operand from being 1-D, and, in the
  // form kShort, from having batch dimensions.
  bool per_row() const { return IsPerRow(cell); }
  bool per_column() const { return IsPerColumn(cell); }

  // Whether batch dimensions fit the way in which scales are written.
  bool a_can_have_batch() const { return form == VectorForm::kFull || !per_row(); }
  bool b_can_have_batch() const { return form == VectorForm::kFull || !per_column(); }

  // Takes the sizes; operands are zero, scales 1 and zero points 0 until set.
  void SetSizes(MatMulSizes sizes);

  // The same data in other shapes: the rows of a matrix `a` as several matrices, b with
  // leading dimensions of 1. Precondition: a divisor of the rows, no batches before, and
  // what a_can_have_batch and b_can_have_batch say.
  void Regroup(Shape a_batch, Shape b_ones);
  // Does so by `turn`, as far as rows and form allow: most have leading dimensions of 1.
  void RegroupByTurn(uint32_t turn);

  // --- choosing -------------------------------------------------------------
  // Scales of all channels about 2^exponent (a fraction apart), and y_scale so
  // that sums of 2^sum_exponent come to 2^result_exponent; all products and the
  // multiplier within the normal range of the scales' type where that is possible.
  void SetScales(ScaleFamily a_family, ScaleFamily b_family, ScaleFamily y_family,
                 int sum_exponent, int result_exponent);
  // 0, low, high, odd or any, in turn with `turn`; 0 where the type is a float.
  uint8_t ZeroPoint(DataType type, uint32_t turn);
  void SetZeroPoints(uint32_t turn);
  uint8_t AnyCode(DataType type);  // finite

  // --- sums -----------------------------------------------------------------
  RequantizationScales ScalesOf(int64_t a_channel, int64_t b_channel) const;
  int64_t AValue(int64_t matrix, int64_t row, int64_t k) const;
  int64_t BValue(int64_t matrix, int64_t k, int64_t column) const;
  size_t AIndex(int64_t matrix, int64_t row, int64_t k) const;
  size_t BIndex(int64_t matrix, int64_t k, int64_t column) const;
  // The exact sum of products, in units of 2^sum_unit().
  Int128 Sum(int64_t a_matrix, int64_t row, int64_t b_matrix, int64_t column) const;
  Requantization requantization() const { return {scale, y, y_zero_point, sum_unit()}; }
  int sum_unit() const { return a_values.unit() + b_values.unit(); }
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_QUESTION_H_
