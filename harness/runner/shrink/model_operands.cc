#include "harness/runner/shrink/model_operands.h"

#include <string>
#include <utility>

#include "oracle/formats/codes.h"

namespace qconform {

Tensor* OperandTensor(FedModel& fed, size_t index) {
  const std::vector<std::string>& names = fed.model.node.inputs;
  if (index >= names.size() || names[index].empty()) return nullptr;
  for (size_t i = 0; i < fed.model.inputs.size(); ++i) {
    if (fed.model.inputs[i].name == names[index]) return &fed.inputs[i];
  }
  for (Initializer& initializer : fed.model.initializers) {
    if (initializer.name == names[index]) return &initializer.tensor;
  }
  return nullptr;
}

const Tensor* OperandTensor(const FedModel& fed, size_t index) {
  return OperandTensor(const_cast<FedModel&>(fed), index);
}

void ReplaceOperand(FedModel& fed, size_t index, Tensor tensor) {
  for (ValueInfo& info : fed.model.inputs) {
    if (info.name == fed.model.node.inputs[index]) info.shape = tensor.shape;
  }
  *OperandTensor(fed, index) = std::move(tensor);
}

Tensor Take(const Tensor& tensor, size_t axis, const std::vector<int64_t>& kept) {
  Shape shape = tensor.shape;
  shape[axis] = static_cast<int64_t>(kept.size());
  if (tensor.data.empty()) return {tensor.type, std::move(shape), {}};
  Tensor taken = Tensor::Zeros(tensor.type, shape);
  int64_t inner = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t count = *ElementCount(shape);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t outer = i / inner / shape[axis];
    const int64_t middle = kept[static_cast<size_t>(i / inner % shape[axis])];
    const int64_t source = (outer * tensor.shape[axis] + middle) * inner + i % inner;
    WriteCode(taken.mutable_view(), i, ReadCode(tensor.view(), source));
  }
  return taken;
}

}  // namespace qconform
