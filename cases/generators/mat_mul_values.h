// Sums of products made to measure, and other ways to requantize them, which
// generators tell from the canonical one. No answer of a case comes from here.
#ifndef QCONFORM_CASES_GENERATORS_MAT_MUL_VALUES_H_
#define QCONFORM_CASES_GENERATORS_MAT_MUL_VALUES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "cases/generators/mat_mul_question.h"

namespace qconform::generators {

// Rows of `a` that each have a segment of k to themselves, so that the sum of
// every row and column can be chosen freely: elsewhere A is 0.
//
// A segment holds digits: large values, then a middle one, then 1 (or -1).
class DirectedSums {
 public:
  // Sets sizes (rows x rows * segment, of columns), zero points and `a`.
  // Precondition: segment >= 3.
  DirectedSums(MatMulQuestion& question, int64_t rows, int64_t columns, int64_t segment,
               uint32_t zero_points);

  // The largest sum that any column can have, and whether it can be of a sign.
  int sum_exponent() const { return sum_exponent_; }
  bool can_be_positive() const { return positive_; }
  bool can_be_negative() const { return negative_; }

  // Chooses the column's segment of `b` so that the sum is `wanted`, or the
  // nearest that digits reach, and returns what it is.
  Int128 Choose(int64_t row, int64_t column, Int128 wanted);

 private:
  MatMulQuestion& question_;
  int64_t segment_;
  int sum_exponent_ = 0;
  bool positive_ = false;
  bool negative_ = false;
};

// Returns the sum, in units of 2^sum_unit, whose requantization comes nearest to
// `target`. Precondition: finite scales, not zero.
Int128 SumFor(const MatMulQuestion& question, const MatMulScales& scales,
              const ExactValue& target);

// Requantizations other than the exact one: the readings of MM-02, and three
// that are deviations.
enum class MatMulRival : uint8_t {
  kMultiplierAbFirst,  // m = f32(f32(a * b) / y), f32(f32(C) * m)
  kMultiplierByFirst,
  kMultiplierAyFirst,
  kDequantizeQuantize,
  kCombined,
  kDoubleProduct,
  kDoubleChain,
  kScaleTypeMultiplier,
  kReciprocal,    // * f32(1 / y) in place of / y
  kFixedPoint,    // m as a 31-bit integer and a shift
  kNarrowScales,  // rounded to FLOAT16, or BFLOAT16 where they are that
};
inline constexpr int kMatMulRivals = 11;

uint64_t ExactCode(const MatMulQuestion& question, const MatMulScales& scales,
                   Int128 sum);
uint64_t RivalCode(const MatMulQuestion& question, const MatMulScales& scales, Int128 sum,
                   MatMulRival rival);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GENERATORS_MAT_MUL_VALUES_H_
