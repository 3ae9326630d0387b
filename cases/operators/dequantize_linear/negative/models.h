// Negative models of DequantizeLinear: DQ-06, DQ-14, DQ-30 to DQ-36.
#ifndef QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_NEGATIVE_MODELS_H_
#define QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_NEGATIVE_MODELS_H_

#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::generators {

std::vector<NegativeModel> DequantizeLinearNegativeModels();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_NEGATIVE_MODELS_H_
