#include "oracle/operators/quantize_linear/dimensions.h"

#include <span>
#include <string>

#include "oracle/operators/quantize_linear/layout.h"

namespace qconform {
namespace {

using Granularity = QuantizeLinearLayout::Granularity;

constexpr size_t kX = 0;
constexpr size_t kScale = 1;
constexpr size_t kZeroPoint = 2;

// Adds the axes of a scale or zero point, but for those of size 1.
void AddParameter(const QuantizeLinearLayout& layout, size_t operand,
                  std::span<const int64_t> shape, Dimensions& dimensions) {
  if (layout.granularity == Granularity::kPerTensor) return;
  const bool is_blocked = layout.granularity == Granularity::kBlocked;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const size_t of_x = is_blocked ? axis : layout.axis_of_x;
    const bool counts_blocks = is_blocked && of_x == layout.axis_of_x;
    if (shape[axis] == 1 && !is_blocked) continue;
    dimensions[of_x].operands.push_back(
        {operand, axis, counts_blocks ? layout.block : 1});
  }
}

}  // namespace

Result<Dimensions> QuantizeLinearDimensions(const QuantizeLinearProblem& problem) {
  const QuantizeLinearResolution resolution = ResolveWithoutData(problem);
  const ModelValidity& validation = resolution.validation;
  if (validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{"QuantizeLinear, " + validation.clause + ": " + validation.reason};
  }
  Dimensions dimensions;
  for (size_t axis = 0; axis < problem.x.shape.size(); ++axis) {
    dimensions.push_back({.name = "x_" + std::to_string(axis),
                          .size = problem.x.shape[axis],
                          .operands = {{kX, axis}},
                          .outputs = {{0, axis}}});
  }
  AddParameter(resolution.layout, kScale, problem.y_scale.shape, dimensions);
  if (problem.y_zero_point && !resolution.layout.zero_point_is_scalar) {
    AddParameter(resolution.layout, kZeroPoint, problem.y_zero_point->shape, dimensions);
  }
  return dimensions;
}

}  // namespace qconform
