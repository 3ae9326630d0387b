// A graph with its names resolved: nodes bound to their definitions, and values.
#ifndef QCONFORM_ORACLE_GRAPHS_STRUCTURE_H_
#define QCONFORM_ORACLE_GRAPHS_STRUCTURE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"

namespace qconform {

// A value of the graph by its position: the inputs first, then the outputs of each node.
struct GraphValue {
  std::string name;
  std::optional<size_t> node{};  // that computes it; nothing: an input
  size_t output = 0;             // which of the node's outputs it is
};

struct GraphNode {
  Node node;
  int since_version = 0;
  // An operator that is judged by itself; null: a float node.
  const Operator* op = nullptr;
  std::shared_ptr<const BoundOperator> bound{};
  std::vector<std::optional<size_t>> inputs;  // values; nothing: left out
  size_t first_output = 0;                    // the value that is its first output
  size_t output_count = 0;
  size_t number = 0;  // from 0

  bool is_float() const { return op == nullptr; }
  // Whether each element of its output comes from the element of its first input in the
  // same place, with a scale and a zero point.
  bool is_quantize() const;
  bool is_dequantize() const;
  bool is_elementwise() const { return is_quantize() || is_dequantize(); }
};

struct GraphStructure {
  std::vector<GraphValue> values;
  std::vector<GraphNode> nodes;
  size_t input_count = 0;
  std::vector<size_t> outputs;  // values

  // The node that computes a value; null: it is an input.
  const GraphNode* NodeOf(size_t value) const {
    const auto& node = values[value].node;
    return node ? &nodes[*node] : nullptr;
  }
};

// An Error as BindGraph's.
Result<GraphStructure> ResolveGraph(const Node& graph,
                                    std::span<const int> since_versions);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_STRUCTURE_H_
