// QL-34: shapes of a blocked y_scale.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddQuantizeLinearBlocks(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows add{"QL-34", ModelKind::kInvalid, kLoad, models};
  add("blocked_scale_of_higher_rank", "y_scale has shape [1,2,3] for x of rank 2",
      kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {1, 2, 3}}, .block_size = 2},
      QuantizeLinearSpec{
          .x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = 2});
  add("blocked_scale_of_lower_rank", "y_scale has shape [2,3] for x of rank 3",
      kWithBlocks,
      {.x = {kFloat, {2, 2, 6}},
       .y_scale = {kFloat, {2, 3}, {2, 3, 5, 6, 7, 9}},
       .axis = -1,
       .block_size = 2},
      QuantizeLinearSpec{.x = {kFloat, {2, 2, 6}},
                         .y_scale = {kFloat, {2, 2, 3}, {2, 3, 5, 6, 7, 9}},
                         .axis = -1,
                         .block_size = 2});
  add("blocked_other_size_off_axis", "y_scale has 3 rows, x has 2", kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {3, 3}}, .block_size = 2});
  add("blocked_one_off_axis", "y_scale has 1 row, x has 2", kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {1, 3}, {2, 3, 5}}, .block_size = 2},
      QuantizeLinearSpec{.x = {kFloat, {2, 6}},
                         .y_scale = {kFloat, {2, 3}, {2, 3, 5}},
                         .block_size = 2});
  add("blocked_too_few_blocks", "6 elements in blocks of 2 need 3 scales, there are 2",
      kWithBlocks, {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 2}}, .block_size = 2});
  add("blocked_no_scale_for_last_block",
      "7 elements in blocks of 2 need 4 scales, there are 3", kWithBlocks,
      {.x = {kFloat, {2, 7}}, .y_scale = {kFloat, {2, 3}}, .block_size = 2});
  add("blocked_no_scale", "y_scale has shape [2,0], x has 6 elements along the axis",
      kWithBlocks, {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 0}}, .block_size = 2});
  add("blocked_negative_block_size", "block_size is -2 with a y_scale of x's rank",
      kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = -2});
  add("blocked_block_size_0", "block_size is 0 with a y_scale of x's rank", kWithBlocks,
      {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = 0});
  add("matrix_scale_of_x_shape", "y_scale has x's shape, and there are no blocks", kEvery,
      {.y_scale = {kFloat, {2, 3}}},
      QuantizeLinearSpec{.y_scale = {kFloat, {2, 3}}, .block_size = 1}, LegalSince{21});
  add("matrix_scale_one_row", "y_scale has shape [1,3], and there are no blocks", kEvery,
      {.y_scale = {kFloat, {1, 3}}}, QuantizeLinearSpec{.y_scale = {kFloat, {3}}},
      LegalSince{13});
  add("matrix_scale_one_column", "y_scale has shape [2,1], and there are no blocks",
      kEvery, {.y_scale = {kFloat, {2, 1}}},
      QuantizeLinearSpec{.y_scale = {kFloat, {2}}, .axis = 0}, LegalSince{13});
  add("matrix_scale_one_element", "y_scale has shape [1,1], and there are no blocks",
      kEvery, {.y_scale = {kFloat, {1, 1}, {3}}},
      QuantizeLinearSpec{.y_scale = {kFloat, {}, {3}}});
}

}  // namespace qconform::negative
