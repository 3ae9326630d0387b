// Which axes of a float node's operands and outputs have the same positions.
#ifndef QCONFORM_ORACLE_GRAPHS_AXES_NODE_AXES_H_
#define QCONFORM_ORACLE_GRAPHS_AXES_NODE_AXES_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/wiring.h"

namespace qconform {

// An axis of an operand, or of an output, of one node.
struct NodeAxis {
  bool is_output = false;
  size_t tensor = 0;
  size_t axis = 0;

  friend bool operator==(const NodeAxis&, const NodeAxis&) = default;
};

struct NodeAxes {
  // Pairs of axes: elements that belong together lie at the same position along both.
  std::vector<std::pair<NodeAxis, NodeAxis>> equal;
  // Axes along which the terms of each element lie: they can be cut.
  std::vector<NodeAxis> summed;
  // Axes that can neither be cut nor turned.
  std::vector<NodeAxis> whole;
  std::optional<NodeAxis> rows;  // Dimension::is_rows
};

// Whether each element of a node of this wiring is made of elements in the same place,
// broadcast.
bool IsElementwise(const Node& node, WiredKind kind);

// Precondition: `wiring` is WireNode's of these arguments.
NodeAxes FindNodeAxes(const Node& node, const Operands& operands, const Wiring& wiring);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_AXES_NODE_AXES_H_
