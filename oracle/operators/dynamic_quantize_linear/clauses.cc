#include "oracle/operators/dynamic_quantize_linear/clauses.h"

namespace qconform::dynamic_quantize_linear {

std::vector<Clause> AllClauses() {
  const std::vector<int> since{11};
  return {
      {.id = "DYN-01",
       .kind = ClauseKind::kParametric,
       .text = "y_scale = f32(f32(max - min) / 255), where max is the largest of 0 and "
               "all x, and min the smallest. A division by 255 that is a multiplication "
               "by f32(1 / 255) is a deviation.",
       .source = "function body: Sub, then Div by Q_Max = 255, both of FLOAT; "
                 "description: \"data range is adjusted to include 0\"",
       .since_versions = since,
       .readings = {{"canonical", "f32(f32(max - min) / 255)", true},
                    {"fused_range", "f32((max - min) / 255): rounded once"},
                    {"fused_range_in_double", "f32(f64(f64(max - min) / 255))"}},
       .tests = {"DynamicQuantizeLinear.Scale_IsRoundedTwice",
                 "DynamicQuantizeLinear.NodeTests",
                 "DynamicQuantizeLinear.FusedRange_IsRoundedOnce",
                 "DynamicQuantizeLinear.FusedRangeInDouble_IsRoundedThroughDouble"},
       .feature = kFeatureInexact},
      {.id = "DYN-02",
       .text = "y_zero_point = rne(clip(f32(0 - f32(min / y_scale)), 0, 255)), ties to "
               "even, with the rounded y_scale.",
       .source = "function body: Div, Sub, Clip, Round, Cast; description: \"rounding to "
                 "nearest ties to even\"",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinear.ZeroPoint_TiesToEven",
                 "DynamicQuantizeLinear.NodeTests"}},
      {.id = "DYN-03",
       .text = "y = saturate(rne(f32(x / y_scale)) + y_zero_point), with the rounded "
               "y_scale and y_zero_point: true division, ties to even, the zero point "
               "after the rounding, saturation at 0 and 255. Multiplying by a reciprocal "
               "is a deviation.",
       .source = "function body: QuantizeLinear; description: \"y = saturate (round (x / "
                 "y_scale) + y_zero_point)\"; onnx issue 6433 asks to allow the "
                 "reciprocal, and is open",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinear.Y_TiesToEvenBeforeTheZeroPoint",
                 "DynamicQuantizeLinear.Y_IsDividedNotMultiplied",
                 "DynamicQuantizeLinear.NodeTests"}},
      {.id = "DYN-04",
       .kind = ClauseKind::kParametric,
       .text =
           "All x are 0, so that max = min = 0: formula and body give a scale of 0, a "
           "zero point cast from NaN, and 0/0. With a scale of 0, y_zero_point and y "
           "are free (the oracle answers 0); with the others both are 0. The sign of "
           "a zero scale is free where an x is -0.",
       .source = "function body: 0 / 255, then 0 / 0; ONNX's reference and deployed "
                 "kernels guard against it",
       .since_versions = since,
       .readings = {{"canonical", "y_scale = 0", true},
                    {"one_255th", "y_scale = f32(1 / 255), as ONNX's reference has it"},
                    {"one", "y_scale = 1, as deployed kernels have it"}},
       .tests = {"DynamicQuantizeLinear.AllZeros_HaveThreeReadings"},
       .tier = Tier::kDegenerateScale},
      {.id = "DYN-05",
       .kind = ClauseKind::kFree,
       .text = "NaN in x: all outputs are free.",
       .source = "silent; what ReduceMin and ReduceMax give of NaN is not stated",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinear.NanOrNoElements_LeaveAllFree"},
       .tier = Tier::kDegenerateScale},
      {.id = "DYN-06",
       .text =
           "Infinite, zero and subnormal scales are computed as IEEE 754 says; tier "
           "`degenerate_scale` for all outputs. An infinite x, or a range beyond "
           "FLOAT: y_scale is Inf. Then, with a finite min, y_zero_point is 0, finite "
           "x give 0, and +Inf is free (Inf/Inf). With min = -Inf, y_zero_point is "
           "free (a NaN that is cast), finite x give the y_zero_point that is "
           "returned, and infinite x are free. A scale that underflows to 0: x > 0 "
           "gives 255, x < 0 gives 0, x = 0 is free; y_zero_point is 255 where min < "
           "0, and free where min = 0. By `fused_range` a finite range has a finite "
           "scale, from which the others follow.",
       .source = "function body, by IEEE 754; that nothing is flushed to zero is this "
                 "project's norm",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinear.InfiniteScale",
                 "DynamicQuantizeLinear.ScaleThatUnderflows",
                 "DynamicQuantizeLinear.SubnormalScale"},
       .tier = Tier::kDegenerateScale},
      {.id = "DYN-07",
       .kind = ClauseKind::kFree,
       .text = "No elements: refused, or y is empty, and y_scale and y_zero_point are free.",
       .source = "silent; ReduceMin and ReduceMax of nothing, which numpy refuses",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinear.NanOrNoElements_LeaveAllFree"},
       .tier = Tier::kDegenerateScale},
      {.id = "DYN-08",
       .text = "y has the shape of x. y_scale and y_zero_point are scalars, of rank 0: "
               "[1] is an invalid output. x of rank 0 is legal.",
       .source =
           "outputs y_scale, y_zero_point: \"It's a scalar\"; shape inference gives "
           "both an empty shape",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinear.Shapes"}},
      {.id = "DYN-09",
       .text = "One element, and values of one sign: 0 belongs to the range. x = 3 has "
               "the scale f32(3 / 255), the zero point 0 and y = 255; x = -3 the same "
               "scale, the zero point 255 and y = 0.",
       .source = "description: \"data range is adjusted to include 0\"; function body: "
                 "Min and Max with 0",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinear.OneSign_IncludesZero"}},
      {.id = "DYN-10",
       .text = "Invalid models: x that is not FLOAT, or an attribute. A backend may "
               "refuse them, or be lax; it must not crash.",
       .source = "type constraint T1; the schema has no attribute",
       .since_versions = since,
       .tests = {"DynamicQuantizeLinearOperator.OtherModels_AreInvalid"}},
  };
}

}  // namespace qconform::dynamic_quantize_linear
