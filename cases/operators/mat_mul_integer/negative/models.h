// Negative models of MatMulInteger: MI-04 to MI-08.
#ifndef QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_NEGATIVE_MODELS_H_
#define QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_NEGATIVE_MODELS_H_

#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::generators {

std::vector<NegativeModel> MatMulIntegerNegativeModels();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_NEGATIVE_MODELS_H_
