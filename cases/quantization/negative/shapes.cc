// `axis` out of range, and shapes of per-axis scales and of zero points.
#include "cases/quantization/negative/scaled.h"

namespace qconform::negative {

void AddScaledShapes(const ScaledOperator& op, std::vector<NegativeModel>& models) {
  const ScaledRows add(op, op.invalid, ModelKind::kInvalid, ModelPhase::kLoad, models);
  add("axis_above_range", "axis is 2 for x of rank 2", op.with_axis,
      {.scale = {{3}}, .axis = 2});
  add("axis_below_range", "axis is -3 for x of rank 2", op.with_axis,
      {.scale = {{2}}, .axis = -3});
  add("axis_far_out_of_range",
      "axis is 2^62, which overflows where it is added to a rank", op.with_axis,
      {.scale = {{3}}, .axis = int64_t{1} << 62});
  add("axis_above_range_blocked", "axis is 2 for x of rank 2, with a blocked {scale}",
      op.with_blocks, {.x = {{2, 6}}, .scale = {{2, 3}}, .axis = 2, .block_size = 2});
  add("axis_below_range_blocked", "axis is -3 for x of rank 2, with a blocked {scale}",
      op.with_blocks, {.x = {{2, 6}}, .scale = {{2, 3}}, .axis = -3, .block_size = 2});

  add("scale_too_short", "{scale} has 2 elements, the default axis 3", op.every,
      {.scale = {{2}}});
  add("scale_too_long", "{scale} has 4 elements, the axis 3", op.with_axis,
      {.scale = {{4}}, .axis = 1});
  add("scale_of_other_axis", "{scale} has the length of axis 1, axis is 0", op.with_axis,
      {.scale = {{3}}, .axis = 0});
  add("scale_empty", "{scale} has no element, the axis 3", op.with_axis,
      {.scale = {{0}}, .axis = 1});
  add("scale_vector_for_scalar_x", "x is a scalar, {scale} has 3 elements", op.with_axis,
      {.x = {{}}, .scale = {{3}}});
  add("scale_of_other_length_rank_1", "x has 5 elements, {scale} 3", op.with_axis,
      {.x = {{5}}, .scale = {{3}}, .axis = 0});
  // A kernel that goes on reading after the last scale shows here.
  add("scale_too_short_by_one_of_many", "{scale} has 1023 elements, the axis 1024",
      op.with_axis, {.x = {{2, 1024}}, .scale = {{1023}}, .axis = 1});

  add("zero_point_too_short", "{scale} has 3 elements, {zero_point} 2", op.with_axis,
      {.scale = {{3}}, .zero_point = ScaledOperand{{2}}, .axis = 1});
  add("zero_point_vector_for_scalar_scale",
      "{scale} is a scalar, {zero_point} has 3 elements", op.every,
      {.zero_point = ScaledOperand{{3}, {1, 0, 2}}},
      ScaledSpec{.scale = {{3}, {2, 2, 2}}, .zero_point = ScaledOperand{{3}, {1, 0, 2}}},
      LegalSince{13});
  add("zero_point_one_for_vector_scale",
      "{scale} has 3 elements, {zero_point} has shape [1]", op.with_axis,
      {.scale = {{3}}, .zero_point = ScaledOperand{{1}, {2}}, .axis = 1},
      ScaledSpec{.scale = {{3}}, .zero_point = ScaledOperand{{3}, {2, 2, 2}}, .axis = 1});
  add("zero_point_matrix_for_vector_scale",
      "{scale} has shape [3], {zero_point} has shape [1,3]", op.with_axis,
      {.scale = {{3}}, .zero_point = ScaledOperand{{1, 3}, {2, 1, 0}}, .axis = 1},
      ScaledSpec{.scale = {{3}}, .zero_point = ScaledOperand{{3}, {2, 1, 0}}, .axis = 1});
  add("zero_point_scalar_for_blocks", "{scale} has shape [2,3], {zero_point} is a scalar",
      op.with_blocks,
      {.x = {{2, 6}},
       .scale = {{2, 3}},
       .zero_point = ScaledOperand{{}, {2}},
       .block_size = 2},
      ScaledSpec{.x = {{2, 6}},
                 .scale = {{2, 3}},
                 .zero_point = ScaledOperand{{2, 3}, {2}},
                 .block_size = 2});
  add("zero_point_of_other_blocks", "{scale} has shape [2,3], {zero_point} [2,2]",
      op.with_blocks,
      {.x = {{2, 6}},
       .scale = {{2, 3}},
       .zero_point = ScaledOperand{{2, 2}},
       .block_size = 2});
  add("zero_point_empty", "{scale} is a scalar, {zero_point} has no element", op.every,
      {.zero_point = ScaledOperand{{0}}});
}

}  // namespace qconform::negative
