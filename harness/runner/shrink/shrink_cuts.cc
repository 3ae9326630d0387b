#include "harness/runner/shrink/shrink_cuts.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "cases/model/lookup.h"
#include "cases/model/model_file.h"
#include "harness/core/bound_model.h"
#include "harness/runner/shrink/model_operands.h"

namespace qconform {
namespace {

// A cut at a multiple of this cuts no block.
int64_t UnitOf(const Dimension& dimension) {
  int64_t unit = 1;
  for (const AxisPlace& place : dimension.operands) unit = std::lcm(unit, place.block);
  for (const AxisPlace& place : dimension.outputs) unit = std::lcm(unit, place.block);
  return unit;
}

// Returns the model with only these units of a dimension.
FedModel Keep(const FedModel& whole, const Dimension& dimension,
              const std::vector<Slices>& units) {
  const int64_t unit = UnitOf(dimension);
  FedModel cut = whole;
  Dimension left = dimension;
  left.size = 0;
  for (const Slices& run : units) {
    left.size += std::min(run.to * unit, dimension.size) - run.from * unit;
  }
  for (const AxisPlace& place : dimension.operands) {
    const Tensor& tensor = *OperandTensor(whole, place.tensor);
    const int64_t per_unit = unit / place.block;
    const int64_t end = tensor.shape[place.axis];
    std::vector<Slices> kept;
    for (const Slices& run : units) {
      kept.push_back({run.from * per_unit, std::min(run.to * per_unit, end)});
    }
    ReplaceOperand(cut, place.tensor, Take(tensor, place.axis, kept));
  }
  for (const AxisPlace& place : dimension.outputs) {
    cut.model.outputs[place.tensor].shape[place.axis] = SizeAt(left, place);
  }
  return cut;
}

}  // namespace

Result<std::vector<FedModel>> Halves(const FedModel& whole) {
  const auto dimensions = DimensionsOf(whole.model);
  if (!dimensions) return dimensions.error();
  return Halves(whole, *dimensions);
}

std::vector<FedModel> Halves(const FedModel& whole, const Dimensions& dimensions) {
  std::vector<FedModel> halves;
  for (const Dimension& dimension : dimensions) {
    if (dimension.is_summed || dimension.is_whole) continue;
    const int64_t unit = UnitOf(dimension);
    const int64_t units = SizeAt(dimension, {.block = unit});
    // Only whole blocks count; a last block that is not whole stays with the others.
    const int64_t middle = unit == 1 ? units / 2 : (dimension.size / unit + 1) / 2;
    if (middle <= 0 || middle >= units) continue;
    halves.push_back(Keep(whole, dimension, {{0, middle}}));
    halves.push_back(Keep(whole, dimension, {{middle, units}}));
  }
  return halves;
}

Result<std::vector<FedModel>> Crops(const FedModel& whole) {
  const auto dimensions = DimensionsOf(whole.model);
  if (!dimensions) return dimensions.error();
  std::vector<FedModel> crops;
  const auto add = [&](size_t operand, size_t axis, const Slices& kept) {
    FedModel crop = whole;
    ReplaceOperand(crop, operand, Take(*OperandTensor(whole, operand), axis, {kept}));
    auto outputs = InferOutputs(crop.model, crop.model.node.outputs);
    if (!outputs) return;
    crop.model.outputs = *std::move(outputs);
    crops.push_back(std::move(crop));
  };
  const std::vector<std::string>& names = whole.model.node.inputs;
  for (size_t operand = 0; operand < names.size(); ++operand) {
    if (FindInput(whole.model, names[operand]) == nullptr) continue;
    const Shape& shape = OperandTensor(whole, operand)->shape;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      const bool is_window =
          std::ranges::any_of(*dimensions, [&](const Dimension& dimension) {
            return dimension.is_whole && dimension.outputs.empty() &&
                   HasAxis(dimension, operand, axis);
          });
      const int64_t size = shape[axis];
      if (!is_window || size < 2) continue;
      add(operand, axis, {0, size / 2});
      add(operand, axis, {size / 2, size});
      if (size < 4) continue;
      add(operand, axis, {1, size});
      add(operand, axis, {0, size - 1});
    }
  }
  return crops;
}

Result<bool> AnyWithoutProducts(const FedModel& whole,
                                const std::function<bool(FedModel)>& accepts) {
  const auto dimensions = DimensionsOf(whole.model);
  if (!dimensions) return dimensions.error();
  return AnyWithoutProducts(whole, *dimensions, accepts);
}

bool AnyWithoutProducts(const FedModel& whole, const Dimensions& dimensions,
                        const std::function<bool(FedModel)>& accepts) {
  for (const Dimension& dimension : dimensions) {
    if (!dimension.is_summed || dimension.is_whole) continue;
    const int64_t units = SizeAt(dimension, {.block = UnitOf(dimension)});
    for (int64_t run = (units + 1) / 2; run >= 1; run /= 2) {
      for (int64_t from = 0; from < units; from += run) {
        const Slices before{0, from};
        const Slices after{std::min(from + run, units), units};
        if (accepts(Keep(whole, dimension, {before, after}))) return true;
      }
    }
  }
  return false;
}

}  // namespace qconform
