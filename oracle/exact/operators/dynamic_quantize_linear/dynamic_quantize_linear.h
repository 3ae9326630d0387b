// The judge of DynamicQuantizeLinear.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_

#include <vector>

#include "oracle/exact/answer.h"

namespace qconform::exact {

// Returns one answer for each output.
std::vector<Answer> DynamicQuantizeLinear(const std::vector<Codes>& operands);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
