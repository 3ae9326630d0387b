// The composition of a graph's nodes, by the judge (GR-01 to GR-04, GR-10, GR-11, GR-20):
// each node's exact result, rounded once to its tensor's type, from what the nodes before
// it give.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_COMPOSE_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_COMPOSE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/exact/answer.h"
#include "oracle/exact/graphs/graph.h"
#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"
#include "oracle/exact/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"
#include "oracle/exact/operators/quantize_linear/quantize_linear.h"

namespace qconform::exact {

// What an element may be (GR-02): its canonical code and others, any NaN, or anything.
struct GraphElement {
  uint64_t code = 0;
  std::vector<uint64_t> others{};  // sorted
  bool any_nan = false;            // besides `others`; `code` may be a NaN then
  bool any_code = false;
  Tier tier = Tier::kRegular;

  bool HasOneCode() const { return others.empty() && !any_nan && !any_code; }
};

struct GraphTensor {
  int type = 0;
  std::vector<int64_t> shape;
  std::vector<GraphElement> elements;  // row-major
};

// The reading of each quantizing node; nothing: canonical.
struct NodeReadings {
  std::optional<QuantizeLinearReadings> quantize{};
  std::optional<DequantizeLinearReadings> dequantize{};
  std::optional<DynamicQuantizeLinearReadings> dynamic{};
};

using GraphValues = std::map<std::string, GraphTensor>;

// Returns all values of the graph by their names: inputs, results of nodes, outputs.
// `readings` is by the position of the node; an empty list is canonical throughout.
GraphValues Compose(const Graph& graph, const std::map<std::string, Codes>& inputs,
                    const std::vector<NodeReadings>& readings = {});

// Returns the results of one node.
std::vector<GraphTensor> ComputeNode(
    const GraphNode& node, const std::vector<std::optional<GraphTensor>>& operands,
    const NodeReadings& readings);

// Returns the value of a code of a type.
Value ValueOfElement(int type, uint64_t code);

// Returns the canonical codes, or nothing of an operand that is left out.
std::optional<Codes> CanonicalCodes(const std::optional<GraphTensor>& tensor);

// Returns a Cast's or a quantizing node's operands by position; nothing where one is left
// out.
std::vector<std::optional<GraphTensor>> OperandsOf(const GraphNode& node,
                                                   const GraphValues& values);

// Attributes of float nodes that have a default, as real numbers.
struct FormulaConstants {
  mpq_class alpha = 1;
  mpq_class beta = 1;
};
FormulaConstants ConstantsOf(const GraphNode& node);

// Returns the exact result of an arithmetic node's formula.
Value Formula(const GraphNode& node, const std::vector<Value>& x);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_COMPOSE_H_
