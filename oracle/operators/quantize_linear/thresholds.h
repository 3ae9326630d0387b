// Exactly located thresholds of QuantizeLinear: for one scale, one zero point and
// given attributes, the intervals of x that have one answer. Sweeps over all x
// compare a whole interval with one code, instead of asking the oracle 2^32 times.
//
// For fixed scale and zero point the answer is a chain of steps that are monotone
// in x (conversion, division, rounding to P, rounding to y, sum, saturation): it
// does not decrease where the scale is positive, nor increase where it is
// negative. Only +-0 and +-Inf can be exceptions (0/0, Inf/Inf, Inf - Inf), and
// they are asked one by one. Between them, therefore, all x between two that have
// one answer have it too, and bisection with the oracle finds where it changes.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_THRESHOLDS_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_THRESHOLDS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

// All x of one type, against one scale.
struct QuantizeLinearLine {
  int since_version = 0;
  DataType x = DataType::kFloat;  // FLOAT, FLOAT16, BFLOAT16 or INT32
  DataType y_scale = DataType::kFloat;
  DataType y = DataType::kUint8;
  uint64_t scale = 0;                    // code
  std::optional<uint64_t> zero_point{};  // code; absent where there is none
  int64_t saturate = 1;                  // as in the node
  int64_t precision = 0;                 // as in the node
  QuantizeLinearReadings readings{};
};

// x from `first` to `last`, both included, in the order of LineOrder.
struct ThresholdInterval {
  uint64_t first = 0;  // codes of x
  uint64_t last = 0;
  uint32_t y = 0;  // the code of all of them
  Freedom freedom = Freedom::kNone;
};

struct Thresholds {
  // Ascending, without gaps: from -Inf to +Inf, or the whole of INT32. Of two
  // neighbours y or freedom differ.
  std::vector<ThresholdInterval> intervals;
  // The answer for all NaN x; INT32 has none.
  std::optional<ElementAnswer> nan{};
};

// The place of a code of x in the order of values, -0 before +0; consecutive
// codes have consecutive places, and +0 (or 0) has place 0. Precondition: no NaN.
int64_t LineOrder(DataType x, uint64_t code);

// The code at that place.
uint64_t LineCode(DataType x, int64_t place);

// Returns the thresholds, or an Error where the type of x is none of the four.
// Types, attributes and versions are taken to be legal, as Validate says.
Result<Thresholds> FindThresholds(const QuantizeLinearLine& line);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_THRESHOLDS_H_
