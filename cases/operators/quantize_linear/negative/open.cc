// QL-33, QL-08 and QL-14: where the text lets a backend accept or refuse.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;

const std::vector<QuantizeLinearRow>& VectorRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {.name = "open_scale_of_shape_1",
       .sentence = "y_scale is [1] where a scalar is meant",
       .opset_versions = kEvery,
       .spec = {.y_scale = {kFloat, {1}}}},
      {.name = "open_zero_point_of_shape_1",
       .sentence = "y_scale is a scalar, y_zero_point is [1]",
       .opset_versions = kEvery,
       .spec = {.y_zero_point = Operand{kUint8, {1}}}},
      {.name = "open_scale_1_zero_point_scalar",
       .sentence = "y_scale is [1], y_zero_point is a scalar",
       .opset_versions = kEvery,
       .spec = {.y_scale = {kFloat, {1}}, .y_zero_point = Operand{kUint8, {}}}},
      {.name = "open_zero_point_scalar_for_vector_scale",
       .sentence = "y_scale has 3 elements, y_zero_point is a scalar",
       .opset_versions = kWithAxis,
       .spec = {.y_scale = {kFloat, {3}},
                .y_zero_point = Operand{kUint8, {}},
                .axis = 1}},
      {.name = "open_unused_axis",
       .sentence = "axis is 7, y_scale is a scalar",
       .opset_versions = kWithAxis,
       .spec = {.axis = 7}},
      {.name = "open_unused_axis_of_scalar_x",
       .sentence = "axis is 0, x is a scalar",
       .opset_versions = kWithAxis,
       .spec = {.x = {kFloat, {}}, .axis = 0}},
      {.name = "open_vector_scale",
       .sentence = "y_scale has 3 elements in since_version 10",
       .opset_versions = {10},
       .spec = {.y_scale = {kFloat, {3}}}},
      {.name = "open_rank_1_vector_scale",
       .sentence = "x has rank 1, y_scale its length",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {5}}, .y_scale = {kFloat, {5}}, .axis = 0}},
  };
  return rows;
}

const std::vector<QuantizeLinearRow>& BlockRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {.name = "open_rank_1_blocks",
       .sentence = "x has rank 1, 6 elements in 3 blocks of 2",
       .opset_versions = kWithBlocks,
       .spec =
           {.x = {kFloat, {6}}, .y_scale = {kFloat, {3}}, .axis = 0, .block_size = 2}},
      {.name = "open_block_size_for_vector_scale",
       .sentence = "y_scale is as long as the axis, block_size is 2",
       .opset_versions = kWithBlocks,
       .spec = {.y_scale = {kFloat, {3}}, .axis = 1, .block_size = 2}},
      {.name = "open_block_size_for_scalar_scale",
       .sentence = "y_scale is a scalar, block_size is 2",
       .opset_versions = kWithBlocks,
       .spec = {.block_size = 2}},
      {.name = "open_negative_block_size_for_scalar_scale",
       .sentence = "y_scale is a scalar, block_size is -1",
       .opset_versions = kWithBlocks,
       .spec = {.block_size = -1}},
      {.name = "open_negative_block_size_for_vector_scale",
       .sentence = "y_scale is as long as the axis, block_size is -1",
       .opset_versions = kWithBlocks,
       .spec = {.y_scale = {kFloat, {3}}, .axis = 1, .block_size = -1}},
      {.name = "open_more_scales_than_blocks",
       .sentence = "6 elements in blocks of 3 use 2 of 3 scales",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = 3}},
      {.name = "open_scale_for_empty_axis",
       .sentence = "x has shape [2,0], y_scale [2,1]",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {2, 0}}, .y_scale = {kFloat, {2, 1}}, .block_size = 2}},
  };
  return rows;
}

const std::vector<QuantizeLinearRow>& PrecisionRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {.name = "open_precision_int32",
       .sentence = "precision is INT32",
       .opset_versions = kWithPrecision,
       .spec = {.precision = static_cast<int64_t>(kInt32)}},
      {.name = "open_precision_no_type",
       .sentence = "precision is 999, which is no type",
       .opset_versions = kWithPrecision,
       .spec = {.precision = 999}},
  };
  return rows;
}

const std::vector<QuantizeLinearRow>& SaturateRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {.name = "open_saturate_2",
       .sentence = "saturate is 2",
       .opset_versions = {19, 21, 23, 24, 25, 28},
       .spec = {.saturate = 2}},
      {.name = "open_saturate_negative",
       .sentence = "saturate is -1",
       .opset_versions = {19, 21, 23, 24, 25, 28},
       .spec = {.saturate = -1}},
  };
  return rows;
}

}  // namespace

void AddQuantizeLinearOpen(std::vector<NegativeModel>& models) {
  Add("QL-33", ModelKind::kOpen, VectorRows(), models);
  Add("QL-33", ModelKind::kOpen, BlockRows(), models);
  Add("QL-08", ModelKind::kOpen, PrecisionRows(), models);
  Add("QL-14", ModelKind::kOpen, SaturateRows(), models);
}

}  // namespace qconform::negative
