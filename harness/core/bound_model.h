// A model bound to the definition of its operator that judges it.
#ifndef QCONFORM_HARNESS_CORE_BOUND_MODEL_H_
#define QCONFORM_HARNESS_CORE_BOUND_MODEL_H_

#include <memory>
#include <string>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"

namespace qconform {

struct BoundModel {
  const Operator* op = nullptr;
  int since_version = 0;
  // Why the definition is not the one that the model's opset_version selects, as a
  // sentence; empty if it is.
  std::string note;
  std::shared_ptr<const BoundOperator> bound;
};

// An Error if qconform does not judge the operator, or the opset_version is older than
// it.
Status CheckIsJudged(const Model& model);

// An Error if the model is not judged, or an attribute is of the wrong kind.
Result<BoundModel> BindModel(const Model& model);

// Returns the operands with the types and shapes that the model gives them. Those that
// are fed have no data.
Operands DeclaredOperands(const Model& model);

// Returns what each node of a graph gives by the canonical readings, in the order of its
// body; `operands` are the graph's. An Error also if the model is no graph.
Result<std::vector<std::vector<Tensor>>> IntermediatesOf(const Model& model,
                                                         const Operands& operands);

// Returns the dimensions of a model all of whose inputs have fixed sizes. An Error also
// if the model is invalid.
Result<Dimensions> DimensionsOf(const Model& model);

// Returns the shape that the dimensions give an output.
Shape OutputShape(const Dimensions& dimensions, size_t output);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BOUND_MODEL_H_
