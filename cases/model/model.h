// A model with one node, as plain structs: what a case is made of, and what a
// backend is given. No ONNX header is needed to use it; the bytes of a
// model.onnx come from, and go to, cases/model/serialize.h.
#ifndef QCONFORM_CASES_MODEL_MODEL_H_
#define QCONFORM_CASES_MODEL_MODEL_H_

#include <string>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

struct Node {
  std::string op_type;
  std::string domain;  // "" is ONNX's own
  // Names in the order of the schema; "" where an optional input is left out
  // by an empty name.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;

  friend bool operator==(const Node&, const Node&) = default;
};

// A graph input or output.
struct ValueInfo {
  std::string name;
  DataType type = DataType::kUndefined;
  Shape shape;  // -1 where dim_params has a name
  // ONNX's dim_param: "" where the size is fixed. Empty where all sizes are.
  std::vector<std::string> dim_params{};

  friend bool operator==(const ValueInfo&, const ValueInfo&) = default;
};

struct Initializer {
  std::string name;
  Tensor tensor;

  friend bool operator==(const Initializer&, const Initializer&) = default;
};

struct Model {
  int opset_version = 0;  // what opset_import says of domain ""
  int ir_version = 0;
  Node node;
  std::vector<ValueInfo> inputs;  // those that are fed, in feeding order
  std::vector<ValueInfo> outputs;
  std::vector<Initializer> initializers;  // constants of the model

  friend bool operator==(const Model&, const Model&) = default;
};

// A model and what it is fed.
struct FedModel {
  Model model;
  std::vector<Tensor> inputs;  // one for each of model.inputs

  friend bool operator==(const FedModel&, const FedModel&) = default;
};

// Whether an input or an output has a dimension of a name, the size of which is known
// only when the model runs.
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
