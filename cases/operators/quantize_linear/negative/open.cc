// QL-33, QL-08 and QL-14: where the text lets a backend accept or refuse.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddQuantizeLinearOpen(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows ql_33{"QL-33", ModelKind::kOpen, kNone, models};
  ql_33("open_scale_of_shape_1", "y_scale is [1] where a scalar is meant", kEvery,
        {.y_scale = {kFloat, {1}}});
  ql_33("open_zero_point_of_shape_1", "y_scale is a scalar, y_zero_point is [1]", kEvery,
        {.y_zero_point = Operand{kUint8, {1}}});
  ql_33("open_scale_1_zero_point_scalar", "y_scale is [1], y_zero_point is a scalar",
        kEvery, {.y_scale = {kFloat, {1}}, .y_zero_point = Operand{kUint8, {}}});
  ql_33("open_zero_point_scalar_for_vector_scale",
        "y_scale has 3 elements, y_zero_point is a scalar", kWithAxis,
        {.y_scale = {kFloat, {3}}, .y_zero_point = Operand{kUint8, {}}, .axis = 1});
  ql_33("open_unused_axis", "axis is 7, y_scale is a scalar", kWithAxis, {.axis = 7});
  ql_33("open_unused_axis_of_scalar_x", "axis is 0, x is a scalar", kWithAxis,
        {.x = {kFloat, {}}, .axis = 0});
  ql_33("open_vector_scale", "y_scale has 3 elements in since_version 10", {10},
        {.y_scale = {kFloat, {3}}});
  ql_33("open_rank_1_vector_scale", "x has rank 1, y_scale its length", kWithBlocks,
        {.x = {kFloat, {5}}, .y_scale = {kFloat, {5}}, .axis = 0});

  ql_33("open_rank_1_blocks", "x has rank 1, 6 elements in 3 blocks of 2", kWithBlocks,
        {.x = {kFloat, {6}}, .y_scale = {kFloat, {3}}, .axis = 0, .block_size = 2});
  ql_33("open_block_size_for_vector_scale",
        "y_scale is as long as the axis, block_size is 2", kWithBlocks,
        {.y_scale = {kFloat, {3}}, .axis = 1, .block_size = 2});
  ql_33("open_block_size_for_scalar_scale", "y_scale is a scalar, block_size is 2",
        kWithBlocks, {.block_size = 2});
  ql_33("open_negative_block_size_for_scalar_scale",
        "y_scale is a scalar, block_size is -1", kWithBlocks, {.block_size = -1});
  ql_33("open_negative_block_size_for_vector_scale",
        "y_scale is as long as the axis, block_size is -1", kWithBlocks,
        {.y_scale = {kFloat, {3}}, .axis = 1, .block_size = -1});
  ql_33("open_more_scales_than_blocks", "6 elements in blocks of 3 use 2 of 3 scales",
        kWithBlocks,
        {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = 3});
  ql_33("open_scale_for_empty_axis", "x has shape [2,0], y_scale [2,1]", kWithBlocks,
        {.x = {kFloat, {2, 0}}, .y_scale = {kFloat, {2, 1}}, .block_size = 2});

  const QuantizeLinearRows ql_08{"QL-08", ModelKind::kOpen, kNone, models};
  ql_08("open_precision_int32", "precision is INT32", kWithPrecision,
        {.precision = static_cast<int64_t>(kInt32)});
  ql_08("open_precision_no_type", "precision is 999, which is no type", kWithPrecision,
        {.precision = 999});

  const QuantizeLinearRows ql_14{"QL-14", ModelKind::kOpen, kNone, models};
  ql_14("open_saturate_2", "saturate is 2", {19, 21, 23, 24, 25, 28}, {.saturate = 2});
  ql_14("open_saturate_negative", "saturate is -1", {19, 21, 23, 24, 25, 28},
        {.saturate = -1});
}

}  // namespace qconform::negative
