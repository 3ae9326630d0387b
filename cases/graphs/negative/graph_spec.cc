#include "cases/graphs/negative/graph_spec.h"

#include <algorithm>
#include <utility>

#include "cases/graphs/negative/models.h"

namespace qconform::negative::graphs {
namespace {

std::span<const int> PatternOf(const GraphInput& input) {
  if (input.name.ends_with("_scale")) return ScalePattern(input.operand);
  if (input.name.ends_with("_zero_point")) return ZeroPointPattern(input.operand);
  return kData;
}

// Puts the inputs in the order in which the nodes first use them.
void OrderInputs(Node& graph) {
  std::vector<std::string> ordered;
  for (const Node& node : graph.body) {
    for (const std::string& input : node.inputs) {
      if (std::ranges::count(graph.inputs, input) > 0 &&
          std::ranges::count(ordered, input) == 0) {
        ordered.push_back(input);
      }
    }
  }
  graph.inputs = std::move(ordered);
}

}  // namespace

GraphInput Fed(const char* name, DataType type, Shape shape) {
  return {name, {type, std::move(shape)}};
}
GraphInput Constant(const char* name, DataType type, Shape shape) {
  return {name, {type, std::move(shape)}, true};
}

Node MakeNode(std::string_view op_type, std::vector<std::string> inputs,
              std::vector<std::string> outputs, std::vector<Attribute> attributes) {
  return {.op_type = std::string(op_type),
          .domain = "",
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .attributes = std::move(attributes)};
}

Node Dequantize(const std::string& codes, const std::string& output,
                std::vector<Attribute> attributes) {
  return MakeNode("DequantizeLinear", {codes, codes + "_scale", codes + "_zero_point"},
                  {output}, std::move(attributes));
}

Node Quantize(const std::string& input, const std::string& codes,
              std::vector<Attribute> attributes) {
  return MakeNode("QuantizeLinear", {input, codes + "_scale", codes + "_zero_point"},
                  {codes}, std::move(attributes));
}

FedModel Build(const GraphSpec& spec, int opset_version) {
  ModelBuilder builder(spec.family, opset_version);
  for (const GraphInput& input : spec.inputs) {
    builder.AddInput(input.name, input.operand, PatternOf(input));
  }
  FedModel fed = builder.Finish(spec.outputs);
  Model& model = fed.model;
  model.node.body = spec.nodes;
  OrderInputs(model.node);
  for (size_t i = spec.inputs.size(); i-- > 0;) {
    if (!spec.inputs[i].is_constant) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    model.initializers.insert(model.initializers.begin(),
                              {spec.inputs[i].name, std::move(fed.inputs[i])});
    model.inputs.erase(model.inputs.begin() + at);
    fed.inputs.erase(fed.inputs.begin() + at);
  }
  return fed;
}

}  // namespace qconform::negative::graphs

namespace qconform::generators {

std::vector<NegativeModel> GraphNegativeModels(std::string_view family) {
  std::vector<NegativeModel> models;
  negative::graphs::AddInvalidParameters(models);
  negative::graphs::AddInvalidWiring(models);
  negative::graphs::AddLegal(models);
  negative::graphs::AddOpen(models);
  std::erase_if(models, [&](const NegativeModel& model) {
    return model.question.model.node.op_type != family;
  });
  return models;
}

}  // namespace qconform::generators
