#include "harness/runner/shrink/model_operands.h"

#include <algorithm>
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

Tensor Take(const Tensor& tensor, size_t axis, const std::vector<Slices>& kept) {
  Shape shape = tensor.shape;
  shape[axis] = 0;
  for (const Slices& run : kept) shape[axis] += std::max<int64_t>(run.to - run.from, 0);
  if (tensor.data.empty()) return {tensor.type, std::move(shape), {}};
  Tensor taken = Tensor::Zeros(tensor.type, shape);
  if (*ElementCount(shape) == 0) return taken;
  int64_t outer = 1;
  int64_t inner = 1;
  for (size_t i = 0; i < axis; ++i) outer *= shape[i];
  for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const MutableTensorView to = taken.mutable_view();
  int64_t place = 0;
  for (int64_t i = 0; i < outer; ++i) {
    const int64_t first = i * tensor.shape[axis];
    for (const Slices& run : kept) {
      for (int64_t from = (first + run.from) * inner; from < (first + run.to) * inner;
           ++from) {
        WriteCode(to, place++, ReadCode(tensor.view(), from));
      }
    }
  }
  return taken;
}

}  // namespace qconform
