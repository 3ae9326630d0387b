// What looks odd and is legal all the same.
#include "cases/quantization/negative/scaled.h"

namespace qconform::negative {

void AddScaledLegal(const ScaledOperator& op, std::vector<NegativeModel>& models) {
  const ScaledRows shapes(op, op.legal_shapes, ModelKind::kLegal, ModelPhase::kNone,
                          models);
  shapes("legal_scalar_x", "x is a scalar, no axis", op.every, {.x = {{}}});
  shapes("legal_rank_1_x", "x has rank 1, {scale} is a scalar, no axis", op.every,
         {.x = {{5}}});
  shapes("legal_empty_x", "x has shape [0], {scale} is a scalar", op.every, {.x = {{0}}});
  shapes("legal_empty_rows", "x has shape [0,3], {scale} [3]", op.with_axis,
         {.x = {{0, 3}}, .scale = {{3}}, .axis = 1});
  shapes("legal_empty_axis", "x has shape [2,0], {scale} [0]", op.with_axis,
         {.x = {{2, 0}}, .scale = {{0}}, .axis = 1});
  shapes("legal_empty_off_axis_blocked", "x has shape [0,6], {scale} [0,3]",
         op.with_blocks, {.x = {{0, 6}}, .scale = {{0, 3}}, .block_size = 2});
  shapes("legal_empty_axis_blocked", "x has shape [2,0], {scale} [2,0]", op.with_blocks,
         {.x = {{2, 0}}, .scale = {{2, 0}}, .block_size = 2});
  shapes("legal_one_block", "one block is all of the axis", op.with_blocks,
         {.x = {{2, 6}}, .scale = {{2, 1}}, .block_size = 6});
  shapes("legal_block_longer_than_axis",
         "one block of 8 holds the 6 elements of the axis", op.with_blocks,
         {.x = {{2, 6}}, .scale = {{2, 1}}, .block_size = 8});
  shapes("legal_block_size_1", "block_size is 1, {scale} has x's shape", op.with_blocks,
         {.scale = {{2, 3}}, .block_size = 1});
  shapes("legal_partial_block", "7 elements in blocks of 2: the last has one",
         op.with_blocks, {.x = {{2, 7}}, .scale = {{2, 4}}, .block_size = 2});
  shapes("legal_axis_of_one", "the axis has one element, {scale} is [1]", op.with_axis,
         {.x = {{2, 1}}, .scale = {{1}}, .axis = 1});
  shapes("legal_rank_1_axis_0", "x has rank 1, {scale} its length, axis 0",
         op.rank_one_axis, {.x = {{5}}, .scale = {{5}}, .axis = 0});
  shapes("legal_rank_1_axis_negative", "x has rank 1, {scale} its length, axis -1",
         op.rank_one_axis, {.x = {{5}}, .scale = {{5}}, .axis = -1});

  const ScaledRows axes(op, op.legal_axes, ModelKind::kLegal, ModelPhase::kNone, models);
  axes("legal_lowest_axis", "axis is -2 for x of rank 2", op.with_axis,
       {.scale = {{2}}, .axis = -2});
  axes("legal_lowest_axis_blocked", "axis is -2 for x of rank 2, blocked", op.with_blocks,
       {.x = {{6, 2}}, .scale = {{3, 2}}, .axis = -2, .block_size = 2});
}

}  // namespace qconform::negative
