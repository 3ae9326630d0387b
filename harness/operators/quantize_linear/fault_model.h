// QuantizeLinear with switches: one evaluation for all wrong models, over a case that is
// decoded once. Without a switch it gives the oracle's codes.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_MODEL_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_MODEL_H_

#include <cstdint>
#include <vector>

#include "cases/model/model.h"
#include "harness/core/fault_set.h"
#include "harness/core/faulty_places.h"
#include "harness/operators/quantize_linear/fault_switches.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/layout.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// The operands of a case, as exact values.
struct DecodedQuantizeLinear {
  int since_version = 0;
  const NumberFormat* x = nullptr;
  const NumberFormat* y_scale = nullptr;
  const NumberFormat* y = nullptr;
  const NumberFormat* precision = nullptr;          // P; null: the quotient is exact
  const NumberFormat* default_precision = nullptr;  // P without the attribute
  bool has_precision = false;                       // the attribute is given
  bool converts_operands = true;                    // to P, before the division
  bool saturate = true;
  bool has_zero_point = false;  // the operand
  // What the readings say of the last step, which is a fault's model's too. The quotients
  // below follow them already.
  QuantizeLinearReadings readings{};
  std::vector<ExactValue> x_values;
  std::vector<ExactValue> scales;
  std::vector<ExactValue> zero_points;  // one for each scale, or one
  std::vector<Unrounded> quotients;     // by the readings, one for each element
  QuantizeLinearLayout layout;
  ScalePlaces places;
};

// Returns the other of the two FLOAT6 formats.
inline const NumberFormat& OtherFloat6(const NumberFormat& y) {
  return FormatOf(y.type == DataType::kFloat6E2M3 ? DataType::kFloat6E3M2
                                                  : DataType::kFloat6E2M3);
}

// An Error if QL-34 calls the model invalid, or
// if an operand is missing.
Result<DecodedQuantizeLinear> DecodeQuantizeLinear(
    const Node& node, int since_version, const Operands& operands,
    const QuantizeLinearReadings& readings = {});

// Returns the codes of y. `canonical` holds the oracle's, one for each element. The
// state's memory is the first scale of the call before, an ExactValue.
std::vector<uint32_t> EvaluateWithSwitches(const DecodedQuantizeLinear& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const QuantizeLinearSwitches& switches,
                                           FaultState& state);

// The steps of one element, to be shown.
struct QuantizeLinearTrace {
  ExactValue scale;
  ExactValue zero_point;
  Unrounded quotient;
  IntegerSteps of_integer{};
  uint32_t code = 0;
};

// Traces one element with switches that have no state. Those that do not act on the
// element are ignored.
QuantizeLinearTrace TraceElement(const DecodedQuantizeLinear& decoded,
                                 const QuantizeLinearSwitches& switches, int64_t index);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_MODEL_H_
