#include "harness/core/bound_model.h"

#include <algorithm>
#include <utility>

#include "cases/lattice/lattice.h"
#include "oracle/base/expected.h"
#include "oracle/graphs/graph.h"

namespace qconform {
namespace {

// What judges a model, not bound yet.
struct JudgedBy {
  const Operator* op = nullptr;
  JudgingVersion version;
};

Result<JudgedBy> FindJudge(const Model& model) {
  const Node& node = model.node;
  const Operator* op = node.domain.empty() ? FindOperator(node.op_type) : nullptr;
  if (op == nullptr) {
    std::string names;
    for (const Operator* known : Operators()) {
      names += (names.empty() ? "" : ", ") + std::string(known->op_type());
    }
    return Expected("operator", "one that qconform judges (" + names + ")",
                    "'" + node.op_type + "' of domain '" + node.domain + "'");
  }
  const Result<JudgingVersion> judging =
      JudgingVersionFor(node.op_type, model.opset_version);
  if (!judging) return judging.error();
  return JudgedBy{op, *judging};
}

// Binds each node to the definition that the model's opset_version selects.
Result<BoundModel> BindGraphModel(const Model& model) {
  BoundModel made;
  std::vector<int> versions;
  for (const Node& node : model.node.body) {
    const auto version = JudgingVersionFor(node.op_type, model.opset_version);
    if (!version) return version.error();
    versions.push_back(version->since_version);
    if (made.note.empty()) made.note = version->note;
  }
  auto graph = BindGraph(model.node, versions);
  if (!graph) return graph.error();
  made.since_version = model.opset_version;
  made.op = &(*graph)->op();
  made.bound = *std::move(graph);
  return made;
}

}  // namespace

Status CheckIsJudged(const Model& model) {
  if (model.node.is_graph()) {
    const auto bound = BindGraphModel(model);
    return bound ? Ok() : Status(bound.error());
  }
  const auto found = FindJudge(model);
  return found ? Ok() : Status(found.error());
}

Result<BoundModel> BindModel(const Model& model) {
  if (model.node.is_graph()) return BindGraphModel(model);
  const auto judge = FindJudge(model);
  if (!judge) return judge.error();
  const auto& [op, version] = *judge;
  auto bound = op->Bind(model.node.attributes, version.since_version);
  if (!bound) return bound.error();
  return BoundModel{op, version.since_version, version.note, *std::move(bound)};
}

Operands DeclaredOperands(const Model& model) {
  Operands operands;
  for (const std::string& name : model.node.inputs) {
    std::optional<TensorView>& operand = operands.emplace_back();
    if (name.empty()) continue;
    for (const ValueInfo& input : model.inputs) {
      if (input.name == name) operand = {input.type, input.shape, {}};
    }
    for (const Initializer& initializer : model.initializers) {
      if (initializer.name == name && !operand) operand = initializer.tensor.view();
    }
  }
  return operands;
}

Result<std::vector<std::vector<Tensor>>> IntermediatesOf(const Model& model,
                                                         const Operands& operands) {
  const auto bound = BindModel(model);
  if (!bound) return bound.error();
  const auto* graph = dynamic_cast<const BoundGraph*>(bound->bound.get());
  if (graph == nullptr) {
    return Expected("model", "a graph", "the operator " + model.node.op_type);
  }
  return graph->Intermediates(operands);
}

Result<Dimensions> DimensionsOf(const Model& model) {
  const auto bound = BindModel(model);
  if (!bound) return bound.error();
  return bound->bound->DimensionsOf(DeclaredOperands(model));
}

Shape OutputShape(const Dimensions& dimensions, size_t output) {
  Shape shape;
  for (const Dimension& dimension : dimensions) {
    for (const AxisPlace& place : dimension.outputs) {
      if (place.tensor != output) continue;
      if (shape.size() <= place.axis) shape.resize(place.axis + 1, 1);
      shape[place.axis] = SizeAt(dimension, place);
    }
  }
  return shape;
}

}  // namespace qconform
