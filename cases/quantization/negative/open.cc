// Where the text lets a backend accept or refuse.
#include "cases/quantization/negative/scaled.h"

namespace qconform::negative {

void AddScaledOpen(const ScaledOperator& op, std::vector<NegativeModel>& models) {
  const ScaledRows mixed(op, op.open_mixed_shapes, ModelKind::kOpen, ModelPhase::kNone,
                         models);
  const ScaledRows shapes(op, op.open_shapes, ModelKind::kOpen, ModelPhase::kNone,
                          models);
  shapes("open_scale_of_shape_1", "{scale} is [1] where a scalar is meant", op.every,
         {.scale = {{1}}});
  mixed("open_zero_point_of_shape_1", "{scale} is a scalar, {zero_point} is [1]",
        op.every, {.zero_point = ScaledOperand{{1}}});
  mixed("open_scale_1_zero_point_scalar", "{scale} is [1], {zero_point} is a scalar",
        op.every, {.scale = {{1}}, .zero_point = ScaledOperand{{}}});
  mixed("open_zero_point_scalar_for_vector_scale",
        "{scale} has 3 elements, {zero_point} is a scalar", op.with_axis,
        {.scale = {{3}}, .zero_point = ScaledOperand{{}}, .axis = 1});
  shapes("open_unused_axis", "axis is 7, {scale} is a scalar", op.with_axis, {.axis = 7});
  shapes("open_unused_axis_of_scalar_x", "axis is 0, x is a scalar", op.with_axis,
         {.x = {{}}, .axis = 0});
  shapes("open_vector_scale", "{scale} has 3 elements in since_version 10",
         op.without_axis, {.scale = {{3}}});
  shapes("open_rank_1_vector_scale", "x has rank 1, {scale} its length", op.rank_one_open,
         {.x = {{5}}, .scale = {{5}}, .axis = 0});

  shapes("open_rank_1_blocks", "x has rank 1, 6 elements in 3 blocks of 2",
         op.rank_one_blocks_open,
         {.x = {{6}}, .scale = {{3}}, .axis = 0, .block_size = 2});
  shapes("open_block_size_for_vector_scale",
         "{scale} is as long as the axis, block_size is 2", op.with_blocks,
         {.scale = {{3}}, .axis = 1, .block_size = 2});
  shapes("open_block_size_for_scalar_scale", "{scale} is a scalar, block_size is 2",
         op.with_blocks, {.block_size = 2});
  shapes("open_negative_block_size_for_scalar_scale",
         "{scale} is a scalar, block_size is -1", op.with_blocks, {.block_size = -1});
  shapes("open_negative_block_size_for_vector_scale",
         "{scale} is as long as the axis, block_size is -1", op.with_blocks,
         {.scale = {{3}}, .axis = 1, .block_size = -1});
  shapes("open_more_scales_than_blocks", "6 elements in blocks of 3 use 2 of 3 scales",
         op.with_blocks, {.x = {{2, 6}}, .scale = {{2, 3}}, .block_size = 3});
  shapes("open_scale_for_empty_axis", "x has shape [2,0], {scale} [2,1]", op.with_blocks,
         {.x = {{2, 0}}, .scale = {{2, 1}}, .block_size = 2});
}

}  // namespace qconform::negative
