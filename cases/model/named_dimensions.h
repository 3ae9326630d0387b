// The same model for inputs of any size: ONNX's dim_param.
#ifndef QCONFORM_CASES_MODEL_NAMED_DIMENSIONS_H_
#define QCONFORM_CASES_MODEL_NAMED_DIMENSIONS_H_

#include <optional>

#include "cases/model/model.h"

namespace qconform {

// Returns the model with names in place of the sizes of its inputs and outputs, one name
// where sizes have to be equal. A size stays where a constant of the model has it too,
// and where it is 1 in a scale or a zero point. Nothing where no size of an input can be
// another, or the operator is none of QuantizeLinear and QLinearMatMul.
// Precondition: the model is valid, and all of its sizes are fixed.
std::optional<Model> WithNamedDimensions(const Model& model);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_NAMED_DIMENSIONS_H_
