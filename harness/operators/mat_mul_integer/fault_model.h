// MatMulInteger with switches: one evaluation for all wrong models, over a case that is
// decoded once.
#ifndef QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULT_MODEL_H_
#define QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULT_MODEL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/fault_set.h"
#include "harness/operators/mat_mul_integer/fault_switches.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/matmul/layout.h"

namespace qconform {

struct DecodedIntegerSide {
  DataType type = DataType::kUndefined;
  int64_t lines = 0;            // of one matrix
  std::vector<int16_t> values;  // K for each line, one line after the other
  std::vector<int16_t> zero_points;
  LineIndices zero_point_of_line;
  bool has_zero_point = false;  // otherwise `zero_points` is 0
};

struct DecodedMatMulInteger {
  MatMulLayout layout;
  DecodedIntegerSide a, b;
};

// An Error if the model is invalid.
Result<DecodedMatMulInteger> DecodeMatMulInteger(const Operands& operands);

// Returns the codes of Y. `canonical` holds the oracle's.
std::vector<uint32_t> EvaluateWithSwitches(const DecodedMatMulInteger& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const MatMulIntegerSwitches& switches,
                                           FaultState& state);

// The steps of one element, to be shown.
struct MatMulIntegerTrace {
  int64_t a_zero_point = 0;  // of the first term
  int64_t b_zero_point = 0;
  int64_t sum = 0;  // may lie outside INT32
};
MatMulIntegerTrace TraceElement(const DecodedMatMulInteger& decoded,
                                const MatMulIntegerSwitches& switches, int64_t index);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_FAULT_MODEL_H_
