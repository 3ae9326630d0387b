// Small graphs of operators, judged as one subject (GR-01 to GR-20): the composition of
// the operators' own oracles with the float nodes between them.
#ifndef QCONFORM_ORACLE_GRAPHS_GRAPH_H_
#define QCONFORM_ORACLE_GRAPHS_GRAPH_H_

#include <memory>
#include <span>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// A graph bound to the definitions of its nodes. Its operands are the graph's inputs, in
// the order of Node::inputs, each with the role that it has in the first node that uses
// it; its answers are those of the graph's outputs.
class BoundGraph : public BoundOperator {
 public:
  // The graph described as an operator. It lives as long as this.
  virtual const Operator& op() const = 0;

  // Returns the outputs of each node of the body under the canonical readings: those that
  // the node names, in its order.
  virtual Result<std::vector<std::vector<Tensor>>> Intermediates(
      const Operands& operands) const = 0;

  // Returns the readings of each node that a set of readings of the graph stands for;
  // empty: all are canonical.
  virtual Result<std::vector<ReadingSet>> ReadingsOfNodes(
      const Operands& operands, const ReadingSet& set) const = 0;

  // Returns for each element of each output whether it is the end of a float section in
  // the exact case (GR-16), where bounds allow one code only.
  virtual Result<std::vector<std::vector<bool>>> InExactCase(
      const Operands& operands) const = 0;
};

// `since_versions`: the definition of each node of the body. An Error if a node is
// neither an operator that is judged nor a float node that the clauses name, if an
// attribute is of the wrong kind, or if a name has no source or two.
Result<std::unique_ptr<const BoundGraph>> BindGraph(const Node& graph,
                                                    std::span<const int> since_versions);

// Whether BindGraph knows the operator: a judged one, or a float node.
bool IsGraphNode(const Node& node);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_GRAPH_H_
