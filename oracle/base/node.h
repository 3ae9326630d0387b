// A node of a model, as plain values: an operator with its attributes, or a small graph.
#ifndef QCONFORM_ORACLE_BASE_NODE_H_
#define QCONFORM_ORACLE_BASE_NODE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/attribute.h"

namespace qconform {

struct Node {
  // Of a graph: the family that it belongs to, such as "graphs.choosers", or
  // kGraphOpType.
  std::string op_type;
  std::string domain;  // "" is ONNX's own
  // Names in the order of the schema; "" if an optional input is left out by an
  // empty name. Of a graph: the values that come from outside, each once, in the order
  // in which the nodes of `body` first use them; and the values that it returns.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;  // a graph has none
  // The nodes of a graph, each after those that give its inputs. Empty: an operator.
  // None of them is a graph itself.
  std::vector<Node> body{};

  bool is_graph() const { return !body.empty(); }

  friend bool operator==(const Node&, const Node&) = default;
};

// The op_type of a graph that belongs to no family.
inline constexpr const char* kGraphOpType = "Graph";

// The most nodes that a graph has.
inline constexpr size_t kMostGraphNodes = 8;

// What the op_type of every family of graphs begins with.
inline constexpr std::string_view kGraphFamilyPrefix = "graphs.";

inline bool IsGraphFamily(std::string_view op_type) {
  return op_type.starts_with(kGraphFamilyPrefix);
}

// Returns the nodes of a graph, or the node itself.
inline std::span<const Node> NodesOf(const Node& node) {
  if (node.is_graph()) return node.body;
  return {&node, 1};
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_NODE_H_
