// QL-30 to QL-32: what looks odd and is legal all the same.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;

const std::vector<QuantizeLinearRow>& Rows() {
  static const std::vector<QuantizeLinearRow> rows{
      {.name = "legal_scalar_x",
       .sentence = "x is a scalar, no axis",
       .opset_versions = kEvery,
       .spec = {.x = {kFloat, {}}}},
      {.name = "legal_rank_1_x",
       .sentence = "x has rank 1, y_scale is a scalar, no axis",
       .opset_versions = kEvery,
       .spec = {.x = {kFloat, {5}}}},
      {.name = "legal_empty_x",
       .sentence = "x has shape [0], y_scale is a scalar",
       .opset_versions = kEvery,
       .spec = {.x = {kFloat, {0}}}},
      {.name = "legal_empty_rows",
       .sentence = "x has shape [0,3], y_scale [3]",
       .opset_versions = kWithAxis,
       .spec = {.x = {kFloat, {0, 3}}, .y_scale = {kFloat, {3}}, .axis = 1}},
      {.name = "legal_empty_axis",
       .sentence = "x has shape [2,0], y_scale [0]",
       .opset_versions = kWithAxis,
       .spec = {.x = {kFloat, {2, 0}}, .y_scale = {kFloat, {0}}, .axis = 1}},
      {.name = "legal_empty_off_axis_blocked",
       .sentence = "x has shape [0,6], y_scale [0,3]",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {0, 6}}, .y_scale = {kFloat, {0, 3}}, .block_size = 2}},
      {.name = "legal_empty_axis_blocked",
       .sentence = "x has shape [2,0], y_scale [2,0]",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {2, 0}}, .y_scale = {kFloat, {2, 0}}, .block_size = 2}},
      {.name = "legal_one_block",
       .sentence = "one block is all of the axis",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 1}}, .block_size = 6}},
      {.name = "legal_block_longer_than_axis",
       .sentence = "one block of 8 holds the 6 elements of the axis",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 1}}, .block_size = 8}},
      {.name = "legal_block_size_1",
       .sentence = "block_size is 1, y_scale has x's shape",
       .opset_versions = kWithBlocks,
       .spec = {.y_scale = {kFloat, {2, 3}}, .block_size = 1}},
      {.name = "legal_partial_block",
       .sentence = "7 elements in blocks of 2: the last has one",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {2, 7}}, .y_scale = {kFloat, {2, 4}}, .block_size = 2}},
      {.name = "legal_axis_of_one",
       .sentence = "the axis has one element, y_scale is [1]",
       .opset_versions = kWithAxis,
       .spec = {.x = {kFloat, {2, 1}}, .y_scale = {kFloat, {1}}, .axis = 1}},
      {.name = "legal_rank_1_axis_0",
       .sentence = "x has rank 1, y_scale its length, axis 0",
       .opset_versions = {13, 19},
       .spec = {.x = {kFloat, {5}}, .y_scale = {kFloat, {5}}, .axis = 0}},
      {.name = "legal_rank_1_axis_negative",
       .sentence = "x has rank 1, y_scale its length, axis -1",
       .opset_versions = {13, 19},
       .spec = {.x = {kFloat, {5}}, .y_scale = {kFloat, {5}}, .axis = -1}},
  };
  return rows;
}

const std::vector<QuantizeLinearRow>& AxisRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {.name = "legal_lowest_axis",
       .sentence = "axis is -2 for x of rank 2",
       .opset_versions = kWithAxis,
       .spec = {.y_scale = {kFloat, {2}}, .axis = -2}},
      {.name = "legal_lowest_axis_blocked",
       .sentence = "axis is -2 for x of rank 2, blocked",
       .opset_versions = kWithBlocks,
       .spec = {.x = {kFloat, {6, 2}},
                .y_scale = {kFloat, {3, 2}},
                .axis = -2,
                .block_size = 2}},
  };
  return rows;
}

const std::vector<QuantizeLinearRow>& OutputTypeRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {.name = "legal_no_zero_point",
       .sentence = "y_zero_point is not there: y is UINT8",
       .opset_versions = kEvery},
      {.name = "legal_empty_zero_point",
       .sentence = "y_zero_point has an empty name",
       .opset_versions = kEvery,
       .spec = {.empty_zero_point = true}},
      {.name = "legal_output_dtype_of_zero_point",
       .sentence = "output_dtype and y_zero_point are both INT8",
       .opset_versions = kWithBlocks,
       .spec = {.y_zero_point = Operand{kInt8, {}},
                .output_dtype = static_cast<int64_t>(kInt8),
                .y = kInt8}},
      {.name = "legal_output_dtype_without_zero_point",
       .sentence = "output_dtype alone gives y's type",
       .opset_versions = kWithBlocks,
       .spec = {.output_dtype = static_cast<int64_t>(kInt4), .y = kInt4}},
      {.name = "legal_float6",
       .sentence = "y is FLOAT6E2M3, 7 elements: the last byte is not full",
       .opset_versions = {28},
       .spec = {.x = {kFloat, {7}},
                .output_dtype = static_cast<int64_t>(kFloat6E2M3),
                .y = kFloat6E2M3}},
      {.name = "legal_output_dtype_0",
       .sentence = "output_dtype is 0, as if it were not there",
       .opset_versions = kWithBlocks,
       .spec = {.y_zero_point = Operand{kInt8, {}}, .output_dtype = 0, .y = kInt8}},
  };
  return rows;
}

}  // namespace

void AddQuantizeLinearLegal(std::vector<NegativeModel>& models) {
  Add("QL-32", ModelKind::kLegal, Rows(), models);
  Add("QL-31", ModelKind::kLegal, AxisRows(), models);
  Add("QL-30", ModelKind::kLegal, OutputTypeRows(), models);
}

}  // namespace qconform::negative
