// QL-30 to QL-32: what looks odd and is legal all the same.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddQuantizeLinearLegal(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows ql_32{"QL-32", ModelKind::kLegal, kNone, models};
  ql_32("legal_scalar_x", "x is a scalar, no axis", kEvery, {.x = {kFloat, {}}});
  ql_32("legal_rank_1_x", "x has rank 1, y_scale is a scalar, no axis", kEvery,
        {.x = {kFloat, {5}}});
  ql_32("legal_empty_x", "x has shape [0], y_scale is a scalar", kEvery,
        {.x = {kFloat, {0}}});
  ql_32("legal_empty_rows", "x has shape [0,3], y_scale [3]", kWithAxis,
        {.x = {kFloat, {0, 3}}, .y_scale = {kFloat, {3}}, .axis = 1});
  ql_32("legal_empty_axis", "x has shape [2,0], y_scale [0]", kWithAxis,
        {.x = {kFloat, {2, 0}}, .y_scale = {kFloat, {0}}, .axis = 1});
  ql_32("legal_empty_off_axis_blocked", "x has shape [0,6], y_scale [0,3]", kWithBlocks,
        {.x = {kFloat, {0, 6}}, .y_scale = {kFloat, {0, 3}}, .block_size = 2});
  ql_32("legal_empty_axis_blocked", "x has shape [2,0], y_scale [2,0]", kWithBlocks,
        {.x = {kFloat, {2, 0}}, .y_scale = {kFloat, {2, 0}}, .block_size = 2});
  ql_32("legal_one_block", "one block is all of the axis", kWithBlocks,
        {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 1}}, .block_size = 6});
  ql_32("legal_block_longer_than_axis", "one block of 8 holds the 6 elements of the axis",
        kWithBlocks,
        {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 1}}, .block_size = 8});
  ql_32("legal_block_size_1", "block_size is 1, y_scale has x's shape", kWithBlocks,
        {.y_scale = {kFloat, {2, 3}}, .block_size = 1});
  ql_32("legal_partial_block", "7 elements in blocks of 2: the last has one", kWithBlocks,
        {.x = {kFloat, {2, 7}}, .y_scale = {kFloat, {2, 4}}, .block_size = 2});
  ql_32("legal_axis_of_one", "the axis has one element, y_scale is [1]", kWithAxis,
        {.x = {kFloat, {2, 1}}, .y_scale = {kFloat, {1}}, .axis = 1});
  ql_32("legal_rank_1_axis_0", "x has rank 1, y_scale its length, axis 0", {13, 19},
        {.x = {kFloat, {5}}, .y_scale = {kFloat, {5}}, .axis = 0});
  ql_32("legal_rank_1_axis_negative", "x has rank 1, y_scale its length, axis -1",
        {13, 19}, {.x = {kFloat, {5}}, .y_scale = {kFloat, {5}}, .axis = -1});

  const QuantizeLinearRows ql_31{"QL-31", ModelKind::kLegal, kNone, models};
  ql_31("legal_lowest_axis", "axis is -2 for x of rank 2", kWithAxis,
        {.y_scale = {kFloat, {2}}, .axis = -2});
  ql_31(
      "legal_lowest_axis_blocked", "axis is -2 for x of rank 2, blocked", kWithBlocks,
      {.x = {kFloat, {6, 2}}, .y_scale = {kFloat, {3, 2}}, .axis = -2, .block_size = 2});

  const QuantizeLinearRows ql_30{"QL-30", ModelKind::kLegal, kNone, models};
  ql_30("legal_no_zero_point", "y_zero_point is not there: y is UINT8", kEvery);
  ql_30("legal_empty_zero_point", "y_zero_point has an empty name", kEvery,
        {.empty_zero_point = true});
  ql_30("legal_output_dtype_of_zero_point", "output_dtype and y_zero_point are both INT8",
        kWithBlocks,
        {.y_zero_point = Operand{kInt8, {}},
         .output_dtype = static_cast<int64_t>(kInt8),
         .y = kInt8});
  ql_30("legal_output_dtype_without_zero_point", "output_dtype alone gives y's type",
        kWithBlocks, {.output_dtype = static_cast<int64_t>(kInt4), .y = kInt4});
  ql_30("legal_float6", "y is FLOAT6E2M3, 7 elements: the last byte is not full", {28},
        {.x = {kFloat, {7}},
         .output_dtype = static_cast<int64_t>(kFloat6E2M3),
         .y = kFloat6E2M3});
  ql_30("legal_output_dtype_0", "output_dtype is 0, as if it were not there", kWithBlocks,
        {.y_zero_point = Operand{kInt8, {}}, .output_dtype = 0, .y = kInt8});
}

}  // namespace qconform::negative
