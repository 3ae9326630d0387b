// Which tensor stands for which operand of a node: the names of the node's
// inputs looked up among the fed tensors and the model's constants.
#ifndef QCONFORM_HARNESS_BACKENDS_OPERANDS_H_
#define QCONFORM_HARNESS_BACKENDS_OPERANDS_H_

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "oracle/tensor/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns views of the tensors, which must outlive them.
std::vector<TensorView> ViewsOf(std::span<const Tensor> tensors);

// Operands in the order of the operator's schema; nothing where an optional
// operand is left out, by a missing or by an empty name.
using Operands = std::vector<std::optional<TensorView>>;

// Finds each operand of model.node in `inputs` (one for each of model.inputs,
// in their order) or among the initializers. The views point into `inputs` and
// into `model`. An Error where a name is neither, or where the number of
// `inputs` is another than the model's.
Result<Operands> ResolveOperands(const Model& model, std::span<const TensorView> inputs);

// Returns the operand, or nothing where the node has fewer.
std::optional<TensorView> OperandAt(const Operands& operands, size_t index);

// Returns the integer attribute of that name, or nothing. An Error where it is
// there with another kind of value.
Result<std::optional<int64_t>> IntegerAttribute(const Node& node, std::string_view name);

// The same of a node that is known to be well formed: `otherwise` where there is none.
int64_t IntegerAttributeOr(const Node& node, std::string_view name, int64_t otherwise);

// Returns the axis of a QuantizeLinear, or its default, counted from the front of an x of
// `rank` dimensions.
int64_t AxisOf(const Node& node, size_t rank);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_OPERANDS_H_
