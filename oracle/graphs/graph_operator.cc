#include "oracle/graphs/graph_operator.h"

#include <algorithm>
#include <optional>

#include "oracle/graphs/float_operators.h"

namespace qconform {

GraphOperator::GraphOperator(const Node& node, const GraphStructure& structure)
    : op_type_(node.op_type), structure_(structure) {
  for (size_t i = 0; i < structure.input_count; ++i) {
    operands_.push_back(OperandOf(i));
  }
  for (const size_t output : structure.outputs) {
    const GraphNode& from = *structure.NodeOf(output);
    OutputInfo info{.name = structure.values[output].name};
    if (!from.is_float()) {
      info.unused_bits_clause =
          from.op->outputs()[structure.values[output].output].unused_bits_clause;
    }
    outputs_.push_back(info);
  }
}

bool GraphOperator::depends_on_order() const {
  return std::ranges::any_of(structure_.nodes, [](const GraphNode& node) {
    return node.is_float() ? RoundsOf(node.node.op_type) != FloatRounding::kNone
                           : node.op->depends_on_order();
  });
}

std::string_view GraphOperator::ClauseOffendedAt(size_t output, DataType type,
                                                 const ElementAnswer& element,
                                                 uint64_t actual) const {
  // The clause of the float section, if there is one that computes.
  std::string_view clause = "";
  for (const GraphNode& node : structure_.nodes) {
    if (!node.is_float()) continue;
    const std::string_view own = ClauseOf(node.node.op_type);
    if (clause.empty() || own > clause) clause = own;
  }
  if (!clause.empty()) return clause;
  const size_t value = structure_.outputs[output];
  const GraphNode& from = *structure_.NodeOf(value);
  const std::string_view own =
      from.op->ClauseOffendedAt(structure_.values[value].output, type, element, actual);
  return own.empty() ? "GR-01" : own;
}

OperandInfo GraphOperator::OperandOf(size_t input) const {
  OperandInfo info{.name = structure_.values[input].name};
  for (const GraphNode& node : structure_.nodes) {
    const auto at = std::ranges::find(node.inputs, std::optional(input));
    if (at == node.inputs.end()) continue;
    const auto position = static_cast<size_t>(at - node.inputs.begin());
    if (node.is_float()) {
      info.role = RoleOf(node.node.op_type, position);
      return info;
    }
    const OperandInfo& own = node.op->operands()[position];
    info.role = own.role;
    if (own.of && node.inputs[*own.of] &&
        *node.inputs[*own.of] < structure_.input_count) {
      info.of = *node.inputs[*own.of];
    }
    // What is dequantized for a MatMul's second operand is a weight.
    if (node.is_dequantize() && own.role == OperandRole::kData) {
      info.role = RoleOfUse(node.first_output);
    }
    return info;
  }
  return info;
}

OperandRole GraphOperator::RoleOfUse(size_t value) const {
  for (const GraphNode& node : structure_.nodes) {
    const auto at = std::ranges::find(node.inputs, std::optional(value));
    if (at == node.inputs.end()) continue;
    if (!node.is_float()) break;
    return RoleOf(node.node.op_type, static_cast<size_t>(at - node.inputs.begin()));
  }
  return OperandRole::kData;
}

}  // namespace qconform
