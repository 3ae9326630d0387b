// Wrong models of QLinearMatMul, for the kill test alone: a second evaluation in
// exact arithmetic with switches. Without one it must agree with the oracle on
// all that is finite.
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_WRONG_MODELS_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_WRONG_MODELS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

struct MatMulRecipe {
  enum class Sum : uint8_t { kExact, kPairsSaturate16, kWrap16, kBfloat16 };
  enum class Place : uint8_t { kRight, kFirst, kNext, kSwapped };
  enum class Rounding : uint8_t { kEven, kZero, kDown, kUp };
  enum class Overflow : uint8_t { kSaturate, kWrap, kInt32Min, kClampFirst };

  Sum sum = Sum::kExact;
  int64_t lost_tail = 0;         // k beyond the last multiple of it does not count
  int64_t uncorrected_tail = 0;  // the same, without zero points
  bool no_a_zero_point = false;
  bool no_b_zero_point = false;
  bool no_cross_term = false;  // K * a_zero_point * b_zero_point
  bool first_batch = false;
  bool empty_is_zero = false;  // K = 0 gives code 0
  Place a_scale = Place::kRight;
  Place b_scale = Place::kRight;
  Place a_zero_point = Place::kRight;
  Place b_zero_point = Place::kRight;
  DataType scales_as = DataType::kUndefined;  // rounded to a narrower type
  bool absolute_scales = false;
  Rounding rounding = Rounding::kEven;
  bool zero_point_before_rounding = false;
  bool no_y_zero_point = false;
  Overflow overflow = Overflow::kSaturate;
};

struct MatMulWrongModel {
  std::string name;
  MatMulRecipe recipe;
};
const std::vector<MatMulWrongModel>& MatMulWrongModels();

// Returns the codes of y; nothing for an element with a special value in its
// operands, sums or scales.
std::vector<std::optional<uint64_t>> EvaluateMatMul(const OpCase& made,
                                                    const MatMulRecipe& recipe);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_WRONG_MODELS_H_
