// Random nodes of each kind behind a value of a graph. For the agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_NODES_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_NODES_H_

#include <string>
#include <vector>

#include "oracle/exact/graphs/testing/graph_builder.h"

namespace qconform::agreement::graphs {

// Each adds a node, with some of its attributes and operands, and returns its results.
std::vector<std::string> Move(Builder& b, const std::string& x);
std::string Choose(Builder& b, const std::string& x);
std::string Clipped(Builder& b, const std::string& x);
// ArgMax or ArgMin with a Cast to INT32.
std::string ChooseIndex(Builder& b, const std::string& x);
std::string Compute(Builder& b, const std::string& x, bool may_use_constants);
// `floats_are_data`: the left operand is not dequantized.
std::string Sum(Builder& b, bool floats_are_data);
// DynamicQuantizeLinear with what follows it.
std::string Dynamic(Builder& b);

}  // namespace qconform::agreement::graphs

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_NODES_H_
