// Wrong ways to store the codes of y.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_PACKING_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_PACKING_H_

#include <cstdint>
#include <vector>

#include "harness/operators/quantize_linear/fault_model.h"

namespace qconform {

// Replaces the codes by those that a reader finds after they were stored by mistake.
void Misplace(const DecodedQuantizeLinear& decoded,
              QuantizeLinearSwitches::Storage storage, std::vector<uint32_t>& codes);

// Returns the zero points as they are read by mistake. One for all of a tensor lies in a
// byte, so that only its value can be mistaken.
std::vector<ExactValue> MisreadZeroPoints(const DecodedQuantizeLinear& decoded,
                                          QuantizeLinearSwitches::ZeroPointRead read);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_PACKING_H_
