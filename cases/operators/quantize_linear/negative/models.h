// Negative models of QuantizeLinear: QL-08, QL-14, QL-30 to QL-34.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_NEGATIVE_MODELS_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_NEGATIVE_MODELS_H_

#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::generators {

std::vector<NegativeModel> QuantizeLinearNegativeModels();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_NEGATIVE_MODELS_H_
