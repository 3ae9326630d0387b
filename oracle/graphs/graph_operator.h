// A graph described as an operator: its inputs with their roles, its outputs.
#ifndef QCONFORM_ORACLE_GRAPHS_GRAPH_OPERATOR_H_
#define QCONFORM_ORACLE_GRAPHS_GRAPH_OPERATOR_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/structure.h"

namespace qconform {

// A graph described as an operator.
class GraphOperator : public Operator {
 public:
  GraphOperator(const Node& node, const GraphStructure& structure);

  std::string_view op_type() const override { return op_type_; }
  std::span<const OperandInfo> operands() const override { return operands_; }
  std::span<const OutputInfo> outputs() const override { return outputs_; }
  std::vector<Clause> clauses() const override { return {}; }

  // What may be rounded in more than one way may be so in some places only: in the body
  // of a vector loop, say.
  bool depends_on_order() const override;

  std::string_view ClauseOffendedAt(size_t output, DataType type,
                                    const ElementAnswer& element,
                                    uint64_t actual) const override;

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute>,
                                                    int) const override {
    return Error{op_type_ + ": expected a node, got a graph: BindGraph takes graphs"};
  }

 private:
  OperandInfo OperandOf(size_t input) const;

  // The role of a value in the first float node that uses it.
  OperandRole RoleOfUse(size_t value) const;

  std::string op_type_;
  const GraphStructure& structure_;
  std::vector<OperandInfo> operands_;
  std::vector<OutputInfo> outputs_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_GRAPH_OPERATOR_H_
