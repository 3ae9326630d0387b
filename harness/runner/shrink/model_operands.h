// The operands of a model and its inputs, by their place in the node.
#ifndef QCONFORM_HARNESS_RUNNER_SHRINK_MODEL_OPERANDS_H_
#define QCONFORM_HARNESS_RUNNER_SHRINK_MODEL_OPERANDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases/model/model.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns the operand at `index` of the node, or null if it is left out.
Tensor* OperandTensor(FedModel& fed, size_t index);
const Tensor* OperandTensor(const FedModel& fed, size_t index);

// Replaces the operand, and the shape that the model declares for it.
// Precondition: OperandTensor(fed, index).
void ReplaceOperand(FedModel& fed, size_t index, Tensor tensor);

// Neighbouring places along an axis, `to` left out. Empty if `to` is not above `from`.
struct Slices {
  int64_t from = 0;
  int64_t to = 0;
};

// Returns the slices of a tensor along an axis, in the order of `kept`. A tensor without
// data, which stands for its shape, gives another one.
Tensor Take(const Tensor& tensor, size_t axis, const std::vector<Slices>& kept);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_MODEL_OPERANDS_H_
