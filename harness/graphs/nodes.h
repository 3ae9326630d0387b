// What mistakes ask of the nodes of a graph.
#ifndef QCONFORM_HARNESS_GRAPHS_NODES_H_
#define QCONFORM_HARNESS_GRAPHS_NODES_H_

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "harness/graphs/mistake.h"
#include "harness/graphs/workspace.h"

namespace qconform::graphs {

inline constexpr std::string_view kQuantize = "QuantizeLinear";
inline constexpr std::string_view kDequantize = "DequantizeLinear";

// The classes of nodes, as the clauses have them.
bool IsMover(std::string_view op_type);       // GR-03
bool IsChooser(std::string_view op_type);     // GR-04
bool IsActivation(std::string_view op_type);  // Relu and those with a slope
bool IsSum(std::string_view op_type);         // MatMul, Gemm, Conv
bool IsMean(std::string_view op_type);

inline bool IsOneOf(std::string_view op_type,
                    std::initializer_list<std::string_view> of) {
  return std::ranges::find(of, op_type) != of.end();
}

// Whether the graph gives indices, which depend on the order of values only.
bool GivesIndices(const Workspace& graph);

// Whether a step dequantizes the second operand of a sum.
bool IsOfWeights(const Workspace& graph, size_t step);

// The DequantizeLinear that gives an input of a step, at once or through nodes that move
// data or choose.
std::optional<size_t> DequantizerOf(const Workspace& graph, size_t step, size_t position);
// The QuantizeLinear that reads the first output of a step, likewise.
std::optional<size_t> QuantizerOf(const Workspace& graph, size_t step);

// Whether only a node that chooses, such as Relu, reads the first output of a step.
bool IsReadByChooser(const Workspace& graph, size_t step);
bool IsReadByClip(const Workspace& graph, size_t step);

// Calls `act(graph, step)` for the steps for which `applies(graph, step)` holds, from the
// last to the first, so that it may insert steps. Returns the numbers of the nodes,
// ascending.
template <typename Applies, typename Act>
std::vector<int> AtEach(Workspace& graph, Where where, Applies applies, Act act) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < graph.steps().size(); ++i) {
    if (where == Where::kWeights && !IsOfWeights(graph, i)) continue;
    if (graph.steps()[i].number != 0 && applies(graph, i)) chosen.push_back(i);
  }
  const bool is_several =
      where == Where::kFirstOfSeveral || where == Where::kLastOfSeveral;
  if (chosen.empty() || (is_several && chosen.size() == 1)) return {};
  if (where == Where::kFirst || where == Where::kFirstOfSeveral) chosen.resize(1);
  if (where == Where::kLast || where == Where::kLastOfSeveral) chosen = {chosen.back()};
  std::vector<int> numbers;
  for (const size_t step : chosen) numbers.push_back(graph.steps()[step].number);
  std::for_each(chosen.rbegin(), chosen.rend(), [&](size_t step) { act(graph, step); });
  return numbers;
}

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_NODES_H_
