#include "oracle/graphs/bounds/scaled_node.h"

#include "oracle/base/attribute.h"
#include "oracle/core/scale_layout.h"
#include "oracle/core/validation.h"
#include "oracle/formats/codes.h"

namespace qconform {

Result<ScaledNode> ScaledNode::Create(const GraphNode& node, const Operands& operands) {
  const std::optional<TensorView> x = OperandAt(operands, 0);
  const std::optional<TensorView> scale = OperandAt(operands, 1);
  const std::optional<TensorView> zero_point = OperandAt(operands, 2);
  if (!x || !scale) return Error{node.node.op_type + ": expected x and a scale"};
  const auto axis = IntegerAttribute(node.node.attributes, "axis");
  if (!axis) return axis.error();
  const auto block = IntegerAttribute(node.node.attributes, "block_size");
  if (!block) return block.error();
  Validation validation("GR-01", node.since_version, /*has_data=*/true);
  ScaleLayout layout;
  const ScaleRules rules{
      .names = {"x", "scale", "zero_point"},
      .rank_1_is_per_tensor = node.is_dequantize() && node.since_version == 19,
      .open_clause = "GR-01",
      .zero_point_shape_clause = "GR-01"};
  if (!ResolveScales(rules, {*x, *scale, zero_point}, *axis, block->value_or(0),
                     validation, layout)) {
    return Error{node.node.op_type + ": " + validation.validity().reason};
  }
  ScaledNode made{.x = *x,
                  .scale_type = scale->type,
                  .scale_codes = ReadCodes(*scale),
                  .scales = {},
                  .zero_points = {},
                  .scale_of = {},
                  .has_one_zero_point = layout.zero_point_is_scalar};
  const NumberFormat& format = FormatOf(scale->type);
  for (const uint64_t code : made.scale_codes) {
    made.scales.push_back(Decode(format, code));
  }
  if (zero_point) made.zero_points = ReadCodes(*zero_point);
  made.scale_of.reserve(static_cast<size_t>(ElementCount(x->shape).value_or(0)));
  for (int64_t o = 0; o < layout.outer; ++o) {
    for (int64_t i = 0; i < layout.axis; ++i) {
      for (int64_t j = 0; j < layout.inner; ++j) {
        made.scale_of.push_back(static_cast<uint32_t>(layout.ScaleIndex(o, i, j)));
      }
    }
  }
  return made;
}

}  // namespace qconform
