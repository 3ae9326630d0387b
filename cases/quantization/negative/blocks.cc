// Shapes of blocked scales.
#include "cases/quantization/negative/scaled.h"

namespace qconform::negative {

void AddScaledBlocks(const ScaledOperator& op, std::vector<NegativeModel>& models) {
  const ScaledRows add(op, op.invalid, ModelKind::kInvalid, ModelPhase::kLoad, models);
  add("blocked_scale_of_higher_rank", "{scale} has shape [1,2,3] for x of rank 2",
      op.with_blocks, {.x = {{2, 6}}, .scale = {{1, 2, 3}}, .block_size = 2},
      ScaledSpec{.x = {{2, 6}}, .scale = {{2, 3}}, .block_size = 2});
  add("blocked_scale_of_lower_rank", "{scale} has shape [2,3] for x of rank 3",
      op.with_blocks,
      {.x = {{2, 2, 6}},
       .scale = {{2, 3}, {2, 3, 5, 6, 7, 9}},
       .axis = -1,
       .block_size = 2},
      ScaledSpec{.x = {{2, 2, 6}},
                 .scale = {{2, 2, 3}, {2, 3, 5, 6, 7, 9}},
                 .axis = -1,
                 .block_size = 2});
  add("blocked_other_size_off_axis", "{scale} has 3 rows, x has 2", op.with_blocks,
      {.x = {{2, 6}}, .scale = {{3, 3}}, .block_size = 2});
  add("blocked_one_off_axis", "{scale} has 1 row, x has 2", op.with_blocks,
      {.x = {{2, 6}}, .scale = {{1, 3}, {2, 3, 5}}, .block_size = 2},
      ScaledSpec{.x = {{2, 6}}, .scale = {{2, 3}, {2, 3, 5}}, .block_size = 2});
  add("blocked_too_few_blocks", "6 elements in blocks of 2 need 3 scales, there are 2",
      op.with_blocks, {.x = {{2, 6}}, .scale = {{2, 2}}, .block_size = 2});
  add("blocked_no_scale_for_last_block",
      "7 elements in blocks of 2 need 4 scales, there are 3", op.with_blocks,
      {.x = {{2, 7}}, .scale = {{2, 3}}, .block_size = 2});
  add("blocked_no_scale", "{scale} has shape [2,0], x has 6 elements along the axis",
      op.with_blocks, {.x = {{2, 6}}, .scale = {{2, 0}}, .block_size = 2});
  add("blocked_negative_block_size", "block_size is -2 with a {scale} of x's rank",
      op.with_blocks, {.x = {{2, 6}}, .scale = {{2, 3}}, .block_size = -2});
  add("blocked_block_size_0", "block_size is 0 with a {scale} of x's rank",
      op.with_blocks, {.x = {{2, 6}}, .scale = {{2, 3}}, .block_size = 0});
  add("matrix_scale_of_x_shape", "{scale} has x's shape, and there are no blocks",
      op.every, {.scale = {{2, 3}}}, ScaledSpec{.scale = {{2, 3}}, .block_size = 1},
      LegalSince{21});
  add("matrix_scale_one_row", "{scale} has shape [1,3], and there are no blocks",
      op.every, {.scale = {{1, 3}}}, ScaledSpec{.scale = {{3}}}, LegalSince{13});
  add("matrix_scale_one_column", "{scale} has shape [2,1], and there are no blocks",
      op.every, {.scale = {{2, 1}}}, ScaledSpec{.scale = {{2}}, .axis = 0},
      LegalSince{13});
  add("matrix_scale_one_element", "{scale} has shape [1,1], and there are no blocks",
      op.every, {.scale = {{1, 1}, {3}}}, ScaledSpec{.scale = {{}, {3}}});
}

}  // namespace qconform::negative
