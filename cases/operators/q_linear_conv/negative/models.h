#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_NEGATIVE_MODELS_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_NEGATIVE_MODELS_H_

#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::generators {

std::vector<NegativeModel> QLinearConvNegativeModels();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_NEGATIVE_MODELS_H_
