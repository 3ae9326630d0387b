// DQ-30 and DQ-33: what looks odd and is legal all the same. DQ-06, DQ-14 and DQ-34:
// where the text lets a backend accept or refuse.
#include "cases/operators/dequantize_linear/negative/spec.h"

namespace qconform::negative::dequantize_linear {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddLegal(std::vector<NegativeModel>& models) {
  const SpecRows dq_30{"DQ-30", ModelKind::kLegal, kNone, models};
  dq_30("legal_no_zero_point", "x_zero_point is not there", kEvery);
  dq_30("legal_empty_zero_point", "x_zero_point has an empty name", kEvery,
        {.empty_zero_point = true});
  dq_30("legal_int32_zero_point_0", "x is INT32, x_zero_point is 0", kEvery,
        {.x = {kInt32, {2, 3}}, .x_zero_point = Operand{kInt32, {}, {0}}});
  dq_30("legal_float16_scale", "x_scale is FLOAT16, and so is y",
        {19, 21, 23, 24, 25, 28}, {.x_scale = {kFloat16, {}}, .y = kFloat16});
  dq_30("legal_output_dtype", "output_dtype is BFLOAT16, x_scale is FLOAT16",
        kWithOutputDtype,
        {.x_scale = {kFloat16, {}}, .output_dtype = Number(kBfloat16), .y = kBfloat16});
  dq_30("legal_output_dtype_of_scale", "output_dtype and x_scale are both FLOAT16",
        kWithOutputDtype,
        {.x_scale = {kFloat16, {}}, .output_dtype = Number(kFloat16), .y = kFloat16});
  dq_30("legal_output_dtype_0", "output_dtype is 0, as if it were not there",
        kWithOutputDtype, {.output_dtype = 0});
  dq_30("legal_output_dtype_for_float8e8m0", "output_dtype gives y's type", {24, 25, 28},
        {.x_scale = {kFloat8E8M0, {}}, .output_dtype = Number(kFloat)});
  dq_30("legal_float6", "x is FLOAT6E2M3, 7 elements: the last byte is not full", {28},
        {.x = {kFloat6E2M3, {7}}});

  const SpecRows dq_34{"DQ-34", ModelKind::kLegal, kNone, models};
  dq_34("legal_rank_1_blocks", "x has rank 1, 6 elements in 3 blocks of 2", kWithBlocks,
        {.x = {kInt8, {6}}, .x_scale = {kFloat, {3}}, .axis = 0, .block_size = 2});
}

void AddOpen(std::vector<NegativeModel>& models) {
  const SpecRows dq_34{"DQ-34", ModelKind::kOpen, kNone, models};
  dq_34("open_rank_1_default_axis",
        "x has rank 1, x_scale its length, and the default axis is 1", kWithAxis,
        {.x = {kInt8, {5}}, .x_scale = {kFloat, {5}}});

  const SpecRows dq_06{"DQ-06", ModelKind::kOpen, kNone, models};
  dq_06("open_int32_zero_point", "x is INT32, x_zero_point is 3", kEvery,
        {.x = {kInt32, {2, 3}}, .x_zero_point = Operand{kInt32, {}, {3}}});
  dq_06("open_int32_zero_points", "x is INT32, one of three zero points is not 0",
        kWithAxis,
        {.x = {kInt32, {2, 3}},
         .x_scale = {kFloat, {3}},
         .x_zero_point = Operand{kInt32, {3}, {0, -7, 0}},
         .axis = 1});
}

}  // namespace qconform::negative::dequantize_linear
