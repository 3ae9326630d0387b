// One element of a graph, node by node.
#include <string>

#include "harness/core/value_text.h"
#include "harness/graphs/faults.h"
#include "oracle/formats/codes.h"

namespace qconform::graphs {
namespace {

// The element of a value that stands for element `index` of an output: the same, where
// the value has as many.
std::string ElementText(const SharedTensor& tensor, int64_t index, int64_t count) {
  if (tensor == nullptr) return "";
  if (ElementCount(tensor->shape) != count) return "";
  return CodeText(tensor->type, ReadCode(tensor->view(), index));
}

}  // namespace

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  // The element's output, and its place there.
  int64_t at = index;
  SharedTensor output;
  for (const std::string& name : graph_.outputs()) {
    output = graph_.ValueOf(name);
    const int64_t count = ElementCount(output->shape).value_or(0);
    if (at < count) break;
    at -= count;
  }
  if (output == nullptr) return {};
  const int64_t count = ElementCount(output->shape).value_or(0);
  Values wrong;
  if (by != nullptr && set != nullptr) {
    WrongGraph rewritten =
        dynamic_cast<const Case&>(*by).Rewritten(set->As<GraphMistakes>());
    auto values = rewritten.graph.Evaluate();
    if (values) wrong = *std::move(values);
  }
  std::vector<WorkedStep> steps;
  for (const GraphStep& step : graph_.steps()) {
    for (const std::string& name : step.node.outputs) {
      if (name.empty() || graph_.IsOutput(name)) continue;
      const auto value = wrong.find(name);
      const std::string right = ElementText(graph_.ValueOf(name), at, count);
      if (right.empty()) continue;
      steps.push_back(
          {step.node.op_type + " (node " + std::to_string(step.number) + "), " + name,
           right, value == wrong.end() ? "" : ElementText(value->second, at, count)});
    }
  }
  return steps;
}

}  // namespace qconform::graphs
