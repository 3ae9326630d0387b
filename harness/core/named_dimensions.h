// The same model for inputs of any size: ONNX's dim_param.
#ifndef QCONFORM_HARNESS_CORE_NAMED_DIMENSIONS_H_
#define QCONFORM_HARNESS_CORE_NAMED_DIMENSIONS_H_

#include <optional>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the model with names in place of the sizes of its inputs and outputs, one name
// where sizes have to be equal. A size stays if a constant of the model has it too, or if
// it is the 1 of an axis that is broadcast. Nothing if no size of an input can be
// another. An Error if qconform does not judge the operator or the model is invalid.
// Precondition: all of its sizes are fixed.
Result<std::optional<Model>> WithNamedDimensions(const Model& model);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_NAMED_DIMENSIONS_H_
