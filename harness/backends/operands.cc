#include "harness/backends/operands.h"

#include <string>

namespace qconform {

std::vector<TensorView> ViewsOf(std::span<const Tensor> tensors) {
  std::vector<TensorView> views;
  views.reserve(tensors.size());
  for (const Tensor& tensor : tensors) views.push_back(tensor.view());
  return views;
}

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

std::optional<TensorView> OperandAt(const Operands& operands, size_t index) {
  return index < operands.size() ? operands[index] : std::nullopt;
}

Result<std::optional<int64_t>> IntegerAttribute(const Node& node, std::string_view name) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name != name) continue;
    const int64_t* value = std::get_if<int64_t>(&attribute.value);
    if (value == nullptr) {
      return Error{"attribute '" + attribute.name + "' of " + node.op_type +
                   " is not an integer, as its schema asks"};
    }
    return std::optional<int64_t>(*value);
  }
  return std::optional<int64_t>();
}

int64_t IntegerAttributeOr(const Node& node, std::string_view name, int64_t otherwise) {
  const auto value = IntegerAttribute(node, name);
  return value && value->has_value() ? **value : otherwise;
}

int64_t AxisOf(const Node& node, size_t rank) {
  const int64_t axis = IntegerAttributeOr(node, "axis", 1);
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

}  // namespace qconform
