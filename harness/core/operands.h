// Which tensor stands for which operand of a node: the names of the node's
// inputs looked up among the fed tensors and the model's constants.
#ifndef QCONFORM_HARNESS_CORE_OPERANDS_H_
#define QCONFORM_HARNESS_CORE_OPERANDS_H_

#include <span>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Finds each operand of model.node in `inputs` (one for each of model.inputs,
// in their order) or among the initializers. The views point into `inputs` and
// into `model`. An Error where a name is neither, or where the number of
// `inputs` is another than the model's.
Result<Operands> ResolveOperands(const Model& model, std::span<const TensorView> inputs);

// Gives `outputs`, which are those of a model with named dimensions, the sizes that
// follow from these operands. An Error if they do not.
Status SizeOutputs(const Model& model, const Operands& operands,
                   std::vector<ValueInfo>& outputs);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_OPERANDS_H_
