#include "harness/runner/suites/constant_slicer.h"

#include <algorithm>

#include "cases/model/model_file.h"
#include "harness/runner/shrink/model_operands.h"
#include "harness/runner/suites/part_inputs.h"

namespace qconform {
namespace {

// As many as show that a cut fits.
constexpr int64_t kFewest = 4;

// Whether the oracle takes the model, and it is valid.
bool IsTaken(const Model& model) { return WorkOf(model) && IsValidWithZeros(model); }

}  // namespace

std::optional<ConstantSlicer> ConstantSlicer::Create(const Model& whole) {
  for (Cut& cut : CutsOf(whole)) {
    const auto few = Take(whole, cut, 0, kFewest);
    if (!few || !IsTaken(*few)) continue;
    const int64_t work = std::max<int64_t>(*WorkOf(*few), 1);
    const int64_t size =
        std::clamp(kFewest * MostWorkOf(whole) / work, kFewest, cut.size / 2);
    auto fewer = Take(whole, cut, 0, size);
    if (!fewer || !IsTaken(*fewer)) continue;
    return ConstantSlicer(whole, std::move(cut), size);
  }
  return std::nullopt;
}

Model ConstantSlicer::Slice(size_t index, size_t count) const {
  const int64_t last = cut_.size - size_;
  const auto steps = static_cast<int64_t>(std::max<size_t>(count, 2) - 1);
  return *Take(*whole_, cut_, last * static_cast<int64_t>(index) / steps, size_);
}

std::vector<ConstantSlicer::Cut> ConstantSlicer::CutsOf(const Model& model) {
  const auto shape_of = [&](size_t i) -> const Shape& {
    return model.initializers[i].tensor.shape;
  };
  std::vector<Cut> cuts;
  for (size_t i = 0; i < model.initializers.size(); ++i) {
    const Shape& shape = shape_of(i);
    if (shape.size() < 2) continue;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      const int64_t size = shape[axis];
      if (size < 2 * kFewest) continue;
      // Scales and zero points in blocks have the axis too.
      Cut alike{{{i, axis}}, size};
      Cut lists;
      for (size_t j = 0; j < model.initializers.size(); ++j) {
        const Shape& other = shape_of(j);
        if (j != i && other.size() == shape.size() && other[axis] == size) {
          alike.places.push_back({j, axis});
        } else if (other.size() == 1 && other[0] == size) {
          lists.places.push_back({j, 0});
        }
      }
      // Lists of that size belong to this axis, or to another one that is as long.
      if (!lists.places.empty()) {
        lists.size = size;
        lists.places.insert(lists.places.end(), alike.places.begin(), alike.places.end());
        cuts.push_back(std::move(lists));
      }
      cuts.push_back(std::move(alike));
    }
  }
  std::ranges::stable_sort(cuts, std::ranges::greater(), &Cut::size);
  return cuts;
}

std::optional<Model> ConstantSlicer::Take(const Model& whole, const Cut& cut,
                                          int64_t first, int64_t size) {
  Model less = whole;
  for (const Place& place : cut.places) {
    Tensor& tensor = less.initializers[place.constant].tensor;
    tensor = qconform::Take(tensor, place.axis, {{first, first + size}});
  }
  auto outputs = InferOutputs(less, less.node.outputs);
  if (!outputs) return std::nullopt;
  less.outputs = *std::move(outputs);
  return less;
}

}  // namespace qconform
