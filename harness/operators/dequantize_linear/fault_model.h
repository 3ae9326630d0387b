// DequantizeLinear with switches: one evaluation for all wrong models, over a case that
// is decoded once. Without a switch it gives the oracle's codes.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_MODEL_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases/model/model.h"
#include "harness/core/fault_set.h"
#include "harness/core/faulty_places.h"
#include "harness/operators/dequantize_linear/fault_switches.h"
#include "oracle/base/result.h"
#include "oracle/core/reading_set.h"
#include "oracle/formats/number_format.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// How y is computed by readings: a second statement of the clauses' formulas, that takes
// the readings by their names.
struct DequantizeLinearSteps {
  enum class Difference : uint8_t {
    kExact,
    kInFloat,           // DQ-05, DQ-08
    kSaturatesInXType,  // DQ-08
    kOverflowsInXType,  // DQ-08
    kZeroPointIgnored,  // DQ-07, DQ-08
  };
  enum class Product : uint8_t { kExact, kInFloat, kInDouble };

  Difference difference = Difference::kExact;
  bool difference_in_p = false;
  bool scale_in_p = false;
  Product product = Product::kExact;
  bool zero_sign_dropped = false;

  friend bool operator==(const DequantizeLinearSteps&,
                         const DequantizeLinearSteps&) = default;
};

// Returns the steps by these readings for types of a since_version.
DequantizeLinearSteps StepsOf(const ReadingSet& readings, int since_version, DataType x,
                              DataType x_scale, DataType y);

// The operands of a case, as bytes, codes and exact values.
struct DecodedDequantizeLinear {
  const NumberFormat* x = nullptr;
  const NumberFormat* x_scale = nullptr;
  const NumberFormat* y = nullptr;
  DequantizeLinearSteps steps;
  std::vector<std::byte> x_bytes;
  std::vector<std::byte> zero_point_bytes;
  std::vector<ExactValue> x_values;
  std::vector<ExactValue> scales;
  std::vector<ExactValue> zero_points;  // one for each scale, or one; none if absent
  ScalePlaces places;
};

// An Error if an operand is missing.
Result<DecodedDequantizeLinear> DecodeDequantizeLinear(const Node& node,
                                                       int since_version,
                                                       const Operands& operands,
                                                       const ReadingSet& readings);

// Returns the codes of y. `canonical` holds the oracle's, one for each element. The
// state's memory is the first scale of the call before, an ExactValue.
std::vector<uint32_t> EvaluateWithSwitches(const DecodedDequantizeLinear& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const DequantizeLinearSwitches& switches,
                                           FaultState& state);

// The steps of one element, to be shown.
struct DequantizeLinearTrace {
  ExactValue x;
  ExactValue zero_point;
  ExactValue scale;
  ExactValue difference;  // as it is multiplied
  ExactValue multiplier;  // the scale as it is multiplied
  Unrounded product;      // before it is rounded to y
  uint32_t code = 0;
};

// Traces one element with switches that have no state. Those that do not act on the
// element are ignored.
DequantizeLinearTrace TraceElement(const DecodedDequantizeLinear& decoded,
                                   const DequantizeLinearSwitches& switches,
                                   int64_t index);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_MODEL_H_
