// QL-34: attributes that a since_version does not have, and output_dtype.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

constexpr auto Number(DataType type) { return static_cast<int64_t>(type); }

const std::vector<QuantizeLinearRow>& AttributeRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {"attribute_axis",
       "axis came with 13",
       {10},
       kChecker,
       {.axis = 0},
       QuantizeLinearSpec{}},
      {"attribute_axis_per_axis",
       "axis came with 13, and per-axis scales with it",
       {10},
       kChecker,
       {.y_scale = {kFloat, {2}}, .axis = 0},
       QuantizeLinearSpec{.y_scale = {kFloat, {2}}, .axis = 0},
       13},
      {"attribute_saturate",
       "saturate came with 19",
       {10, 13},
       kChecker,
       {.saturate = 0},
       QuantizeLinearSpec{}},
      {"attribute_block_size",
       "block_size came with 21, and blocked scales with it",
       {10, 13, 19},
       kChecker,
       {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = 2},
       QuantizeLinearSpec{
           .x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = 2},
       21},
      {"attribute_output_dtype",
       "output_dtype came with 21",
       {10, 13, 19},
       kChecker,
       {.output_dtype = Number(kInt8), .y = kInt8},
       QuantizeLinearSpec{.output_dtype = Number(kInt8), .y = kInt8},
       21},
      {"attribute_precision",
       "precision came with 23",
       {10, 13, 19, 21},
       kChecker,
       {.precision = Number(kFloat)},
       QuantizeLinearSpec{}},
  };
  return rows;
}

const std::vector<QuantizeLinearRow>& OutputTypeRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {"output_dtype_differs",
       "output_dtype is INT8, y_zero_point is UINT8",
       kWithBlocks,
       kShapeInference,
       {.y_zero_point = Operand{kUint8, {}}, .output_dtype = Number(kInt8), .y = kUint8}},
      {"output_dtype_differs_in_width",
       "output_dtype is INT4, y_zero_point is INT8",
       kWithBlocks,
       kShapeInference,
       {.y_zero_point = Operand{kInt8, {}}, .output_dtype = Number(kInt4), .y = kInt8}},
      {"output_dtype_float",
       "output_dtype is FLOAT, which is in no T3",
       kWithBlocks,
       kShapeInference,
       {.output_dtype = Number(kFloat), .y = kFloat}},
      {"output_dtype_int32",
       "output_dtype is INT32, which is in no T3",
       kWithBlocks,
       kShapeInference,
       {.output_dtype = Number(kInt32), .y = kInt32}},
      {"output_dtype_int2",
       "output_dtype is INT2, which came with 25",
       {21, 23, 24},
       kShapeInference,
       {.output_dtype = Number(kInt2), .y = kInt2},
       QuantizeLinearSpec{.output_dtype = Number(kInt2), .y = kInt2},
       25},
      {"output_dtype_float4e2m1",
       "output_dtype is FLOAT4E2M1, which came with 23",
       {21},
       kShapeInference,
       {.output_dtype = Number(kFloat4E2M1), .y = kFloat4E2M1},
       QuantizeLinearSpec{.output_dtype = Number(kFloat4E2M1), .y = kFloat4E2M1},
       23},
      {"output_dtype_float6e3m2",
       "output_dtype is FLOAT6E3M2, which came with 28",
       {21, 25},
       kShapeInference,
       {.output_dtype = Number(kFloat6E3M2), .y = kFloat6E3M2},
       QuantizeLinearSpec{.output_dtype = Number(kFloat6E3M2), .y = kFloat6E3M2},
       28},
      {"output_dtype_differs_in_6_bits",
       "output_dtype is FLOAT6E2M3, y_zero_point is FLOAT6E3M2",
       {28},
       kShapeInference,
       {.y_zero_point = Operand{kFloat6E3M2, {}},
        .output_dtype = Number(kFloat6E2M3),
        .y = kFloat6E3M2}},
      {"output_dtype_no_type",
       "output_dtype is 999, which is no type",
       kWithBlocks,
       kShapeInference,
       {.output_dtype = 999}},
      {"output_dtype_negative",
       "output_dtype is -1, which is no type",
       kWithBlocks,
       kShapeInference,
       {.output_dtype = -1}},
  };
  return rows;
}

}  // namespace

void AddQuantizeLinearAttributes(std::vector<NegativeModel>& models) {
  Add("QL-34", ModelKind::kInvalid, AttributeRows(), models);
  Add("QL-34", ModelKind::kInvalid, OutputTypeRows(), models);
}

}  // namespace qconform::negative
