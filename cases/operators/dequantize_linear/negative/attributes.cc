// DQ-31, DQ-32 and DQ-36: output_dtype, and attributes that a since_version does not
// have.
#include "cases/operators/dequantize_linear/negative/spec.h"

namespace qconform::negative::dequantize_linear {
namespace {

using enum DataType;
using enum ModelPhase;

}  // namespace

void AddAttributes(std::vector<NegativeModel>& models) {
  const SpecRows checker{"DQ-36", ModelKind::kInvalid, kChecker, models};
  checker("attribute_axis", "axis came with 13", {10}, {.axis = 0}, Spec{});
  checker("attribute_axis_per_axis", "axis came with 13, and per-axis scales with it",
          {10}, {.x_scale = {kFloat, {2}}, .axis = 0}, LegalSince{13});
  checker("attribute_block_size", "block_size came with 21, and blocked scales with it",
          {10, 13, 19},
          {.x = {kInt8, {2, 6}}, .x_scale = {kFloat, {2, 3}}, .block_size = 2},
          LegalSince{21});
  checker("attribute_output_dtype", "output_dtype came with 23", {10, 13, 19, 21},
          {.output_dtype = Number(kFloat)}, LegalSince{23});
  checker("attribute_saturate", "saturate is an attribute of QuantizeLinear", kEvery,
          {.saturate = 1}, Spec{});
  checker("attribute_precision", "precision is an attribute of QuantizeLinear", kEvery,
          {.precision = Number(kFloat)}, Spec{});

  const SpecRows dq_31{"DQ-31", ModelKind::kInvalid, kShapeInference, models};
  dq_31("no_output_dtype_for_float8e8m0",
        "x_scale is FLOAT8E8M0 and output_dtype is not there: y has no legal type",
        {24, 25, 28}, {.x_scale = {kFloat8E8M0, {}}, .y = kFloat8E8M0});
  dq_31("output_dtype_0_for_float8e8m0",
        "x_scale is FLOAT8E8M0 and output_dtype is 0: y has no legal type", {24, 25, 28},
        {.x_scale = {kFloat8E8M0, {}}, .output_dtype = 0, .y = kFloat8E8M0});

  const SpecRows dq_32{"DQ-32", ModelKind::kInvalid, kShapeInference, models};
  dq_32("output_dtype_double", "output_dtype is DOUBLE, which is in no T3",
        kWithOutputDtype, {.output_dtype = Number(kDouble), .y = kDouble});
  dq_32("output_dtype_int32", "output_dtype is INT32, which is in no T3",
        kWithOutputDtype, {.output_dtype = Number(kInt32), .y = kInt32});
  dq_32("output_dtype_int8", "output_dtype is INT8, which is in no T3", kWithOutputDtype,
        {.output_dtype = Number(kInt8), .y = kInt8});
  dq_32("output_dtype_float8e4m3fn", "output_dtype is FLOAT8E4M3FN, which is in no T3",
        kWithOutputDtype, {.output_dtype = Number(kFloat8E4M3FN), .y = kFloat8E4M3FN});
  dq_32("output_dtype_float8e8m0", "output_dtype is FLOAT8E8M0, which is in no T3",
        {24, 25, 28}, {.output_dtype = Number(kFloat8E8M0), .y = kFloat8E8M0});
  dq_32("output_dtype_no_type", "output_dtype is 999, which is no type", kWithOutputDtype,
        {.output_dtype = 999});
  dq_32("output_dtype_negative", "output_dtype is -1, which is no type", kWithOutputDtype,
        {.output_dtype = -1});
}

}  // namespace qconform::negative::dequantize_linear
