// Models of any operators and any size: an interface that a Backend may offer besides
// Prepare. Callers look for it by dynamic_cast.
#ifndef QCONFORM_HARNESS_BACKENDS_WHOLE_MODEL_H_
#define QCONFORM_HARNESS_BACKENDS_WHOLE_MODEL_H_

#include <string>
#include <vector>

#include "harness/backends/backend.h"

namespace qconform {

// A model as its file has it. Nothing is known of its operators, nor of the types and
// shapes of its values.
struct WholeModel {
  std::string bytes;  // a serialized onnx.ModelProto without external data
  // The graph's inputs that are fed, in the graph's order: all but those that have an
  // initializer.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;  // the graph's outputs, in its order
};

// Runs whole models.
class RunsWholeModels {
 public:
  virtual ~RunsWholeModels() = default;
  // Like Backend::Prepare. The prepared model takes one tensor for each of
  // `model.inputs`; its answer has one for each of `model.outputs`, with the types and
  // shapes that the backend gives them. Tensors may have carried types
  // (cases/model/carried_type.h).
  virtual PrepareResult PrepareWhole(const WholeModel& model) = 0;
};

// Prepares a whole model. Unsupported if the backend does not run whole models.
inline PrepareResult PrepareWholeModel(Backend& backend, const WholeModel& model) {
  auto* runs = dynamic_cast<RunsWholeModels*>(&backend);
  if (runs == nullptr) return Unsupported{"it does not run whole models", ""};
  return runs->PrepareWhole(model);
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_WHOLE_MODEL_H_
