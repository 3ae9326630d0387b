// A judge's question about a graph as the oracle is asked it, and the oracle's readings
// as the judge's. For the agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_PROBLEM_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_PROBLEM_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/exact/graphs/compose.h"
#include "oracle/exact/graphs/testing/graph_questions.h"
#include "oracle/graphs/graph.h"

namespace qconform::agreement {

class GraphProblem {
 public:
  explicit GraphProblem(const GraphQuestion& question);
  GraphProblem(const GraphProblem&) = delete;
  GraphProblem& operator=(const GraphProblem&) = delete;

  // Returns why the oracle does not take the graph; empty: it does.
  const std::string& refusal() const { return refusal_; }
  const BoundGraph& bound() const { return *bound_; }
  const Operands& operands() const { return operands_; }

 private:
  std::vector<Tensor> tensors_;
  Operands operands_;
  std::unique_ptr<const BoundGraph> bound_;
  std::string refusal_;
};

// Returns the judge's graph for an oracle's node with a body.
exact::Graph JudgeGraph(const qconform::Node& node,
                        const std::vector<int>& since_versions);

// Returns the judge's codes of a packed tensor.
exact::Codes Unpack(const TensorView& tensor);

// Returns the readings of the nodes' own clauses in a set, by node. Nothing where the set
// has a reading that is not a node's own, or that the judge does not know: `unknown` has
// its spelling then.
std::optional<std::vector<exact::NodeReadings>> JudgeNodeReadings(
    const exact::Graph& graph, const exact::GraphValues& values,
    const ReadingSet& readings, std::string& unknown);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_PROBLEM_H_
