#include "oracle/operators/q_linear_conv/clauses.h"

namespace qconform::q_linear_conv {

// ONNX's text has no formula, no rounding, no saturation rule and no padding rule: most
// of this is read from the operators of its family.
std::vector<Clause> AllClauses() {
  const std::vector<int> since{10};
  return {
      {.id = "QC-01",
       .kind = ClauseKind::kParametric,
       .text = "How the requantized v becomes a code. The oracle rounds it to the "
               "nearest integer, ties to even, adds y_zero_point, and saturates to the "
               "range of y. Two results differ only where v, or v + y_zero_point, is a "
               "tie. P is the type in which v was computed; an exact v is added to "
               "exactly, the ends of `float_conv` (QC-04) in FLOAT.",
       .source = "silent; QuantizeLinear and QLinearMatMul: \"For (x / y_scale), it's "
                 "rounding to nearest ties to even\"; ONNX's reference implementation "
                 "adds the zero point first",
       .since_versions = since,
       .readings = {{"canonical", "saturate(rne(v) + y_zero_point)", true},
                    {"ties_away", "saturate(round(v) + y_zero_point), ties away from 0"},
                    {"ties_up",
                     "saturate(floor(v + 1/2) + y_zero_point), with no rounding in "
                     "v + 1/2"},
                    {"zero_point_before_rounding", "saturate(rne(P(v + y_zero_point)))"},
                    {"zero_point_before_rounding_ties_away",
                     "saturate(round(P(v + y_zero_point))), ties away from 0"}},
       .tests = {"QLinearConv.Roundings", "QLinearConv.BothEndsOfTheRange_Saturate",
                 "Target.ZeroPointBeforeRounding_MovesTies",
                 "Target.ZeroPointBeforeRounding_IsAddedInP",
                 "Target.TiesUp_GoToTheLargerValue"},
       .feature = kFeatureTie},
      {.id = "QC-02",
       .text = "The sum of (x - x_zero_point) * (w - w_zero_point) is exact if it lies "
               "in [-2^31, 2^31-1], by the geometry of QC-05. 16-bit saturating "
               "intermediates are a deviation (`int16_saturating_products`).",
       .source = "silent; ConvInteger: \"The production MUST never overflow. The "
                 "accumulation may overflow if and only if in 32 bits\"",
       .since_versions = since,
       .tests = {"QLinearConv.NodeTest",
                 "QLinearConv.PairsOfProducts_NeedMoreThan16Bits"}},
      {.id = "QC-02b",
       .kind = ClauseKind::kFree,
       .text =
           "An exact sum outside INT32, before or after the bias is added: the oracle "
           "requantizes the sum with the bias modulo 2^32, two's complement. Free "
           "within the tier `accumulator_overflow`; the report says which was seen: "
           "modulo, wide, saturating, other.",
       .source = "silent; ConvInteger: \"The accumulation may overflow if and only if in "
                 "32 bits\"",
       .since_versions = since,
       .tests = {"QLinearConv.SumsBeyondInt32_AreFree",
                 "QLinearConvOperator.AccumulatorsAreKnown"},
       .tier = Tier::kAccumulatorOverflow},
      {.id = "QC-03",
       .text = "B, if it is there, is INT32 and is added to the sum before "
               "requantization: its scale is x_scale * w_scale[m], its zero point 0.",
       .source = "input B: \"Bias must be quantized using scale = x_scale * w_scale and "
                 "zero_point = 0\"",
       .since_versions = since,
       .tests = {"QLinearConv.BiasIsAddedBeforeRequantization"}},
      {.id = "QC-04",
       .kind = ClauseKind::kParametric,
       .text =
           "Requantization: v = C * x_scale * w_scale[m] / y_scale, C with its bias; the "
           "text names no precision. Readings are those of QLinearMatMul, channel by "
           "channel: a is x_scale, b is w_scale[m], y is y_scale, f32(...) rounds to "
           "FLOAT, f64(...) to DOUBLE. Also admissible, bounded: `float_conv`, operands "
           "and bias dequantized to FLOAT, summed in any order, divided: |v' - v| <= "
           "gamma(n+3) * (sum|X_i W_i| + |B|) * |a b / y|, gamma(n) = n u / (1 - n u), u "
           "= 2^-24, n = C / group * kernel volume, plus 1 with a bias. If (sum|X_i W_i| "
           "+ |B|) a' b' <= 2^24 (a', b': odd parts of the significands of a, b), in "
           "FLOAT's normal range, no sum is rounded: gamma(1) in place of gamma(n+3), "
           "and v' = v if y is a power of two. Outside of all these, but within one code "
           "of the oracle's answer, and where v is not an integer: "
           "`unspecified_requantization`, as of fixed-point multipliers, two roundings "
           "and reciprocals. That is open and is reported with its count; nobody is "
           "accused by it, and nothing is recommended. If v is an integer, there is "
           "nothing to be rounded. Two codes or more are a deviation.",
       .source = "silent; \"When bias is present it must be quantized using scale = "
                 "input scale * weight scale\"",
       .since_versions = since,
       .readings = {{"canonical", "v exact", true},
                    {"f32_multiplier_ab_first", "m = f32(f32(a*b)/y), v = f32(f32(C)*m)"},
                    {"f32_multiplier_by_first", "m = f32(a*f32(b/y)), v = f32(f32(C)*m)"},
                    {"f32_multiplier_ay_first", "m = f32(f32(a/y)*b), v = f32(f32(C)*m)"},
                    {"f32_dequantize_quantize", "v = f32(f32(f32(f32(C)*a)*b)/y)"},
                    {"f32_dequantize_quantize_b_first",
                     "v = f32(f32(f32(f32(C)*b)*a)/y)"},
                    {"f32_combined_dequantize_quantize",
                     "v = f32(f32(f32(C)*f32(a*b))/y)"},
                    {"f64_product_ab_first", "m = f32(f32(a*b)/y), v = f64(C*m)"},
                    {"f64_product_by_first", "m = f32(a*f32(b/y)), v = f64(C*m)"},
                    {"f64_product_ay_first", "m = f32(f32(a/y)*b), v = f64(C*m)"},
                    {"f64_chain", "v = f64(f64(f64(C*a)*b)/y)"},
                    {"f64_chain_b_first", "v = f64(f64(f64(C*b)*a)/y)"}},
       .tests = {"QLinearConv.EachChannelHasItsScale",
                 "QLinearConvReadings.AreThoseOfTheLedger",
                 "QLinearConvReadings.EachFollowsItsFormula",
                 "QLinearConvBounds.FloatConv_HoldsTheMachinesAnswers",
                 "QLinearConvBounds.FloatConv_IsExactWhereNothingIsRounded",
                 "QLinearConvBounds.Unspecified_IsOneCodeUnlessVIsWhole"}},
      {.id = "QC-05",
       .text = "Geometry as ConvInteger's: out = floor((in + pads - ((k - 1) * dilation "
               "+ 1)) / stride) + 1 along each spatial axis; kernel_shape absent: w's; "
               "auto_pad SAME_UPPER, SAME_LOWER: out = ceil(in / stride), the odd pad at "
               "the end, at the beginning; group: output channels from g * M / group on "
               "are made of the channels of x from g * C / group on. Padded positions "
               "contribute 0: x is padded with x_zero_point. Free: auto_pad other than "
               "NOTSET beside pads; an empty x, w or y.",
       .source = "attributes; ONNX's shape inference. Of padding the text is silent: "
                 "ONNX's reference implementation pads after the subtraction, and "
                 "ConvInteger's node test with padding has it so",
       .since_versions = since,
       .tests = {"ConvolutionGeometry.SizesAndPadsOfOneAxis",
                 "ConvolutionGeometry.Models", "ConvolutionGeometry.Windows",
                 "QLinearConv.PaddedPositions_ContributeNothing",
                 "QLinearConv.ThreeSpatialAxesAndGroups",
                 "QLinearConvModels.Qc05AndQc06_AreOpenAndAnswered"}},
      {.id = "QC-06",
       .text = "w_scale and w_zero_point: scalars, or [M] by output channel, of one "
               "shape; those of x and y: scalars. [1] for both of a pair where scalars "
               "are meant (of w: where M is not 1): accepted with the plain meaning, or "
               "refused.",
       .source = "description: \"Each scale and zero-point pair must have same shape\"; "
                 "inputs x_scale, y_scale: \"It's a scalar\", w_scale: \"a scalar or a "
                 "1-D tensor [...] its number of elements should be equal to the number "
                 "of output channels (M)\"",
       .since_versions = since,
       .tests = {"QLinearConv.EachChannelHasItsScale",
                 "QLinearConvModels.Qc05AndQc06_AreOpenAndAnswered"}},
      {.id = "QC-07",
       .text = "y has the type of y_zero_point. All combinations of INT8 and UINT8 for "
               "x, w and y are legal.",
       .source = "type constraints T1, T2, T3; shape inference: y has the type of input "
                 "7",
       .since_versions = since,
       .tests = {"QLinearConv.AllTypes_AtTheirEnds"}},
      {.id = "QC-08",
       .text = "Zero, negative, NaN, Inf and subnormal scales: extended reals, left to "
               "right C * x_scale * w_scale / y_scale (0*Inf, 0/0 and Inf/Inf give NaN, "
               "x/0 gives Inf). NaN to an integer is any code, Inf saturates. Tier "
               "`degenerate_scale`, also where x_scale * w_scale or the multiplier "
               "overflows, underflows or is subnormal in FLOAT, or where operands or a "
               "bias that are dequantized to FLOAT first, their products or a sum of n "
               "of these may: |X| and |W| are below 2^8, n = C / group * kernel volume. "
               "There `float_conv` also holds what FLOAT makes of these.",
       .source = "silent; IEEE 754",
       .since_versions = since,
       .tests = {"QLinearConv.DegenerateScales_AreExtendedReals",
                 "QLinearConvBounds.FloatConv_HoldsWhatLeavesTheRange"},
       .tier = Tier::kDegenerateScale},
      {.id = "QC-09",
       .text = "Invalid models: an input other than B that is missing, another type than "
               "INT8 or UINT8 of x, w or y_zero_point, than FLOAT of a scale, than INT32 "
               "of B, a zero point of another type than its tensor, a scale and a zero "
               "point of different shapes, w's of another length than M, vectors for x "
               "or y, B of another shape than [M], and the models that ConvInteger's "
               "CI-06 has. A backend may refuse them, or be lax; it must not crash. A "
               "scalar and [1] in one pair: refused, or the one value that both have.",
       .source = "type constraints; descriptions of inputs and attributes; ONNX's shape "
                 "inference",
       .since_versions = since,
       .tests = {"QLinearConvModels.Qc09_IsInvalid", "ConvolutionGeometry.Models",
                 "QLinearConvModels.Qc05AndQc06_AreOpenAndAnswered"}},
  };
}

}  // namespace qconform::q_linear_conv
