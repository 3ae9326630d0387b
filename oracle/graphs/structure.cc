#include "oracle/graphs/structure.h"

#include <map>
#include <utility>

#include "oracle/graphs/graph.h"

namespace qconform {
namespace {

Error ErrorOf(const Node& node, const std::string& text) {
  return Error{node.op_type + ": " + text};
}

// How many outputs a node has, whether or not somebody uses them.
size_t OutputCount(const GraphNode& node) {
  return node.is_float() ? node.node.outputs.size() : node.op->outputs().size();
}

}  // namespace

bool GraphNode::is_quantize() const {
  return op != nullptr && op->op_type() == "QuantizeLinear";
}

bool GraphNode::is_dequantize() const {
  return op != nullptr && op->op_type() == "DequantizeLinear";
}

Result<GraphStructure> ResolveGraph(const Node& graph,
                                    std::span<const int> since_versions) {
  if (graph.body.size() != since_versions.size()) {
    return Error{"graph: expected a definition for each of " +
                 std::to_string(graph.body.size()) + " nodes, got " +
                 std::to_string(since_versions.size())};
  }
  GraphStructure structure;
  std::map<std::string, size_t> known;  // values by their names
  const auto add = [&](const std::string& name, GraphValue value) {
    value.name = name;
    structure.values.push_back(std::move(value));
    // Outputs that nobody names have no name that somebody could use.
    return name.empty() || known.emplace(name, structure.values.size() - 1).second;
  };
  for (const std::string& input : graph.inputs) {
    if (!add(input, {})) return Error{"graph: the input '" + input + "' is named twice"};
  }
  structure.input_count = graph.inputs.size();
  for (size_t i = 0; i < graph.body.size(); ++i) {
    const Node& node = graph.body[i];
    GraphNode resolved{
        .node = node, .since_version = since_versions[i], .inputs = {}, .number = i};
    if (node.is_graph()) return ErrorOf(node, "expected a node, got a graph");
    if (!IsGraphNode(node)) {
      return ErrorOf(node,
                     "expected an operator that is judged or a node of the "
                     "clauses for graphs, got one of domain '" +
                         node.domain + "'");
    }
    resolved.op = FindOperator(node.op_type);
    if (resolved.op != nullptr) {
      auto bound = resolved.op->Bind(node.attributes, since_versions[i]);
      if (!bound) return bound.error();
      resolved.bound = *std::move(bound);
    }
    for (const std::string& input : node.inputs) {
      if (input.empty()) {
        resolved.inputs.emplace_back();
        continue;
      }
      const auto found = known.find(input);
      if (found == known.end()) {
        return ErrorOf(node, "expected an input or a value of a node before it, got '" +
                                 input + "'");
      }
      resolved.inputs.emplace_back(found->second);
    }
    resolved.first_output = structure.values.size();
    resolved.output_count = OutputCount(resolved);
    if (node.outputs.size() > resolved.output_count) {
      return ErrorOf(node, "expected at most " + std::to_string(resolved.output_count) +
                               " outputs, got " + std::to_string(node.outputs.size()));
    }
    for (size_t k = 0; k < resolved.output_count; ++k) {
      const std::string name = k < node.outputs.size() ? node.outputs[k] : "";
      if (!add(name, {.name = {}, .node = i, .output = k})) {
        return ErrorOf(node, "expected a new name for an output, got '" + name + "'");
      }
    }
    structure.nodes.push_back(std::move(resolved));
  }
  for (const std::string& output : graph.outputs) {
    const auto found = known.find(output);
    if (found == known.end() || !structure.values[found->second].node) {
      return Error{"graph: expected the output of a node, got '" + output + "'"};
    }
    structure.outputs.push_back(found->second);
  }
  return structure;
}

}  // namespace qconform
