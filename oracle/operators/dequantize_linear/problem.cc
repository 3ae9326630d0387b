#include <string_view>

#include "oracle/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::dequantize_linear {

Result<Attributes> ReadAttributes(std::span<const Attribute> attributes) {
  Attributes read;
  const struct {
    std::string_view name;
    int64_t* value;
  } kInto[] = {{"block_size", &read.block_size}, {"output_dtype", &read.output_dtype}};
  const auto axis = IntegerAttribute(attributes, "axis");
  if (!axis) return axis.error();
  read.axis = *axis;
  for (const auto& [name, value] : kInto) {
    const auto given = IntegerAttribute(attributes, name);
    if (!given) return given.error();
    if (given->has_value()) *value = **given;
  }
  for (const Attribute& attribute : attributes) {
    const bool is_known = attribute.name == "axis" || attribute.name == "block_size" ||
                          attribute.name == "output_dtype";
    if (!is_known) read.unknown = attribute.name;
  }
  return read;
}

Result<Problem> ProblemOf(int since_version, const Attributes& attributes,
                          const Operands& operands) {
  const std::optional<TensorView> x = OperandAt(operands, 0);
  const std::optional<TensorView> x_scale = OperandAt(operands, 1);
  if (!x || !x_scale) return Error{"DequantizeLinear needs the inputs x and x_scale"};
  return Problem{.since_version = since_version,
                 .x = *x,
                 .x_scale = *x_scale,
                 .x_zero_point = OperandAt(operands, 2),
                 .attributes = attributes};
}

}  // namespace qconform::dequantize_linear
