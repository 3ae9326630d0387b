#include "oracle/operators/dequantize_linear/clauses.h"

#include "oracle/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::dequantize_linear {
namespace {

using Versions = std::vector<int>;

// The definitions from this one on.
Versions Since(int first) {
  Versions versions;
  for (const int version : SinceVersions()) {
    if (version >= first) versions.push_back(version);
  }
  return versions;
}
Versions All() { return Since(10); }

constexpr ClauseKind kParametric = ClauseKind::kParametric;
constexpr ClauseKind kFree = ClauseKind::kFree;

// In all of them d = x - x_zero_point, s = x_scale, P = the type of y.
std::vector<Clause> ProductClauses() {
  return {
      {.id = "DQ-01",
       .text = "x of at most 16 bits: d = x - x_zero_point is never wrapped. It is exact "
               "unless DQ-03 or DQ-04 lets it be rounded to P, the type of y. A "
               "difference that wraps in the type of x (`wrapping_subtraction`), or an "
               "unsigned one, is a deviation.",
       .source = "description: \"y = (x - x_zero_point) * x_scale\"",
       .since_versions = All(),
       .tests = {"Product.DifferenceBeyondTheTypeOfX_IsExact",
                 "Product.AllCodesOfNarrowTypes_AgreeWithTheMachine"}},
      {.id = "DQ-02",
       .text = "x of at most 8 bits, or of 16 bits with FLOAT y, where scale and y have "
               "one type, or y is FLOAT: y = round_P(d * s) with s = x_scale, one "
               "rounding, nearest even, overflow to infinity. Every way to compute it "
               "agrees. x * s - zp * s is a deviation (`distributed_zero_point`).",
       .source = "description: the formula; 10, 13: y and x_scale are tensor(float); 19, "
                 "21: \"x_scale still determines the output type\"; since 23: \"The "
                 "output type also determines the precision of the multiplication "
                 "operation\"",
       .since_versions = All(),
       .tests = {"Product.OneType_IsRoundedOnce",
                 "Product.AllCodesOfNarrowTypes_AgreeWithTheMachine",
                 "Product.ZeroPointIsSubtractedBeforeTheProduct"}},
      {.id = "DQ-03",
       .kind = kParametric,
       .text = "16-bit x with FLOAT16 or BFLOAT16 scale in 21: the type of the product "
               "is not named, and P holds not every d.",
       .source = "description of 21: \"x_scale still determines the output type\"; "
                 "nothing is said of the product",
       .since_versions = {21},
       .readings = {{"canonical", "round_P(d * s), once", true},
                    {"f32_product", "round_P(f32(f32(d) * s))"},
                    {"difference_in_p", "round_P(round_P(d) * s)"}},
       .tests = {"Product.Of16BitsIn21_HasThreeReadings"}},
      {.id = "DQ-04",
       .kind = kParametric,
       .text = "The scale's type differs from y's, or x has 16 bits and y is FLOAT16 or "
               "BFLOAT16: how operands of other types come to the precision of y is not "
               "said. In every version these readings also apply to a difference of "
               "floats that P does not hold (DQ-08). `f32_product` may come on top of "
               "each of the others; ONNX's reference has it with unconverted operands.",
       .source = "description since 23: \"The output type also determines the precision "
                 "of the multiplication operation\"",
       .since_versions = Since(19),
       .readings = {{"canonical", "d and s are converted to P, then round_P(product)",
                     true},
                    {"unconverted_operands", "round_P(d * s)"},
                    {"difference_in_p", "d is converted to P, s is not"},
                    {"scale_in_p", "s is converted to P, d is not"},
                    {"f32_product", "the product is rounded to FLOAT, then to P"}},
       .tests = {"Product.ScaleOfAnotherType_HasSevenReadings",
                 "Product.Of16BitsSince23_HasTheReadingsOfDq04"}},
      {.id = "DQ-05",
       .kind = kParametric,
       .text = "INT32 x: neither its conversion nor the type of the product is named. A "
               "scale whose type is not y's is taken as it is, or converted to P first, "
               "by each of the readings.",
       .source = "type constraints T and T1 allow INT32; ONNX's reference computes in "
                 "FLOAT",
       .since_versions = All(),
       .readings = {{"canonical", "round_P(f32(x) * s)", true},
                    {"exact_product", "round_P(x * s)"},
                    {"f64_product", "round_P(f64(x * s))"},
                    {"f32_product",
                     "round_P(f32(f32(x) * s)), where y is FLOAT16 or BFLOAT16"},
                    {"x_in_p", "round_P(round_P(x) * s), where y is FLOAT16 or BFLOAT16"},
                    {"scale_in_p", "s is converted to P first"}},
       .tests = {"Int32.Products_HaveFiveReadings", "Int32.ScaleOfAnotherType"}},
      {.id = "DQ-06",
       .kind = kParametric,
       .text = "INT32 x with a zero point other than 0: the model is refused, or every "
               "value is free, the same each time. The oracle subtracts. A zero point of "
               "0 works.",
       .source = "description: \"In the case of dequantizing int32, there's no zero "
                 "point (zero point is supposed to be 0)\"",
       .since_versions = All(),
       .readings = {{"canonical", "any y, the same each time", true},
                    {"refused", "models with such a zero point are not taken"}},
       .tests = {"Int32.ZeroPointOtherThanZero_IsFree",
                 "DequantizeValidate.Int32WithAZeroPoint_IsOpen"},
       .feature = kFeatureZeroPoint},
  };
}

std::vector<Clause> ValueClauses() {
  return {
      {.id = "DQ-07",
       .kind = kParametric,
       .text = "float8 and FLOAT4E2M1 x without zero point, or with one of +0 or -0: the "
               "code's exact value times s by IEEE 754. NaN gives NaN of any code, Inf * "
               "s is "
               "by IEEE 754. The sign of a zero y is open: a zero point that is there is "
               "subtracted, so that x = -0 with a zero point of -0 gives +0; it gives -0 "
               "where the zero point is ignored (DQ-08).",
       .source = "description since 19: \"`zero-point` is usually not used in the case "
                 "of float8 types quantization, but the dequantization formula remains "
                 "the same for consistency\"; nothing is said of the sign of zero",
       .since_versions = Since(19),
       .readings = {{"canonical", "the sign of a zero y is that of IEEE 754", true},
                    {"zero_sign_dropped", "+0 for -0"}},
       .tests = {"FloatX.AllCodes_AreTheirValueTimesTheScale",
                 "FloatX.SpecialValues_FollowIeee", "FloatX.SignOfZero"},
       .feature = kFeatureZeroResult},
      {.id = "DQ-08",
       .kind = kParametric,
       .text = "float8, FLOAT4E2M1 and FLOAT6 x with another zero point: the text keeps "
               "the formula. The product is that of DQ-02 to DQ-04 and DQ-11; where P "
               "does not hold the difference, all readings of DQ-04 apply.",
       .source = "description: \"`zero-point` is usually not used in the case of float8 "
                 "and 4-bit types quantization, but the dequantization formula remains "
                 "the same for consistency\"",
       .since_versions = Since(19),
       .readings =
           {{"canonical", "the exact difference, then the product", true},
            {"difference_in_float", "d is rounded to FLOAT"},
            {"difference_in_p", "d is rounded to P"},
            {"difference_in_x_type", "d is rounded to the type of x, saturating"},
            {"difference_in_x_type_overflowing",
             "d is rounded to the type of x, to its Inf or NaN where it overflows"},
            {"zero_point_ignored", "d = x"},
            {"refused", "models with such a zero point are not taken"}},
       .tests = {"FloatX.ZeroPoint_IsSubtractedExactly", "FloatX.DifferenceInTheTypeOfX",
                 "FloatX.SpecialZeroPoints_FollowIeee"},
       .feature = kFeatureZeroPoint},
      {.id = "DQ-09",
       .text = "Zero, negative, subnormal, Inf and NaN scales are computed as IEEE 754 "
               "says, and nothing is flushed to zero. Tier `degenerate_scale`.",
       .source = "silent: no version restricts x_scale; that nothing is flushed is this "
                 "project's norm",
       .since_versions = All(),
       .tests = {"Scale.Degenerate_FollowsIeee", "DequantizeTier.OfEachKindOfQuestion"},
       .tier = Tier::kDegenerateScale},
      {.id = "DQ-10",
       .kind = kParametric,
       .text = "d = 0 of an integer x: +0 for s > 0, -0 for s < 0 by IEEE 754. A product "
               "of other d that is rounded to zero keeps its sign.",
       .source = "silent",
       .since_versions = All(),
       .readings = {{"canonical", "by IEEE 754", true},
                    {"zero_sign_dropped", "+0 for -0"}},
       .tests = {"Scale.SignOfAZeroDifference"},
       .feature = kFeatureZeroResult},
      {.id = "DQ-11",
       .kind = kParametric,
       .text = "FLOAT8E8M0 scale: the value is 2^(code - 127), code 0xFF is NaN. FLOAT "
               "and BFLOAT16 hold every such scale, 2^-127 as a subnormal; FLOAT16 holds "
               "those from 2^-24 to 2^15. Whether d and s are converted to P before the "
               "product is not said, as in DQ-04.",
       .source = "T2 since 24 allows FLOAT8E8M0; OCP Microscaling Formats 1.0, E8M0; "
                 "description since 23: \"The output type also determines the precision "
                 "of the multiplication operation\"",
       .since_versions = Since(24),
       .readings = {{"canonical", "round_P(d * s), once", true},
                    {"operands_in_p", "d and s are converted to P first"},
                    {"difference_in_p", "only d is"},
                    {"scale_in_p", "only s is"},
                    {"f32_product", "the product is rounded to FLOAT, then to P"}},
       .tests = {"Product.Float8E8M0Scale_IsAPowerOfTwo",
                 "Product.Float8E8M0Scale_ThatPDoesNotHold"}},
      {.id = "DQ-12",
       .kind = kParametric,
       .text = "FLOAT6 x: the code's exact value; all 64 codes are numbers. Otherwise as "
               "DQ-07, and as DQ-08 with another zero point.",
       .source = "T1 since 28; technical page float6",
       .since_versions = Since(28),
       .readings = {{"canonical", "the sign of a zero y is that of IEEE 754", true},
                    {"zero_sign_dropped", "+0 for -0"}},
       .tests = {"FloatX.AllCodes_AreTheirValueTimesTheScale", "FloatX.SignOfZero"},
       .feature = kFeatureZeroResult},
      {.id = "DQ-13",
       .text =
           "Tiers, by the given operands and by those rounded to P: `subnormal` where s, "
           "round_P(s) or the product is subnormal in P, or the product underflows; "
           "`conversion_range` where round_P(s) or round_P(d) overflows or becomes 0; "
           "`degenerate_scale` as DQ-09 has it.",
       .source = "a rule of the project, as G-02",
       .since_versions = All(),
       .tests = {"DequantizeTier.OfEachKindOfQuestion"}},
  };
}

std::vector<Clause> ModelClauses() {
  return {
      {.id = "DQ-14",
       .kind = kFree,
       .text = "x_scale and x_zero_point of different shapes: a scalar and [1], or a 1-D "
               "scale with a scalar zero point. Accepted with the plain meaning, or "
               "refused.",
       .source = "description: \"`x_scale` and `x_zero_point` must have the same "
                 "shape\"; six of ONNX's own node tests give a scalar scale with a [1] "
                 "zero point",
       .since_versions = All(),
       .tests = {"DequantizeValidate.ZeroPointOfAnotherShape"}},
      {.id = "DQ-30",
       .text = "Output type: `output_dtype` if given and not 0, else the type of "
               "x_scale. FLOAT in 10 and 13.",
       .source = "output y since 23: \"The data type is specified by the `output_dtype` "
                 "attribute or, in its absence, the type of `x_scale`\"; before: type "
                 "constraints",
       .since_versions = All(),
       .tests = {"DequantizeValidate.OutputType"}},
      {.id = "DQ-31",
       .text = "FLOAT8E8M0 scale without `output_dtype`: y would have a type that is not "
               "in T3. An invalid model: a backend may refuse it, or be lax.",
       .source = "T3 since 24 has no FLOAT8E8M0; description: \"If `output_dtype` is not "
                 "supplied then the output type is the same as `x_scale`\"",
       .since_versions = Since(24),
       .tests = {"DequantizeValidate.OutputType"}},
      {.id = "DQ-32",
       .text = "`output_dtype` other than 0, FLOAT, FLOAT16 and BFLOAT16: an invalid "
               "model. A backend may refuse it, or be lax.",
       .source = "T3 since 23",
       .since_versions = Since(23),
       .tests = {"DequantizeValidate.OutputType"}},
      {.id = "DQ-33",
       .text = "Granularity by x_scale's shape: scalar per tensor; 1-D of length D_axis "
               "per axis (since 13); x's rank with ceil(D_axis/B) at `axis` blocked, B = "
               "`block_size` (since 21), where the last block may be partial. `axis` is "
               "in [-r, r-1], default 1. x may have any rank, and dimensions of 0.",
       .source = "description: \"determining the quantization's granularity\"; since 21 "
                 "also \"See QuantizeLinear for details on quantization granularity\"; "
                 "attributes `axis`, `block_size`",
       .since_versions = All(),
       .tests = {"DequantizeGranularity.EveryAxisFromBothEnds",
                 "DequantizeGranularity.Blocks_LastOnePartial",
                 "DequantizeGranularity.EmptyTensorsAndScalars"}},
      {.id = "DQ-34",
       .kind = kParametric,
       .text = "Accepted with the plain meaning, or refused: the shapes and attributes "
               "of QL-33, but for x of rank 1. A scale [D0] with axis 0 or -1 is per "
               "axis there, and open in 19 only; blocks of rank 1 are legal. Since 21 a "
               "refusal of such models is recorded, not counted. The default axis, 1, is "
               "out of range for rank 1, and open.",
       .source = "attribute `axis` of 19: \"When the rank of the input is 1, per-tensor "
                 "quantization is applied\"; 13 and those since 21 do not say it of this "
                 "operator; since 21 \"See QuantizeLinear for details on quantization "
                 "granularity\", whose axis has the sentence",
       .since_versions = All(),
       .readings = {{"canonical", "accepted with the plain meaning", true},
                    {"refused", "such models are not taken"}},
       .tests = {"DequantizeGranularity.Rank1", "DequantizeValidate.Open"}},
      {.id = "DQ-36",
       .text = "Invalid models: those of QL-34; x_zero_point of another type than x; a "
               "type or attribute that the version does not have. A backend may refuse "
               "them, or be lax; it must not crash.",
       .source = "description: \"`x_zero_point` and `x` must have the same type\"; "
                 "attributes and type constraints",
       .since_versions = All(),
       .tests = {"DequantizeValidate.Invalid"}},
      {.id = "DQ-50",
       .text = "x and x_zero_point of 4, 2 and 6 bits are packed as QL-50 and QL-52 "
               "say, in the order of elements whatever the rows. Unused bits of the last "
               "byte must not matter.",
       .source = "technical pages int4, int2, float4, float6; onnx.proto, raw_data",
       .since_versions = Since(21),
       .tests = {"DequantizeGranularity.PackedX_UnusedBitsDoNotMatter"}},
  };
}

}  // namespace

std::vector<Clause> AllClauses() {
  std::vector<Clause> clauses;
  for (const std::vector<Clause>& part :
       {ProductClauses(), ValueClauses(), ModelClauses()}) {
    clauses.insert(clauses.end(), part.begin(), part.end());
  }
  return clauses;
}

}  // namespace qconform::dequantize_linear
