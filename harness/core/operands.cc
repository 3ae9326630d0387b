#include "harness/core/operands.h"

#include <string>

#include "harness/core/bound_model.h"

namespace qconform {

Result<Operands> ResolveOperands(const Model& model, std::span<const TensorView> inputs) {
  if (inputs.size() != model.inputs.size()) {
    return Error{"the model has " + std::to_string(model.inputs.size()) +
                 " inputs, but " + std::to_string(inputs.size()) + " tensors were fed"};
  }
  Operands operands;
  operands.reserve(model.node.inputs.size());
  for (const std::string& name : model.node.inputs) {
    std::optional<TensorView> found;
    for (size_t i = 0; i < inputs.size() && !name.empty(); ++i) {
      if (model.inputs[i].name == name) found = inputs[i];
    }
    for (size_t i = 0; i < model.initializers.size() && !name.empty() && !found; ++i) {
      if (model.initializers[i].name == name) found = model.initializers[i].tensor.view();
    }
    if (!found && !name.empty()) {
      return Error{"the node's input '" + name +
                   "' is neither an input of the graph nor an initializer"};
    }
    operands.push_back(found);
  }
  return operands;
}

Status SizeOutputs(const Model& model, const Operands& operands,
                   std::vector<ValueInfo>& outputs) {
  if (!HasNamedDimensions(model)) return Ok();
  const auto bound = BindModel(model);
  if (!bound) return bound.error();
  const auto dimensions = bound->bound->DimensionsOf(operands);
  if (!dimensions) return dimensions.error();
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].shape = OutputShape(*dimensions, i);
  }
  return Ok();
}

}  // namespace qconform
