// The nodes of graphs one by one, by the judge: operators that quantize, by their own
// judges, and float nodes.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_NODES_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_NODES_H_

#include <vector>

#include "oracle/exact/graphs/compose.h"
#include "oracle/exact/graphs/graph.h"
#include "oracle/exact/graphs/possible.h"
#include "oracle/exact/graphs/wires.h"

namespace qconform::exact {

// Returns the results of an operator that quantizes.
std::vector<GraphTensor> ComputeQuantizing(const GraphNode& node,
                                           const GraphOperands& operands,
                                           const NodeReadings& readings);

// Returns the results of a float node.
std::vector<GraphTensor> ComputeFloats(const GraphNode& node, FloatNodeKind kind,
                                       const GraphOperands& operands);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_NODES_H_
