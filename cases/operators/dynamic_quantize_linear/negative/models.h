// Negative models of DynamicQuantizeLinear: DYN-07, DYN-08, DYN-10.
#ifndef QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_NEGATIVE_MODELS_H_
#define QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_NEGATIVE_MODELS_H_

#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::generators {

std::vector<NegativeModel> DynamicQuantizeNegativeModels();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_NEGATIVE_MODELS_H_
