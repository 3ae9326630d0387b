// Values of a model, by name.
#ifndef QCONFORM_CASES_MODEL_LOOKUP_H_
#define QCONFORM_CASES_MODEL_LOOKUP_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"

namespace qconform {

// Return null if the model has none of that name. The pointers point into `model`.
const ValueInfo* FindInput(const Model& model, std::string_view name);
ValueInfo* FindInput(Model& model, std::string_view name);
const Tensor* FindConstant(const Model& model, std::string_view name);

// Returns the values that a graph's nodes do not give each other, each once, in the order
// in which the nodes first use them: the inputs of its Node. `body` is sorted.
std::vector<std::string> OuterInputs(std::span<const Node> body);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_LOOKUP_H_
