// A model with one node, which is an operator or a small graph, as plain structs: cases
// consist of it, and backends get it. No ONNX header is needed to use it;
// cases/model/serialize.h reads and writes the bytes of a model.onnx.
#ifndef QCONFORM_CASES_MODEL_MODEL_H_
#define QCONFORM_CASES_MODEL_MODEL_H_

#include <string>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// A graph input or output.
struct ValueInfo {
  std::string name;
  DataType type = DataType::kUndefined;
  Shape shape;  // -1 if dim_params has a name
  // ONNX's dim_param: "" if the size is fixed. Empty if all sizes are fixed.
  std::vector<std::string> dim_params{};

  friend bool operator==(const ValueInfo&, const ValueInfo&) = default;
};

struct Initializer {
  std::string name;
  Tensor tensor;

  friend bool operator==(const Initializer&, const Initializer&) = default;
};

struct Model {
  int opset_version = 0;  // the version of domain "" in opset_import
  int ir_version = 0;
  Node node;
  std::vector<ValueInfo> inputs;  // inputs that are fed, in feeding order
  std::vector<ValueInfo> outputs;
  std::vector<Initializer> initializers;  // constants of the model

  friend bool operator==(const Model&, const Model&) = default;
};

// A model and its inputs.
struct FedModel {
  Model model;
  std::vector<Tensor> inputs;  // one for each of model.inputs

  friend bool operator==(const FedModel&, const FedModel&) = default;
};

// Whether an input or an output has a named dimension, whose size is known only when
// the model runs.
inline bool HasNamedDimensions(const Model& model) {
  for (const auto* infos : {&model.inputs, &model.outputs}) {
    for (const ValueInfo& info : *infos) {
      for (const std::string& name : info.dim_params) {
        if (!name.empty()) return true;
      }
    }
  }
  return false;
}

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_MODEL_H_
