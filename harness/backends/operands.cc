#include "harness/backends/operands.h"

#include <algorithm>
#include <string>
#include <utility>

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

Shape ProductShape(std::span<const int64_t> a, std::span<const int64_t> b) {
  const auto batch = [](std::span<const int64_t> shape) {
    const auto sizes = shape.first(shape.size() < 2 ? 0 : shape.size() - 2);
    return Shape(sizes.begin(), sizes.end());
  };
  Shape x = batch(a);
  Shape y = batch(b);
  if (x.size() < y.size()) std::swap(x, y);
  for (size_t i = 0; i < y.size(); ++i) {
    int64_t& size = x[x.size() - 1 - i];
    if (size == 1) size = y[y.size() - 1 - i];
  }
  if (a.size() >= 2) x.push_back(a[a.size() - 2]);
  if (b.size() >= 2) x.push_back(b.back());
  return x;
}

Status SizeOutputs(const Model& model, const Operands& operands,
                   std::vector<ValueInfo>& outputs) {
  for (ValueInfo& output : outputs) {
    if (std::ranges::all_of(output.dim_params, &std::string::empty)) continue;
    const auto a = OperandAt(operands, 0);
    const auto b = OperandAt(operands, 3);
    if (model.node.op_type == "QuantizeLinear" && a) {
      output.shape.assign(a->shape.begin(), a->shape.end());
    } else if (model.node.op_type == "QLinearMatMul" && a && b) {
      output.shape = ProductShape(a->shape, b->shape);
    } else {
      return Error{"output '" + output.name + "' of " + model.node.op_type +
                   " has dimensions of a name, and no rule for their sizes"};
    }
  }
  return Ok();
}

}  // namespace qconform
