// Scales and zero points of the nodes of a graph. Private to the rewrites.
#ifndef QCONFORM_HARNESS_GRAPHS_PARAMETERS_H_
#define QCONFORM_HARNESS_GRAPHS_PARAMETERS_H_

#include <optional>
#include <vector>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"

namespace qconform::graphs {

bool IsQuantizer(const Workspace& graph, size_t step);
bool IsDequantizer(const Workspace& graph, size_t step);
bool HasParameters(const Workspace& graph, size_t step);  // one of both

// Of a step with parameters; null where there is none.
SharedTensor ScaleOf(const Workspace& graph, size_t step);
SharedTensor ZeroPointOf(const Workspace& graph, size_t step);
SharedTensor OutputOf(const Workspace& graph, size_t step);
// What a QuantizeLinear gives or a DequantizeLinear reads.
SharedTensor CodesAt(const Workspace& graph, size_t step);

bool IsReal(const SharedTensor& scale);  // a scale with a sign
bool HasOne(const SharedTensor& tensor);
bool HasMany(const SharedTensor& tensor);

struct Parameters {
  DataType type = DataType::kUndefined;  // of the codes
  Number scale = 1;
  Number zero_point = 0;

  Number Low() const { return (LeastOf(type) - zero_point) * scale; }
  Number High() const { return (GreatestOf(type) - zero_point) * scale; }
};
// Nothing unless there is one scale, and codes are integers.
std::optional<Parameters> ParametersOf(const Workspace& graph, size_t step);

// Gives a step the scale and the zero point of another one, or one of these.
void TakeFrom(Workspace& graph, size_t step, size_t from, bool scale, bool zero_point);

// Makes an edit of a tensor from one of its numbers.
template <typename Edit>
auto Elementwise(Edit edit) {
  return [edit](const Tensor& tensor) -> Result<Tensor> {
    std::vector<Number> numbers = NumbersOf(tensor);
    edit(numbers);
    return TensorOfNumbers(tensor.type, tensor.shape, numbers);
  };
}

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_PARAMETERS_H_
