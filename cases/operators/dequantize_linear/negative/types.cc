// DQ-36: types that a since_version does not have, or that do not go together. Most of
// them came with a later one, whose meaning is then the plain one.
#include "cases/operators/dequantize_linear/negative/spec.h"

namespace qconform::negative::dequantize_linear {
namespace {

using enum DataType;
using enum ModelPhase;

Spec OfTypes(DataType x, DataType x_scale, DataType zero_point, DataType y) {
  return {.x = {x, {2, 3}},
          .x_scale = {x_scale, {}},
          .x_zero_point = Operand{zero_point, {}},
          .y = y};
}

Spec OfX(DataType x) { return OfTypes(x, kFloat, x, kFloat); }

Spec OfScale(DataType x_scale) { return OfTypes(kInt8, x_scale, kInt8, x_scale); }

Operand FedAs(DataType type, DataType declared) {
  return {.type = type, .shape = {}, .values = {}, .declared_type = declared};
}

}  // namespace

void AddTypes(std::vector<NegativeModel>& models) {
  const SpecRows add{"DQ-36", ModelKind::kInvalid, kShapeInference, models};
  add("x_float", "x is FLOAT, which is in no T1", kEvery, OfX(kFloat));
  add("x_float16", "x is FLOAT16, which is in no T1", kEvery, OfX(kFloat16));
  add("x_float8e8m0", "x is FLOAT8E8M0, which is in no T1", {24, 25, 28},
      {.x = {kFloat8E8M0, {2, 3}, {2, 4, 8}}});
  add("x_int16", "x is INT16, which came with 21", {10, 13, 19}, OfX(kInt16),
      LegalSince{21});
  add("x_uint4", "x is UINT4, which came with 21", {13, 19}, OfX(kUint4), LegalSince{21});
  add("x_float8e4m3fn", "x is FLOAT8E4M3FN, which came with 19", {10, 13},
      OfX(kFloat8E4M3FN), LegalSince{19});
  add("x_float4e2m1", "x is FLOAT4E2M1, which came with 23", {21}, OfX(kFloat4E2M1),
      LegalSince{23});
  add("x_int2", "x is INT2, which came with 25", {21, 23, 24}, OfX(kInt2),
      LegalSince{25});
  add("x_float6e2m3", "x is FLOAT6E2M3, which came with 28", {21, 25}, OfX(kFloat6E2M3),
      LegalSince{28});
  add("x_float6e3m2", "x is FLOAT6E3M2, which came with 28", {23, 25}, OfX(kFloat6E3M2),
      LegalSince{28});

  add("scale_double", "x_scale is DOUBLE, which is in no T2", kEvery, OfScale(kDouble));
  add("scale_int32", "x_scale is INT32, which is in no T2", kEvery,
      OfTypes(kInt8, kInt32, kInt8, kFloat));
  add("scale_float16", "x_scale is FLOAT16, which came with 19", {10, 13},
      OfScale(kFloat16), LegalSince{19});
  add("scale_bfloat16", "x_scale is BFLOAT16, which came with 19", {10, 13},
      OfScale(kBfloat16), LegalSince{19});
  Spec power = OfTypes(kInt8, kFloat8E8M0, kInt8, kFloat);
  power.output_dtype = Number(kFloat);
  add("scale_float8e8m0", "x_scale is FLOAT8E8M0, which came with 24", {23}, power,
      LegalSince{24});

  add("zero_point_other_sign", "x is INT8, x_zero_point is UINT8: both are T1", kEvery,
      OfTypes(kInt8, kFloat, kUint8, kFloat));
  add("zero_point_other_width", "x is INT8, x_zero_point is INT32: both are T1", kEvery,
      OfTypes(kInt8, kFloat, kInt32, kFloat));
  add("zero_point_other_float", "x is FLOAT8E4M3FN, x_zero_point is FLOAT8E5M2",
      {19, 21, 23, 24, 25, 28}, OfTypes(kFloat8E4M3FN, kFloat, kFloat8E5M2, kFloat));
  add("zero_point_other_6_bits", "x is FLOAT6E2M3, x_zero_point is FLOAT6E3M2", {28},
      OfTypes(kFloat6E2M3, kFloat, kFloat6E3M2, kFloat));
}

// At run time: the model is legal as it is declared, the types that it is fed are not.
void AddFeeds(std::vector<NegativeModel>& models) {
  const SpecRows add{"DQ-36", ModelKind::kInvalid, kRun, models};
  add("fed_x_float", "x is declared as INT8 and fed as FLOAT", kEvery,
      {.x = FedAs(kFloat, kInt8)});
  add("fed_scale_double", "x_scale is declared as FLOAT and fed as DOUBLE", kEvery,
      {.x_scale = FedAs(kDouble, kFloat)});
  add("fed_zero_point_int32", "x_zero_point is declared as INT8 and fed as INT32", kEvery,
      {.x_zero_point = FedAs(kInt32, kInt8)});
}

}  // namespace qconform::negative::dequantize_linear
