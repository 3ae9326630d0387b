#include "oracle/operators/quantize_linear/problem.h"

#include <optional>
#include <string_view>

namespace qconform {

Result<QuantizeLinearAttributes> ReadQuantizeLinearAttributes(
    std::span<const Attribute> attributes) {
  QuantizeLinearAttributes read;
  const struct {
    std::string_view name;
    int64_t* value;
  } kInto[] = {{"block_size", &read.block_size},
               {"saturate", &read.saturate},
               {"output_dtype", &read.output_dtype},
               {"precision", &read.precision}};
  const auto axis = IntegerAttribute(attributes, "axis");
  if (!axis) return axis.error();
  read.axis = *axis;
  for (const auto& [name, value] : kInto) {
    const auto given = IntegerAttribute(attributes, name);
    if (!given) return given.error();
    if (given->has_value()) *value = **given;
  }
  return read;
}

Result<QuantizeLinearProblem> QuantizeLinearProblemOf(
    int since_version, const QuantizeLinearAttributes& attributes,
    const Operands& operands) {
  const std::optional<TensorView> x = OperandAt(operands, 0);
  const std::optional<TensorView> y_scale = OperandAt(operands, 1);
  if (!x || !y_scale) return Error{"QuantizeLinear needs the inputs x and y_scale"};
  return QuantizeLinearProblem{.since_version = since_version,
                               .x = *x,
                               .y_scale = *y_scale,
                               .y_zero_point = OperandAt(operands, 2),
                               .attributes = attributes};
}

}  // namespace qconform
