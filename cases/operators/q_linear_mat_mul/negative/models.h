// Negative models of QLinearMatMul: MM-04 to MM-07.
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_NEGATIVE_MODELS_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_NEGATIVE_MODELS_H_

#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::generators {

std::vector<NegativeModel> MatMulNegativeModels();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_MAT_MUL_NEGATIVE_MODELS_H_
