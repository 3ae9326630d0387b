// QLinearMatMul with switches: one evaluation for all wrong models, over a case that is
// decoded once. Elements with a special value among their operands or sums, sums beyond
// INT32 (MM-01b) and, if y is a float8, special scales keep the oracle's code.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_MODEL_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_MODEL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/operators/q_linear_mat_mul/fault_switches.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/q_linear_mat_mul/layout.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/requantization/requantize.h"

namespace qconform {

// An operand by lines: rows of a, columns of b. Values are whole numbers of
// 2^-20, products of two of them of 2^-40.
struct DecodedMatMulSide {
  const NumberFormat* format = nullptr;
  std::vector<int64_t> units;       // K for each line
  std::vector<uint8_t> is_special;  // by line: NaN or infinite
  std::vector<ExactValue> scales;
  std::vector<int64_t> zero_points;  // in the same units
  std::vector<uint8_t> zero_point_is_special;
};

// What is special about an element of y.
enum class MatMulSpecial : uint8_t {
  kNo,
  kScales,    // one is NaN or infinite, or y_scale is 0
  kOperands,  // special values, or integers' sums beyond INT32
};

struct DecodedMatMul {
  DecodedMatMulSide a, b;
  const NumberFormat* y = nullptr;
  bool integer_operands = false;
  bool float_scales = false;
  int64_t terms = 0;  // K
  QLinearMatMulLayout layout;
  std::vector<ExactValue> y_scales;
  std::vector<ExactValue> y_zero_points;
  std::vector<Int128> sums;            // canonical, one for each element of y
  std::vector<MatMulSpecial> special;  // the same
  // By a reading of MM-02; nothing: exactly.
  std::optional<Requantizer> requantize;
};

// Only the reading of MM-02 counts. An Error if MM-07 calls the model invalid.
Result<DecodedMatMul> DecodeMatMul(int since_version, const Operands& operands,
                                   const QLinearMatMulReadings& readings = {});

// Returns the codes of y. `canonical` holds the oracle's.
std::vector<uint32_t> EvaluateWithSwitches(const DecodedMatMul& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const QLinearMatMulSwitches& switches);

// The steps of one element, to be shown.
struct MatMulTrace {
  Unrounded sum;      // C
  Unrounded product;  // v = C * a_scale * b_scale / y_scale
  IntegerSteps of_integer{};
  uint32_t code = 0;
};

// Nothing for special elements.
std::optional<MatMulTrace> TraceElement(const DecodedMatMul& decoded,
                                        const QLinearMatMulSwitches& switches,
                                        int64_t index);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_FAULT_MODEL_H_
