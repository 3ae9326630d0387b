#include "cases/model/lookup.h"

#include <algorithm>
#include <set>
#include <utility>

namespace qconform {

const ValueInfo* FindInput(const Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.inputs, name, &ValueInfo::name);
  return found == model.inputs.end() ? nullptr : &*found;
}

ValueInfo* FindInput(Model& model, std::string_view name) {
  return const_cast<ValueInfo*>(FindInput(std::as_const(model), name));
}

const Tensor* FindConstant(const Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.initializers, name, &Initializer::name);
  return found == model.initializers.end() ? nullptr : &found->tensor;
}

std::vector<std::string> OuterInputs(std::span<const Node> body) {
  std::vector<std::string> inputs;
  std::set<std::string_view> met{""};
  for (const Node& node : body) {
    for (const std::string& input : node.inputs) {
      if (met.insert(input).second) inputs.push_back(input);
    }
    met.insert(node.outputs.begin(), node.outputs.end());
  }
  return inputs;
}

}  // namespace qconform
