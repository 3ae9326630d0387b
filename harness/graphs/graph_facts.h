// What the id of a cell says about its graphs, for declarations.
#ifndef QCONFORM_HARNESS_GRAPHS_GRAPH_FACTS_H_
#define QCONFORM_HARNESS_GRAPHS_GRAPH_FACTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/lattice/cell.h"

namespace qconform::graphs {

struct GraphFacts {
  explicit GraphFacts(const Cell& of);

  std::vector<std::string> nodes;  // op_types, in the order of the graph's name
  std::string granularity;         // of its scales: "per_axis"
  bool has_float_operand = false;  // FLOAT stands among the names, as a bias does
  std::vector<DataType> types;     // those of the cell
  Cell cell;

  int Count(std::string_view op_type) const;
  bool Has(std::string_view op_type) const { return Count(op_type) > 0; }
  bool EndsWith(std::string_view op_type) const { return nodes.back() == op_type; }
  // Whether a node of `first` stands directly in front of one of `second`.
  bool HasPair(std::string_view first, std::string_view second) const;

  // The codes of the first operand and of the weights, the scales, and the codes of the
  // last QuantizeLinear; kUndefined: there are none.
  DataType operand = DataType::kUndefined;
  DataType weights = DataType::kUndefined;
  DataType scale = DataType::kUndefined;
  DataType result = DataType::kUndefined;
};

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_GRAPH_FACTS_H_
