#include "harness/graphs/nodes.h"

namespace qconform::graphs {
namespace {

// Of a sum.
constexpr size_t kWeightsInput = 1;

}  // namespace

bool IsMover(std::string_view op_type) {
  return IsOneOf(
      op_type, {"Identity", "Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze",
                "Slice", "Split", "Concat", "Gather", "GatherElements", "Expand", "Tile",
                "DepthToSpace", "SpaceToDepth", "Pad"});
}

bool IsChooser(std::string_view op_type) {
  return IsOneOf(op_type, {"MaxPool", "ReduceMax", "ReduceMin", "Max", "Min", "Relu",
                           "Clip", "ArgMax", "ArgMin"});
}

bool IsActivation(std::string_view op_type) {
  return IsOneOf(op_type, {"Relu", "LeakyRelu", "PRelu", "HardSigmoid", "HardSwish"});
}

bool IsSum(std::string_view op_type) {
  return IsOneOf(op_type, {"MatMul", "Gemm", "Conv"});
}

bool IsMean(std::string_view op_type) {
  return IsOneOf(op_type, {"AveragePool", "GlobalAveragePool", "ReduceMean"});
}

bool GivesIndices(const Workspace& graph) {
  return std::ranges::any_of(graph.steps(), [](const GraphStep& step) {
    return IsOneOf(step.node.op_type, {"ArgMax", "ArgMin"});
  });
}

bool IsOfWeights(const Workspace& graph, size_t step) {
  if (!graph.steps()[step].Is(kDequantize)) return false;
  const std::string& output = graph.steps()[step].node.outputs.front();
  return std::ranges::any_of(graph.ReadersOf(output), [&](size_t reader) {
    const Node& node = graph.steps()[reader].node;
    return IsSum(node.op_type) && node.inputs.size() > kWeightsInput &&
           node.inputs[kWeightsInput] == output;
  });
}

bool IsReadByChooser(const Workspace& graph, size_t step) {
  const auto reader = graph.OnlyReaderOf(graph.steps()[step].node.outputs.front());
  return reader && IsChooser(graph.steps()[*reader].node.op_type);
}

bool IsReadByClip(const Workspace& graph, size_t step) {
  const auto reader = graph.OnlyReaderOf(graph.steps()[step].node.outputs.front());
  return reader && graph.steps()[*reader].Is("Clip");
}

std::optional<size_t> DequantizerOf(const Workspace& graph, size_t step,
                                    size_t position) {
  const std::vector<std::string>& inputs = graph.steps()[step].node.inputs;
  if (position >= inputs.size()) return std::nullopt;
  auto producer = graph.ProducerOf(inputs[position]);
  while (producer) {
    const Node& node = graph.steps()[*producer].node;
    if (node.op_type == kDequantize) return producer;
    if (!IsMover(node.op_type) && !IsChooser(node.op_type)) return std::nullopt;
    producer = graph.ProducerOf(node.inputs.front());
  }
  return std::nullopt;
}

std::optional<size_t> QuantizerOf(const Workspace& graph, size_t step) {
  std::optional<size_t> at = step;
  while (at) {
    at = graph.OnlyReaderOf(graph.steps()[*at].node.outputs.front());
    if (!at) return std::nullopt;
    const Node& node = graph.steps()[*at].node;
    if (node.op_type == kQuantize) return at;
    if (!IsMover(node.op_type) && !IsChooser(node.op_type) &&
        !IsActivation(node.op_type)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace qconform::graphs
