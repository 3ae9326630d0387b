// The parts of DequantizeLinear's catalogue of faults. Private to this folder.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_CATALOGUE_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_CATALOGUE_H_

#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/operators/dequantize_linear/fault_switches.h"

namespace qconform::dequantize_linear {

// How x is read: packing, and what its codes are worth.
void AddReadingFaults(std::vector<OperatorFault>& faults);
// Zero point and difference.
void AddDifferenceFaults(std::vector<OperatorFault>& faults);
// Values of the scale, the product, y.
void AddProductFaults(std::vector<OperatorFault>& faults);
// Granularity, tails, state.
void AddLayoutFaults(std::vector<OperatorFault>& faults);

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_CATALOGUE_H_
