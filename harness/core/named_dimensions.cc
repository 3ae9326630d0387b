#include "harness/core/named_dimensions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cases/model/lookup.h"
#include "harness/core/bound_model.h"

namespace qconform {
namespace {

void Name(const std::string& name, size_t axis, ValueInfo& info) {
  info.dim_params.resize(info.shape.size());
  info.dim_params[axis] = name;
  info.shape[axis] = -1;
}

// The name of an axis: one that counts blocks has another size than the dimension.
std::string NameAt(const Dimension& dimension, const AxisPlace& place) {
  return place.block == 1 ? dimension.name
                          : dimension.name + "_by_" + std::to_string(place.block);
}

}  // namespace

Result<std::optional<Model>> WithNamedDimensions(const Model& model) {
  const auto dimensions = DimensionsOf(model);
  if (!dimensions) return dimensions.error();
  Model named = model;
  bool any = false;
  for (const Dimension& dimension : *dimensions) {
    const auto input_of = [&](const AxisPlace& place) {
      return FindInput(named, model.node.inputs[place.tensor]);
    };
    const bool is_fixed = std::ranges::any_of(
        dimension.operands,
        [&](const AxisPlace& place) { return input_of(place) == nullptr; });
    if (is_fixed) continue;
    for (const AxisPlace& place : dimension.operands) {
      Name(NameAt(dimension, place), place.axis, *input_of(place));
    }
    for (const AxisPlace& place : dimension.outputs) {
      Name(NameAt(dimension, place), place.axis, named.outputs[place.tensor]);
    }
    any = any || !dimension.operands.empty();
  }
  return any ? std::optional(std::move(named)) : std::nullopt;
}

}  // namespace qconform
