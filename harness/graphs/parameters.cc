#include "harness/graphs/parameters.h"

namespace qconform::graphs {

bool IsQuantizer(const Workspace& graph, size_t step) {
  return graph.steps()[step].Is(kQuantize);
}
bool IsDequantizer(const Workspace& graph, size_t step) {
  return graph.steps()[step].Is(kDequantize);
}
bool HasParameters(const Workspace& graph, size_t step) {
  return IsQuantizer(graph, step) || IsDequantizer(graph, step);
}

SharedTensor ScaleOf(const Workspace& graph, size_t step) {
  return graph.InputOf(graph.steps()[step], kScaleInput);
}
SharedTensor ZeroPointOf(const Workspace& graph, size_t step) {
  return graph.InputOf(graph.steps()[step], kZeroPointInput);
}
SharedTensor OutputOf(const Workspace& graph, size_t step) {
  return graph.ValueOf(graph.steps()[step].node.outputs.front());
}

SharedTensor CodesAt(const Workspace& graph, size_t step) {
  return IsQuantizer(graph, step) ? OutputOf(graph, step)
                                  : graph.InputOf(graph.steps()[step], kQuantizedInput);
}

bool IsReal(const SharedTensor& scale) {
  return scale != nullptr && scale->type != DataType::kFloat8E8M0;
}
bool HasOne(const SharedTensor& tensor) {
  return tensor != nullptr && ElementCount(tensor->shape) == 1;
}
bool HasMany(const SharedTensor& tensor) {
  return tensor != nullptr && ElementCount(tensor->shape).value_or(0) > 1;
}

std::optional<Parameters> ParametersOf(const Workspace& graph, size_t step) {
  const SharedTensor codes = IsQuantizer(graph, step)
                                 ? OutputOf(graph, step)
                                 : graph.InputOf(graph.steps()[step], kQuantizedInput);
  const SharedTensor scale = ScaleOf(graph, step);
  const SharedTensor zero_point = ZeroPointOf(graph, step);
  if (codes == nullptr || !IsInteger(codes->type) || !HasOne(scale) || !IsReal(scale)) {
    return std::nullopt;
  }
  return Parameters{codes->type, NumbersOf(*scale).front(),
                    HasOne(zero_point) ? NumbersOf(*zero_point).front() : 0};
}

void TakeFrom(Workspace& graph, size_t step, size_t from, bool scale, bool zero_point) {
  const SharedTensor of_scale = ScaleOf(graph, step);
  const SharedTensor of_zero_point = ZeroPointOf(graph, step);
  if (scale && of_scale != nullptr) {
    graph.Redirect(step, kScaleInput,
                   graph.AddValue(Converted(*ScaleOf(graph, from), of_scale->type)));
  }
  if (!zero_point || of_zero_point == nullptr || !IsInteger(of_zero_point->type)) return;
  const SharedTensor other = ZeroPointOf(graph, from);
  Tensor taken = other != nullptr
                     ? Converted(*other, of_zero_point->type)
                     : Tensor::Zeros(of_zero_point->type, of_zero_point->shape);
  graph.Redirect(step, kZeroPointInput, graph.AddValue(std::move(taken)));
}

}  // namespace qconform::graphs
