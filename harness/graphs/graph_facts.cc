#include "harness/graphs/graph_facts.h"

#include <algorithm>

namespace qconform::graphs {
namespace {

// The operators that names of graphs shorten.
std::string FullName(std::string_view word) {
  if (word == "Q") return "QuantizeLinear";
  if (word == "DQ") return "DequantizeLinear";
  if (word == "DQL") return "DynamicQuantizeLinear";
  return std::string(word);
}

}  // namespace

GraphFacts::GraphFacts(const Cell& of) : types(of.types), cell(of) {
  std::string_view text = of.granularity;
  if (const size_t dot = text.rfind('.'); dot != std::string_view::npos) {
    granularity = text.substr(dot + 1);
    text = text.substr(0, dot);
  }
  while (true) {
    const size_t end = text.find_first_of("-,");
    const std::string_view word = text.substr(0, end);
    if (word == "FLOAT") {
      has_float_operand = true;
    } else {
      nodes.push_back(FullName(word));
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  // Codes of operands come first, then the scale, then the result (cases/graphs/table.h).
  const bool sums_up = Has("MatMul") || Has("Gemm") || Has("Conv");
  const bool has_codes =
      nodes.front() == "DequantizeLinear" || nodes.front() == "QuantizeLinear";
  if (has_codes) operand = types.front();
  if (sums_up) weights = types[types.size() == 4 ? 1 : 0];
  scale = types[has_codes ? (types.size() == 4 ? 2 : 1) : 0];
  if (Has("QuantizeLinear")) {
    result = Has("DequantizeLinear") && EndsWith("DequantizeLinear") && types.size() == 2
                 ? types.front()
                 : types.back();
  }
}

int GraphFacts::Count(std::string_view op_type) const {
  return static_cast<int>(std::ranges::count(nodes, op_type));
}

bool GraphFacts::HasPair(std::string_view first, std::string_view second) const {
  for (size_t i = 0; i + 1 < nodes.size(); ++i) {
    if (nodes[i] == first && nodes[i + 1] == second) return true;
  }
  return false;
}

}  // namespace qconform::graphs
