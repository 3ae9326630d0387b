#include "harness/runner/ask/repeats.h"

#include <algorithm>
#include <span>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/core/bound_model.h"
#include "harness/runner/shrink/model_operands.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Returns the index of the element that moves to `index` when dimension `dim` of a
// shape is rotated by one place.
int64_t Turned(const Shape& shape, size_t dim, int64_t index) {
  int64_t inner = 1;
  for (size_t i = dim + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t size = shape[dim];
  const int64_t at = index / inner % size;
  return index + ((at + size - 1) % size - at) * inner;
}

Tensor Turn(const Tensor& tensor, size_t dim) {
  Tensor turned = tensor;
  const int64_t count = ElementCount(tensor.shape).value_or(0);
  for (int64_t i = 0; i < count; ++i) {
    WriteCode(turned.mutable_view(), i,
              ReadCode(tensor.view(), Turned(tensor.shape, dim, i)));
  }
  return turned;
}

}  // namespace

Result<RunResult> RunModelShifted(Backend& backend, const FedModel& fed) {
  std::vector<std::vector<std::byte>> buffers;
  std::vector<TensorView> views;
  for (const Tensor& tensor : fed.inputs) {
    const size_t offset = std::max<size_t>(PackedByteSize(tensor.type, 1), 1);
    std::vector<std::byte>& buffer = buffers.emplace_back(offset);
    buffer.insert(buffer.end(), tensor.data.begin(), tensor.data.end());
    views.push_back({tensor.type, tensor.shape, std::span(buffer).subspan(offset)});
  }
  return RunModel(backend, fed.model, views);
}

Result<std::optional<Dimension>> FindTurning(const Model& model) {
  const auto dimensions = DimensionsOf(model);
  if (!dimensions) return dimensions.error();
  const Dimension* turning = FindTurning(*dimensions);
  return turning == nullptr ? std::optional<Dimension>() : std::optional(*turning);
}

const Dimension* FindTurning(const Dimensions& dimensions) {
  for (auto it = dimensions.rbegin(); it != dimensions.rend(); ++it) {
    const auto is_whole = [](const AxisPlace& place) { return place.block == 1; };
    if (!it->is_summed && !it->is_whole && it->size >= 2 &&
        std::ranges::all_of(it->operands, is_whole) &&
        std::ranges::all_of(it->outputs, is_whole)) {
      return &*it;
    }
  }
  return nullptr;
}

FedModel TurnedByOne(const FedModel& fed, const Dimension& turning) {
  FedModel turned = fed;
  for (const AxisPlace& place : turning.operands) {
    Tensor& operand = *OperandTensor(turned, place.tensor);
    operand = Turn(operand, place.axis);
  }
  return turned;
}

std::vector<int64_t> SourcesOf(const Model& model, const Dimension& turning) {
  std::vector<int64_t> sources;
  for (size_t o = 0; o < model.outputs.size(); ++o) {
    const auto first = static_cast<int64_t>(sources.size());
    const Shape& shape = model.outputs[o].shape;
    const auto place = std::ranges::find(turning.outputs, o, &AxisPlace::tensor);
    const bool turns = place != turning.outputs.end();
    const int64_t count = ElementCount(shape).value_or(0);
    for (int64_t i = 0; i < count; ++i) {
      sources.push_back(first + (turns ? Turned(shape, place->axis, i) : i));
    }
  }
  return sources;
}

}  // namespace qconform
