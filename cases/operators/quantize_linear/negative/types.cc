// QL-34: types that a since_version does not have. Most of them came with a
// later one, whose meaning is then the plain one.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

QuantizeLinearSpec OfTypes(DataType x, DataType y_scale, DataType y) {
  return {
      .x = {x, {2, 3}}, .y_scale = {y_scale, {}}, .y_zero_point = Operand{y, {}}, .y = y};
}

const std::vector<QuantizeLinearRow>& OperandRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {"x_double", "x is DOUBLE, which is in no T1", kEvery, kShapeInference,
       OfTypes(kDouble, kFloat, kUint8)},
      {"x_int16", "x is INT16, which is in no T1", kEvery, kShapeInference,
       OfTypes(kInt16, kFloat, kUint8)},
      {"x_float16",
       "x is FLOAT16, which came with 19",
       {10, 13},
       kShapeInference,
       OfTypes(kFloat16, kFloat, kUint8),
       OfTypes(kFloat16, kFloat, kUint8),
       23},
      {"x_bfloat16",
       "x is BFLOAT16, which came with 19",
       {10, 13},
       kShapeInference,
       OfTypes(kBfloat16, kFloat, kUint8),
       OfTypes(kBfloat16, kFloat, kUint8),
       23},
      {"scale_double", "y_scale is DOUBLE, which is in no T2", kEvery, kShapeInference,
       OfTypes(kFloat, kDouble, kUint8)},
      {"scale_float16",
       "y_scale is FLOAT16, x is FLOAT",
       {10, 13, 19, 21},
       kShapeInference,
       OfTypes(kFloat, kFloat16, kUint8),
       OfTypes(kFloat, kFloat16, kUint8),
       23},
      {"scale_float_for_int32_x",
       "x is INT32, y_scale is FLOAT: both are T1",
       {19, 21},
       kShapeInference,
       OfTypes(kInt32, kFloat, kUint8),
       OfTypes(kInt32, kFloat, kUint8),
       23},
      {"scale_int32",
       "y_scale is INT32, which came with 19",
       {10, 13},
       kShapeInference,
       OfTypes(kInt32, kInt32, kUint8)},
      {"scale_float8e8m0",
       "y_scale is FLOAT8E8M0, which came with 24",
       {21, 23},
       kShapeInference,
       OfTypes(kFloat, kFloat8E8M0, kUint8),
       OfTypes(kFloat, kFloat8E8M0, kUint8),
       24},
  };
  return rows;
}

const std::vector<QuantizeLinearRow>& OutputRows() {
  static const std::vector<QuantizeLinearRow> rows{
      {"y_int16",
       "y is INT16, which came with 21",
       {10, 13, 19},
       kShapeInference,
       OfTypes(kFloat, kFloat, kInt16),
       OfTypes(kFloat, kFloat, kInt16),
       21},
      {"y_uint4",
       "y is UINT4, which came with 21",
       {13, 19},
       kShapeInference,
       OfTypes(kFloat, kFloat, kUint4),
       OfTypes(kFloat, kFloat, kUint4),
       21},
      {"y_float8e4m3fn",
       "y is FLOAT8E4M3FN, which came with 19",
       {10, 13},
       kShapeInference,
       OfTypes(kFloat, kFloat, kFloat8E4M3FN),
       OfTypes(kFloat, kFloat, kFloat8E4M3FN),
       19},
      {"y_float4e2m1",
       "y is FLOAT4E2M1, which came with 23",
       {21},
       kShapeInference,
       OfTypes(kFloat, kFloat, kFloat4E2M1),
       OfTypes(kFloat, kFloat, kFloat4E2M1),
       23},
      {"y_int2",
       "y is INT2, which came with 25",
       {21, 23, 24},
       kShapeInference,
       OfTypes(kFloat, kFloat, kInt2),
       OfTypes(kFloat, kFloat, kInt2),
       25},
      {"y_float6e2m3",
       "y is FLOAT6E2M3, which came with 28",
       {21, 25},
       kShapeInference,
       OfTypes(kFloat, kFloat, kFloat6E2M3),
       OfTypes(kFloat, kFloat, kFloat6E2M3),
       28},
      {"y_float6e3m2",
       "y is FLOAT6E3M2, which came with 28",
       {23, 25},
       kShapeInference,
       OfTypes(kFloat, kFloat, kFloat6E3M2),
       OfTypes(kFloat, kFloat, kFloat6E3M2),
       28},
      {"y_int32", "y is INT32, which is in no T3", kEvery, kShapeInference,
       OfTypes(kFloat, kFloat, kInt32)},
      {"y_float", "y is FLOAT, which is in no T3", kEvery, kShapeInference,
       OfTypes(kFloat, kFloat, kFloat)},
      {"y_float8e8m0",
       "y is FLOAT8E8M0, which is in no T3",
       {24, 25, 28},
       kShapeInference,
       {.y_zero_point = Operand{kFloat8E8M0, {}, {1}}, .y = kFloat8E8M0}},
  };
  return rows;
}

}  // namespace

void AddQuantizeLinearTypes(std::vector<NegativeModel>& models) {
  Add("QL-34", ModelKind::kInvalid, OperandRows(), models);
  Add("QL-34", ModelKind::kInvalid, OutputRows(), models);
}

}  // namespace qconform::negative
