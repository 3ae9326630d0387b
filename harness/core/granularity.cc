#include "harness/core/granularity.h"

#include <algorithm>
#include <string_view>

#include "oracle/base/attribute.h"

namespace qconform {

std::string GranularityOfNode(
    const Operator& op, const Node& node, std::span<const std::string> granularities,
    const std::function<std::optional<Shape>(const std::string&)>& shape_of) {
  if (granularities.size() == 1) return granularities.front();
  // Whether there are several scales, or zero points, of a data or weight operand.
  const auto operands = op.operands();
  bool of_data = false;
  bool of_weights = false;
  for (size_t i = 0; i < operands.size() && i < node.inputs.size(); ++i) {
    const OperandRole role = operands[i].role;
    if (role != OperandRole::kScale && role != OperandRole::kZeroPoint) continue;
    if (node.inputs[i].empty()) continue;
    const auto shape = shape_of(node.inputs[i]);
    if (!shape) return "";
    const bool several = std::ranges::any_of(*shape, [](int64_t n) { return n != 1; });
    const bool belongs_to_weights =
        operands[i].of && operands[*operands[i].of].role == OperandRole::kWeight;
    (belongs_to_weights ? of_weights : of_data) |= several;
  }
  const auto has = [&](std::string_view name) {
    return std::ranges::find(granularities, name) != granularities.end();
  };
  if (has("per_axis")) {
    const auto block_size = IntegerAttribute(node.attributes, "block_size");
    const bool has_blocks = block_size && block_size->value_or(0) > 0;
    return has_blocks && of_data && has("blocked") ? "blocked"
           : of_data                               ? "per_axis"
                                                   : "per_tensor";
  }
  if (has("per_channel")) return of_weights ? "per_channel" : "per_tensor";
  return std::string(of_data ? "per_row" : "per_tensor") + "-" +
         (of_weights ? "per_column" : "per_tensor");
}

}  // namespace qconform
