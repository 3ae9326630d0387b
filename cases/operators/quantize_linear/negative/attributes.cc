// QL-34: attributes that a since_version does not have, and output_dtype.
#include "cases/operators/quantize_linear/negative/spec.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

constexpr auto Number(DataType type) { return static_cast<int64_t>(type); }

}  // namespace

void AddQuantizeLinearAttributes(std::vector<NegativeModel>& models) {
  const QuantizeLinearRows checker{"QL-34", ModelKind::kInvalid, kChecker, models};
  checker("attribute_axis", "axis came with 13", {10}, {.axis = 0}, QuantizeLinearSpec{});
  checker("attribute_axis_per_axis", "axis came with 13, and per-axis scales with it",
          {10}, {.y_scale = {kFloat, {2}}, .axis = 0}, LegalSince{13});
  checker("attribute_saturate", "saturate came with 19", {10, 13}, {.saturate = 0},
          QuantizeLinearSpec{});
  checker("attribute_block_size", "block_size came with 21, and blocked scales with it",
          {10, 13, 19},
          {.x = {kFloat, {2, 6}}, .y_scale = {kFloat, {2, 3}}, .block_size = 2},
          LegalSince{21});
  checker("attribute_output_dtype", "output_dtype came with 21", {10, 13, 19},
          {.output_dtype = Number(kInt8), .y = kInt8}, LegalSince{21});
  checker("attribute_precision", "precision came with 23", {10, 13, 19, 21},
          {.precision = Number(kFloat)}, QuantizeLinearSpec{});

  const QuantizeLinearRows inference{"QL-34", ModelKind::kInvalid, kShapeInference,
                                     models};
  inference(
      "output_dtype_differs", "output_dtype is INT8, y_zero_point is UINT8", kWithBlocks,
      {.y_zero_point = Operand{kUint8, {}}, .output_dtype = Number(kInt8), .y = kUint8});
  inference(
      "output_dtype_differs_in_width", "output_dtype is INT4, y_zero_point is INT8",
      kWithBlocks,
      {.y_zero_point = Operand{kInt8, {}}, .output_dtype = Number(kInt4), .y = kInt8});
  inference("output_dtype_float", "output_dtype is FLOAT, which is in no T3", kWithBlocks,
            {.output_dtype = Number(kFloat), .y = kFloat});
  inference("output_dtype_int32", "output_dtype is INT32, which is in no T3", kWithBlocks,
            {.output_dtype = Number(kInt32), .y = kInt32});
  inference("output_dtype_int2", "output_dtype is INT2, which came with 25", {21, 23, 24},
            {.output_dtype = Number(kInt2), .y = kInt2}, LegalSince{25});
  inference("output_dtype_float4e2m1", "output_dtype is FLOAT4E2M1, which came with 23",
            {21}, {.output_dtype = Number(kFloat4E2M1), .y = kFloat4E2M1},
            LegalSince{23});
  inference("output_dtype_float6e3m2", "output_dtype is FLOAT6E3M2, which came with 28",
            {21, 25}, {.output_dtype = Number(kFloat6E3M2), .y = kFloat6E3M2},
            LegalSince{28});
  inference("output_dtype_differs_in_6_bits",
            "output_dtype is FLOAT6E2M3, y_zero_point is FLOAT6E3M2", {28},
            {.y_zero_point = Operand{kFloat6E3M2, {}},
             .output_dtype = Number(kFloat6E2M3),
             .y = kFloat6E3M2});
  inference("output_dtype_no_type", "output_dtype is 999, which is no type", kWithBlocks,
            {.output_dtype = 999});
  inference("output_dtype_negative", "output_dtype is -1, which is no type", kWithBlocks,
            {.output_dtype = -1});
}

}  // namespace qconform::negative
