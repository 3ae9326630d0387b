// Small graphs, by the judge (GR-01 to GR-20): nodes of ONNX with tensors between them.
// Models are not validated.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_GRAPH_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_GRAPH_H_

#include <gmpxx.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/exact/answer.h"

namespace qconform::exact {

// A value of one of the kinds that attributes have.
struct GraphAttribute {
  std::optional<int64_t> integer{};
  std::optional<mpq_class> number{};  // a FLOAT
  std::optional<std::string> text{};
  std::vector<int64_t> integers{};
};

struct GraphNode {
  std::string op_type;
  int since_version = 0;
  std::vector<std::string> inputs;  // "": left out
  std::vector<std::string> outputs;
  std::map<std::string, GraphAttribute> attributes{};

  int64_t Integer(const std::string& name, int64_t otherwise) const;
  mpq_class Number(const std::string& name, const mpq_class& otherwise) const;
  std::string Text(const std::string& name, const std::string& otherwise) const;
  std::vector<int64_t> Integers(const std::string& name) const;  // none: empty
  bool Has(const std::string& name) const { return attributes.contains(name); }
};

struct Graph {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<GraphNode> nodes;  // each after those that give its inputs
};

// Returns the number of elements of a tensor of this shape.
size_t CountOf(const std::vector<int64_t>& shape);

// Returns the elements of a tensor of INT64 or INT32.
std::vector<int64_t> IndicesOf(const Codes& codes);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_GRAPH_H_
