// DynamicQuantizeLinear with switches: one evaluation for all wrong models. It computes
// with the machine's FLOAT and DOUBLE, as kernels do. Where x has no elements or a NaN,
// all is free and keeps the oracle's codes.
#ifndef QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULT_MODEL_H_
#define QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULT_MODEL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/fault_set.h"
#include "harness/operators/dynamic_quantize_linear/fault_switches.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/formats/number_format.h"

namespace qconform {

struct DecodedDynamicQuantizeLinear {
  std::vector<float> x;
  bool is_free = false;  // all of it
  // Of such a range that wrong models may make NaNs: infinite, or so small that the
  // reciprocal of y_scale overflows.
  bool is_extreme = false;
  // The readings of DYN-01 and DYN-04, as switches.
  DynamicQuantizeLinearSwitches::Scale scale{};
  DynamicQuantizeLinearSwitches::ZeroScale zero_scale{};
};

Result<DecodedDynamicQuantizeLinear> DecodeDynamicQuantizeLinear(
    const Operands& operands, const ReadingSet& readings);

// Returns the codes of y, y_scale and y_zero_point. `canonical` holds the oracle's.
std::vector<uint32_t> EvaluateWithSwitches(const DecodedDynamicQuantizeLinear& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const DynamicQuantizeLinearSwitches& switches,
                                           FaultState& state);

// The steps of one element, to be shown.
struct DynamicQuantizeLinearTrace {
  float least = 0;
  float largest = 0;
  float range = 0;
  float scale = 0;
  double unrounded_zero_point = 0;
  int64_t zero_point = 0;
  // An element of y; nothing for the other outputs.
  std::optional<Unrounded> quotient{};
  IntegerSteps steps{};
};

// Nothing where all is free.
std::optional<DynamicQuantizeLinearTrace> TraceElement(
    const DecodedDynamicQuantizeLinear& decoded,
    const DynamicQuantizeLinearSwitches& switches, int64_t index);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FAULT_MODEL_H_
