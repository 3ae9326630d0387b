#include "cases/model/named_dimensions.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cases/model/attributes.h"

namespace qconform {
namespace {

// One size of an operand or of an output.
struct Place {
  std::string value;
  size_t dimension;
};

// Sizes that have to be equal.
struct SharedSize {
  std::string name;
  std::vector<Place> places;
};

const Shape* ShapeOf(const Model& model, const std::string& name) {
  for (const ValueInfo& input : model.inputs) {
    if (input.name == name) return &input.shape;
  }
  for (const Initializer& initializer : model.initializers) {
    if (initializer.name == name) return &initializer.tensor.shape;
  }
  for (const ValueInfo& output : model.outputs) {
    if (output.name == name) return &output.shape;
  }
  return nullptr;
}

bool IsConstant(const Model& model, const std::string& name) {
  return std::ranges::any_of(model.initializers, [&](const Initializer& initializer) {
    return initializer.name == name;
  });
}

// Returns the scale and the zero point of the operand at `index`, as far as they are
// there.
std::vector<std::string> ParametersOf(const Model& model, size_t index) {
  std::vector<std::string> names;
  for (const size_t i : {index + 1, index + 2}) {
    if (i < model.node.inputs.size() && !model.node.inputs[i].empty()) {
      names.push_back(model.node.inputs[i]);
    }
  }
  return names;
}

std::vector<SharedSize> SizesOfQuantizeLinear(const Model& model) {
  const std::string& x = model.node.inputs[0];
  const auto rank = static_cast<int64_t>(ShapeOf(model, x)->size());
  const int64_t block = IntegerAttributeOr(model.node, "block_size", 0);
  const int64_t axis = AxisOf(model.node, static_cast<size_t>(rank));
  std::vector<SharedSize> sizes;
  for (int64_t i = 0; i < rank; ++i) {
    const auto d = static_cast<size_t>(i);
    sizes.push_back({"x_" + std::to_string(i), {{x, d}, {model.node.outputs[0], d}}});
  }
  for (const std::string& parameter : ParametersOf(model, 0)) {
    const Shape& shape = *ShapeOf(model, parameter);
    for (size_t d = 0; d < shape.size(); ++d) {
      const int64_t of_x = block > 0 ? static_cast<int64_t>(d) : axis;
      const bool is_per_tensor = block <= 0 && shape[d] == 1;
      const bool counts_blocks = block > 0 && of_x == axis;
      if (is_per_tensor || counts_blocks || of_x >= rank) continue;
      sizes[static_cast<size_t>(of_x)].places.push_back({parameter, d});
    }
  }
  if (block <= 0 || axis >= rank) return sizes;
  // How many blocks there are goes with x's size along the axis.
  SharedSize blocks{"blocks", {}};
  for (const std::string& parameter : ParametersOf(model, 0)) {
    blocks.places.push_back({parameter, static_cast<size_t>(axis)});
    if (IsConstant(model, parameter)) {
      sizes[static_cast<size_t>(axis)].places.push_back(blocks.places.back());
    }
  }
  sizes.push_back(std::move(blocks));
  return sizes;
}

std::vector<SharedSize> SizesOfQLinearMatMul(const Model& model) {
  constexpr size_t kA = 0;
  constexpr size_t kB = 3;
  const std::string& y = model.node.outputs[0];
  const size_t y_rank = ShapeOf(model, y)->size();
  std::vector<SharedSize> sizes{{"m", {}}, {"k", {}}, {"n", {}}};
  const bool has_rows = ShapeOf(model, model.node.inputs[kA])->size() >= 2;
  const bool has_columns = ShapeOf(model, model.node.inputs[kB])->size() >= 2;
  for (const size_t operand : {kA, kB}) {
    const std::string& name = model.node.inputs[operand];
    const Shape& shape = *ShapeOf(model, name);
    const size_t matrix = std::min<size_t>(shape.size(), 2);
    // Which of m, k and n each of the last two sizes is.
    const size_t first = operand == kA ? (has_rows ? 0 : 1) : 1;
    for (size_t d = 0; d < shape.size(); ++d) {
      const bool is_batch = d + matrix < shape.size();
      const size_t of = is_batch ? sizes.size() : first + d + matrix - shape.size();
      if (is_batch) sizes.push_back({name + "_" + std::to_string(d), {}});
      sizes[of].places.push_back({name, d});
      for (const std::string& parameter : ParametersOf(model, operand)) {
        const Shape& scales = *ShapeOf(model, parameter);
        if (scales.size() == shape.size() && scales.size() >= 2 && scales[d] > 1) {
          sizes[of].places.push_back({parameter, d});
        }
      }
    }
    // Per row and per column of one matrix.
    for (const std::string& parameter : ParametersOf(model, operand)) {
      const Shape& scales = *ShapeOf(model, parameter);
      if (scales.size() != 1 || scales[0] == 1) continue;
      sizes[operand == kA ? 0 : 2].places.push_back({parameter, 0});
    }
  }
  if (has_columns) sizes[2].places.push_back({y, y_rank - 1});
  if (has_rows) sizes[0].places.push_back({y, y_rank - (has_columns ? 2 : 1)});
  const size_t matrix = (has_rows ? 1 : 0) + (has_columns ? 1 : 0);
  for (size_t d = 0; d + matrix < y_rank; ++d) {
    sizes.push_back({"y_" + std::to_string(d), {{y, d}}});
  }
  return sizes;
}

bool IsFixed(const Model& model, const SharedSize& size) {
  return std::ranges::any_of(
      size.places, [&](const Place& place) { return IsConstant(model, place.value); });
}

// Whether an input has a size of a name.
bool Name(const SharedSize& size, Model& model) {
  bool named = false;
  for (const Place& place : size.places) {
    for (auto* infos : {&model.inputs, &model.outputs}) {
      for (ValueInfo& info : *infos) {
        if (info.name != place.value) continue;
        info.dim_params.resize(info.shape.size());
        info.dim_params[place.dimension] = size.name;
        info.shape[place.dimension] = -1;
        named = named || infos == &model.inputs;
      }
    }
  }
  return named;
}

}  // namespace

std::optional<Model> WithNamedDimensions(const Model& model) {
  std::vector<SharedSize> sizes;
  if (model.node.op_type == "QuantizeLinear") {
    sizes = SizesOfQuantizeLinear(model);
  } else if (model.node.op_type == "QLinearMatMul") {
    sizes = SizesOfQLinearMatMul(model);
  }
  Model named = model;
  bool any = false;
  for (const SharedSize& size : sizes) {
    if (!IsFixed(model, size)) any = Name(size, named) || any;
  }
  if (!any) return std::nullopt;
  return named;
}

}  // namespace qconform
