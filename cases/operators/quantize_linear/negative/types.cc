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

}  // namespace

void AddQuantizeLinearTypes(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows add{"QL-34", ModelKind::kInvalid, kShapeInference, models};
  add("x_double", "x is DOUBLE, which is in no T1", kEvery,
      OfTypes(kDouble, kFloat, kUint8));
  add("x_int16", "x is INT16, which is in no T1", kEvery,
      OfTypes(kInt16, kFloat, kUint8));
  add("x_float16", "x is FLOAT16, which came with 19", {10, 13},
      OfTypes(kFloat16, kFloat, kUint8), LegalSince{23});
  add("x_bfloat16", "x is BFLOAT16, which came with 19", {10, 13},
      OfTypes(kBfloat16, kFloat, kUint8), LegalSince{23});
  add("scale_double", "y_scale is DOUBLE, which is in no T2", kEvery,
      OfTypes(kFloat, kDouble, kUint8));
  add("scale_float16", "y_scale is FLOAT16, x is FLOAT", {10, 13, 19, 21},
      OfTypes(kFloat, kFloat16, kUint8), LegalSince{23});
  add("scale_float_for_int32_x", "x is INT32, y_scale is FLOAT: both are T1", {19, 21},
      OfTypes(kInt32, kFloat, kUint8), LegalSince{23});
  add("scale_int32", "y_scale is INT32, which came with 19", {10, 13},
      OfTypes(kInt32, kInt32, kUint8));
  add("scale_float8e8m0", "y_scale is FLOAT8E8M0, which came with 24", {21, 23},
      OfTypes(kFloat, kFloat8E8M0, kUint8), LegalSince{24});

  add("y_int16", "y is INT16, which came with 21", {10, 13, 19},
      OfTypes(kFloat, kFloat, kInt16), LegalSince{21});
  add("y_uint4", "y is UINT4, which came with 21", {13, 19},
      OfTypes(kFloat, kFloat, kUint4), LegalSince{21});
  add("y_float8e4m3fn", "y is FLOAT8E4M3FN, which came with 19", {10, 13},
      OfTypes(kFloat, kFloat, kFloat8E4M3FN), LegalSince{19});
  add("y_float4e2m1", "y is FLOAT4E2M1, which came with 23", {21},
      OfTypes(kFloat, kFloat, kFloat4E2M1), LegalSince{23});
  add("y_int2", "y is INT2, which came with 25", {21, 23, 24},
      OfTypes(kFloat, kFloat, kInt2), LegalSince{25});
  add("y_float6e2m3", "y is FLOAT6E2M3, which came with 28", {21, 25},
      OfTypes(kFloat, kFloat, kFloat6E2M3), LegalSince{28});
  add("y_float6e3m2", "y is FLOAT6E3M2, which came with 28", {23, 25},
      OfTypes(kFloat, kFloat, kFloat6E3M2), LegalSince{28});
  add("y_int32", "y is INT32, which is in no T3", kEvery,
      OfTypes(kFloat, kFloat, kInt32));
  add("y_float", "y is FLOAT, which is in no T3", kEvery,
      OfTypes(kFloat, kFloat, kFloat));
  add("y_float8e8m0", "y is FLOAT8E8M0, which is in no T3", {24, 25, 28},
      {.y_zero_point = Operand{kFloat8E8M0, {}, {1}}, .y = kFloat8E8M0});
}

}  // namespace qconform::negative
