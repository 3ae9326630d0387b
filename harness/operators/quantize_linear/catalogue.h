// The parts of QuantizeLinear's catalogue of faults. Private to this folder.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_CATALOGUE_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_CATALOGUE_H_

#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/quantize_linear/fault_facts.h"
#include "harness/operators/quantize_linear/fault_switches.h"

namespace qconform::quantize_linear {

// Rounding, order, precision, overflow of integers.
void AddArithmeticFaults(std::vector<OperatorFault>& faults);
// Float8 and float4 targets.
void AddFloatFaults(std::vector<OperatorFault>& faults);
// FLOAT6 targets: their grids, and the packing of elements that cross bytes.
void AddFloat6Faults(std::vector<OperatorFault>& faults);
// Granularity, packing, tails, state.
void AddLayoutFaults(std::vector<OperatorFault>& faults);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_CATALOGUE_H_
