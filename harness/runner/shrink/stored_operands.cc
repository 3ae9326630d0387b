#include "harness/runner/shrink/stored_operands.h"

#include <string>
#include <utility>

#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Returns the elements of `tensor` whose coordinate along `dimension` is `kept`.
Tensor Take(const Tensor& tensor, size_t dimension, const std::vector<int64_t>& kept) {
  Shape shape = tensor.shape;
  shape[dimension] = static_cast<int64_t>(kept.size());
  Tensor taken = Tensor::Zeros(tensor.type, shape);
  int64_t inner = 1;
  for (size_t i = dimension + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t count = *ElementCount(shape);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t outer = i / inner / shape[dimension];
    const int64_t middle = kept[static_cast<size_t>(i / inner % shape[dimension])];
    const int64_t source = (outer * tensor.shape[dimension] + middle) * inner + i % inner;
    WriteCode(taken.mutable_view(), i, ReadCode(tensor.view(), source));
  }
  return taken;
}

}  // namespace

Tensor* OperandTensor(StoredCase& stored, size_t index) {
  const std::vector<std::string>& names = stored.model.node.inputs;
  if (index >= names.size() || names[index].empty()) return nullptr;
  for (size_t i = 0; i < stored.model.inputs.size(); ++i) {
    if (stored.model.inputs[i].name == names[index]) return &stored.inputs[i];
  }
  for (Initializer& initializer : stored.model.initializers) {
    if (initializer.name == names[index]) return &initializer.tensor;
  }
  return nullptr;
}

const Tensor* OperandTensor(const StoredCase& stored, size_t index) {
  return OperandTensor(const_cast<StoredCase&>(stored), index);
}

void ReplaceOperand(StoredCase& stored, size_t index, Tensor tensor) {
  for (ValueInfo& info : stored.model.inputs) {
    if (info.name == stored.model.node.inputs[index]) info.shape = tensor.shape;
  }
  *OperandTensor(stored, index) = std::move(tensor);
}

Tensor Slice(const Tensor& tensor, size_t dimension, int64_t from, int64_t to) {
  std::vector<int64_t> kept;
  for (int64_t i = from; i < to; ++i) kept.push_back(i);
  return Take(tensor, dimension, kept);
}

Tensor Without(const Tensor& tensor, size_t dimension, int64_t from, int64_t to) {
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < tensor.shape[dimension]; ++i) {
    if (i < from || i >= to) kept.push_back(i);
  }
  return Take(tensor, dimension, kept);
}

}  // namespace qconform
