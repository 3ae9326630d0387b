// Operands of a stored case, by their place in the node. Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_SHRINK_STORED_OPERANDS_H_
#define QCONFORM_HARNESS_RUNNER_SHRINK_STORED_OPERANDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// The operand at `index` of the node, or nothing where it is left out.
Tensor* OperandTensor(StoredCase& stored, size_t index);
const Tensor* OperandTensor(const StoredCase& stored, size_t index);

// Replaces the operand, with the shape that the model says of it.
// Precondition: OperandTensor(stored, index).
void ReplaceOperand(StoredCase& stored, size_t index, Tensor tensor);

// Returns tensor[..., from:to, ...] along `dimension`.
Tensor Slice(const Tensor& tensor, size_t dimension, int64_t from, int64_t to);
// Returns tensor without [..., from:to, ...].
Tensor Without(const Tensor& tensor, size_t dimension, int64_t from, int64_t to);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_STORED_OPERANDS_H_
