// A node of a graph that is an operator with an oracle of its own.
#ifndef QCONFORM_ORACLE_GRAPHS_JUDGED_NODE_H_
#define QCONFORM_ORACLE_GRAPHS_JUDGED_NODE_H_

#include <span>

#include "oracle/base/result.h"
#include "oracle/core/reading_set.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/structure.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Evaluates the node by its oracle, with the tiers and freedoms that its operands pass
// on. `values` are all of the graph, `outputs` those of the node among them.
Status EvaluateJudgedNode(const GraphNode& node, const ReadingSet& readings,
                          const Operands& operands, std::span<const ComposedValue> values,
                          std::span<ComposedValue> outputs);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_JUDGED_NODE_H_
