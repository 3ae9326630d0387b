// Exactly located thresholds of a requantization: for fixed scales and zero point, the
// intervals of the INT32 sum C that have one answer.
//
// v = C * a_scale * b_scale / y_scale and its rounding are monotone in C, on either
// side of 0; if the multiplier is not finite, C = 0 has an interval of its own.
#ifndef QCONFORM_ORACLE_REQUANTIZATION_THRESHOLDS_H_
#define QCONFORM_ORACLE_REQUANTIZATION_THRESHOLDS_H_

#include <cstdint>
#include <vector>

#include "oracle/core/answer.h"
#include "oracle/core/target.h"
#include "oracle/requantization/readings.h"

namespace qconform {

struct RequantizedSums {
  DataType scale = DataType::kFloat;
  DataType y = DataType::kUint8;
  uint64_t a_scale = 0;  // codes
  uint64_t b_scale = 0;
  uint64_t y_scale = 0;
  uint64_t y_zero_point = 0;
  RequantizationParameters requantization{};
  TargetParameters target{};
};

struct SumInterval {
  int32_t first = 0;  // to `last`, both included
  int32_t last = 0;
  uint32_t y = 0;
  Freedom freedom = Freedom::kNone;
  bool zero_sign_is_free = false;
};

// Returns the answer for one sum. The sign of a zero float8 is free.
ElementAnswer AnswerForSum(const RequantizedSums& question, int32_t sum);

// Ascending, without gaps, from -2^31 to 2^31 - 1.
std::vector<SumInterval> FindSumThresholds(const RequantizedSums& question);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_REQUANTIZATION_THRESHOLDS_H_
