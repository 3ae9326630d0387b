// The model is legal as it is declared, what it is fed is not.
#include "cases/quantization/negative/scaled.h"

namespace qconform::negative {
namespace {

ScaledOperand Fed(ScaledOperand operand, Shape declared) {
  operand.declared_shape = std::move(declared);
  return operand;
}

}  // namespace

void AddScaledFeeds(const ScaledOperator& op, std::vector<NegativeModel>& models) {
  const ScaledRows add(op, op.invalid, ModelKind::kInvalid, ModelPhase::kRun, models);
  add("fed_scale_too_short", "{scale} is declared as [3] and fed as [2]", op.with_axis,
      {.scale = Fed({{2}}, {3}), .axis = 1});
  add("fed_scale_too_long", "{scale} is declared as [3] and fed as [4]", op.with_axis,
      {.scale = Fed({{4}}, {3}), .axis = 1});
  add("fed_x_wider", "x is declared as [2,3] and fed as [2,4], {scale} has 3 elements",
      op.with_axis, {.x = Fed({{2, 4}}, {2, 3}), .scale = {{3}}, .axis = 1});
  add("fed_zero_point_vector", "{zero_point} is declared as a scalar and fed as [3]",
      op.every, {.zero_point = Fed({{3}}, {})});
  add("fed_too_few_blocks", "{scale} is declared as [2,3] and fed as [2,2]",
      op.with_blocks, {.x = {{2, 6}}, .scale = Fed({{2, 2}}, {2, 3}), .block_size = 2});
  add("fed_x_longer_than_blocks",
      "x is declared as [2,6] and fed as [2,8], for 3 blocks of 2", op.with_blocks,
      {.x = Fed({{2, 8}}, {2, 6}), .scale = {{2, 3}}, .block_size = 2});
  add("fed_zero_point_other_blocks", "{zero_point} is declared as [2,3] and fed as [3,2]",
      op.with_blocks,
      {.x = {{2, 6}},
       .scale = {{2, 3}},
       .zero_point = Fed({{3, 2}}, {2, 3}),
       .block_size = 2});
}

}  // namespace qconform::negative
