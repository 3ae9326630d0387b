// Exactly located thresholds of QLinearMatMul's requantization: for fixed scales
// and zero point, the intervals of the int32 sum C that have one answer.
//
// v = C * a_scale * b_scale / y_scale and its rounding are monotone in C, on either
// side of 0; where the multiplier is not finite C = 0 stands alone.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_THRESHOLDS_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_THRESHOLDS_H_

#include <cstdint>
#include <vector>

#include "oracle/core/answer.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {

struct QLinearMatMulSums {
  DataType scale = DataType::kFloat;
  DataType y = DataType::kUint8;
  uint64_t a_scale = 0;  // codes
  uint64_t b_scale = 0;
  uint64_t y_scale = 0;
  uint64_t y_zero_point = 0;
  QLinearMatMulReadings readings{};
};

struct SumInterval {
  int32_t first = 0;  // to `last`, both included
  int32_t last = 0;
  uint32_t y = 0;
  Freedom freedom = Freedom::kNone;
  bool zero_sign_is_free = false;
};

// Returns the answer for one sum.
ElementAnswer AnswerForSum(const QLinearMatMulSums& question, int32_t sum);

// Ascending, without gaps, from -2^31 to 2^31 - 1.
std::vector<SumInterval> FindSumThresholds(const QLinearMatMulSums& question);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_THRESHOLDS_H_
