#include "oracle/operators/quantize_linear/clauses.h"

#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {
namespace {

using Versions = std::vector<int>;

// The definitions from this one on.
Versions Since(int first) {
  Versions versions;
  for (const int version : QuantizeLinearSinceVersions()) {
    if (version >= first) versions.push_back(version);
  }
  return versions;
}
Versions All() { return Since(10); }

constexpr ClauseKind kParametric = ClauseKind::kParametric;
constexpr ClauseKind kFree = ClauseKind::kFree;

std::vector<Clause> QuotientClauses() {
  return {
      {.id = "QL-01",
       .text = "The division has a precision P. Where x and y_scale are both of type P, "
               "q = round_P(x / y_scale): true division, rounded once, ties to even, "
               "overflow to infinity. P's subnormals are kept, which is this project's "
               "norm: ONNX states no rule of flushing.",
       .source =
           "description since 23: \"The type of y_scale determines the precision of the "
           "division operation between x and y_scale\"; x / y_scale in the formula of "
           "all versions",
       .since_versions = All(),
       .tests = {"Quotient.SameTypes_IsRoundedOnceToTheirType",
                 "Quotient.RandomFloats_AgreeWithTheMachinesDivision",
                 "Quotient.AllFloat16X_AgreeWithASimpleEvaluation"}},
      {.id = "QL-02",
       .kind = kParametric,
       .text = "x and y_scale both FLOAT, before 23: nothing is said about the precision "
               "of their division. Multiplying by a reciprocal is a deviation.",
       .source = "description of 10 to 21: the formula, no precision named; ONNX's "
                 "reference and deployed kernels divide in FLOAT",
       .since_versions = {10, 13, 19, 21},
       .readings = {{"canonical", "P = FLOAT, the type of both", true},
                    {"f64_division", "P = DOUBLE"}},
       .tests = {"Quotient.FloatBefore23_MayBeDividedInDouble",
                 "Quotient.SameTypes_IsRoundedOnceToTheirType",
                 "Quotient.RandomFloats_AgreeWithTheMachinesDivision"}},
      {.id = "QL-03",
       .kind = kParametric,
       .text =
           "INT32 x with FLOAT scale: the type in which they are divided is not named.",
       .source = "type constraints of 10 and 13: x in T1 (FLOAT, INT32), y_scale FLOAT",
       .since_versions = {10, 13},
       .readings = {{"canonical", "P = FLOAT, x rounded to it first", true},
                    {"f64_division", "P = DOUBLE"},
                    {"unconverted_operands",
                     "the exact quotient, rounded once to FLOAT"}},
       .tests = {"Quotient.Int32OverFloat_ConvertsXFirst"}},
      {.id = "QL-04",
       .kind = kParametric,
       .text = "x and y_scale both FLOAT16, or both BFLOAT16, before 23: nothing is said "
               "about the precision of their division.",
       .source = "type constraint T1 of 19 and 21, which x and y_scale share",
       .since_versions = {19, 21},
       .readings = {{"canonical", "P = T1, the type of both", true},
                    {"f32_quotient", "P = FLOAT, as deployed kernels divide"},
                    {"f64_division", "P = DOUBLE"}},
       .tests = {"Quotient.F32QuotientReading_OnlyForHalfTypesSince19And21",
                 "Quotient.HalfTypesBefore23_MayBeDividedInDouble",
                 "Quotient.SameTypes_IsRoundedOnceToTheirType"}},
      {.id = "QL-05",
       .text = "P = `precision` where it is given and not 0, else the type of y_scale. A "
               "quotient of a wider type is a deviation (diagnoses `float_division`, "
               "`double_division`).",
       .source = "description since 23: \"The type of y_scale determines the precision "
                 "... unless the precision attribute is specified\"; attribute "
                 "`precision`. ONNX's reference divides in what numpy promotes both "
                 "types to, against this sentence",
       .since_versions = Since(23),
       .tests = {"Quotient.Precision_DecidesWhereGiven"}},
      {.id = "QL-06",
       .kind = kParametric,
       .text = "INT32 scale without `precision`: the precision of INT32 means nothing. "
               "Integer truncation of the quotient is a deviation.",
       .source =
           "T1 of 19 and 21, T2 since 23 allow INT32; the formula divides real numbers",
       .since_versions = Since(19),
       .readings =
           {{"canonical",
             "the exact quotient (x/0 = Inf of x's sign, 0/0 = NaN), rounded once to y",
             true},
            {"f32_quotient", "P = FLOAT"},
            {"x_type_division", "P = the type of x, where that is a float"}},
       .tests = {"Quotient.Int32OverInt32_IsExact",
                 "Quotient.Float16OverInt32_ReadingsDiffer",
                 "Float8Target.ExactQuotientAndZeroPoint_AreRoundedOnce"}},
      {.id = "QL-07",
       .kind = kParametric,
       .text =
           "FLOAT8E8M0 scale without `precision`: the type has no significand to divide "
           "in. Code 0xFF is NaN and 0x00 is 2^-127; there is no zero, sign or infinity, "
           "and nothing is ever rounded to it.",
       .source = "T2 since 24 allows FLOAT8E8M0 and is silent about P; OCP Microscaling "
                 "Formats 1.0, E8M0; ONNX's reference divides INT32 x in DOUBLE",
       .since_versions = Since(24),
       .readings =
           {{"canonical",
             "P = FLOAT, which holds every scale and every float x; INT32 x is rounded "
             "to it",
             true},
            {"x_type_division", "P = the type of x, where that is a float"},
            {"f64_division",
             "INT32 x: P = DOUBLE, which holds it and the quotient, as QL-03 has it"}},
       .tests = {"Quotient.Float8E8M0Scale_IsAPowerOfTwo",
                 "Quotient.Int32OverFloat8E8M0_MayBeDividedInDouble",
                 "Quotient.Float8E8M0Scale_XTypeDivisionOverflowsInFloat16"}},
      {.id = "QL-08",
       .kind = kFree,
       .text =
           "`precision` other than 0, FLOAT, FLOAT16, BFLOAT16 and DOUBLE: accepted or "
           "refused. The oracle answers as if it were not there.",
       .source = "attribute `precision` since 23: no set of values is given",
       .since_versions = Since(23),
       .tests = {"Quotient.UnknownPrecision_ActsAsNone",
                 "Validate.OtherOpenAttributes_NameTheirClause"}},
      {.id = "QL-09",
       .kind = kParametric,
       .text = "x or y_scale is not of type P: whether they are converted before the "
               "division is not said.",
       .source =
           "description since 23: \"x and y_scale are allowed to have different types\"",
       .since_versions = Since(23),
       .readings =
           {{"canonical",
             "both are converted to P first: nearest even, out of range gives +-Inf, "
             "subnormals kept",
             true},
            {"unconverted_operands",
             "the quotient of the unconverted operands, rounded once to P"}},
       .tests = {"Quotient.OperandsOfOtherTypes_AreConvertedToP",
                 "Quotient.ConversionOutOfRange_IsInfinityOrZero"}},
  };
}

std::vector<Clause> IntegerClauses() {
  return {
      {.id = "QL-10",
       .text = "Integer targets: y = clamp(rne(q) + y_zero_point, qmin, qmax). Round "
               "first, then add, in exact integers; adding before rounding is a "
               "deviation (`zero_point_before_rounding`).",
       .source = "description: \"For (x / y_scale), it rounds to the nearest even\"",
       .since_versions = All(),
       .tests = {"IntegerTarget.RoundsBeforeTheZeroPointIsAdded",
                 "IntegerTarget.ZeroPointAtTheEnds_SaturatesAfterTheSum",
                 "Quotient.RandomFloats_AgreeWithTheMachinesDivision"}},
      {.id = "QL-11",
       .text = "Saturation is total: +Inf and every quotient above the range give qmax, "
               "-Inf and every quotient below it give qmin, however large.",
       .source = "description: \"y = saturate(...)\" and the list of ranges",
       .since_versions = All(),
       .tests = {"IntegerTarget.SaturatesHoweverLarge"}},
      {.id = "QL-12",
       .kind = kFree,
       .text = "NaN quotient (NaN x or scale, 0/0, Inf/Inf) to an integer: any code, "
               "which may depend on position and batch size. The oracle answers qmin. No "
               "other element may change.",
       .source = "silent",
       .since_versions = All(),
       .tests = {"IntegerTarget.NanQuotient_IsTheSmallestAndFree"}},
      {.id = "QL-13",
       .text = "Ranges: UINT16 [0,65535], INT16 [-32768,32767], UINT8 [0,255], INT8 "
               "[-128,127], UINT4 [0,15], INT4 [-8,7], UINT2 [0,3], INT2 [-2,1].",
       .source = "description: \"Saturation is done according to\"",
       .since_versions = All(),
       .tests = {"IntegerTarget.SaturatesHoweverLarge",
                 "Facts.OfIntegers_AreTheRangesOfQl13"}},
      {.id = "QL-14",
       .text = "Integer targets and FLOAT4E2M1 ignore `saturate`: 0 saturates too. "
               "Values other than 0 and 1 are free; the oracle takes them for 1.",
       .source =
           "attribute `saturate` since 19: \"It only applies for float 8 quantization\"; "
           "since 28: \"It has no effect for float4e2m1\"",
       .since_versions = Since(19),
       .tests = {"IntegerTarget.SaturateAttribute_IsIgnored",
                 "Validate.OtherOpenAttributes_NameTheirClause"}},
  };
}

std::vector<Clause> FloatClauses() {
  return {
      {.id = "QL-20",
       .text =
           "Float8 targets: the code is q rounded to the target's grid (nearest even, "
           "subnormals included), once, from q directly. Overflow is decided after "
           "rounding to the grid with unbounded exponent: `saturate`=1 gives the largest "
           "finite of its sign; 0 gives NaN of its sign in E4M3FN, Inf of its sign in "
           "E5M2, NaN in the FNUZ formats. What rounds to zero, and zero, is zero of q's "
           "sign in E4M3FN and E5M2, 0x00 in the FNUZ formats.",
       .source =
           "technical page float8, \"Cast\" and its two tables; attribute `saturate`",
       .since_versions = Since(19),
       .tests = {"Float8Target.GridOverflowAndZero",
                 "Float8Target.DoubleQuotient_IsRoundedOnce",
                 "Float8Target.AllCodes_AreTheirOwnQuantization",
                 "Round.EveryMidpointAndItsNeighbours_OfAllFormatsUpTo16Bits"}},
      {.id = "QL-20a",
       .kind = kParametric,
       .text = "Float types with two zeros: sign of a zero result where y_zero_point is "
               "zero, or missing, which is zero as well (QL-30): by the formula -0 + "
               "(+0) = +0. Whoever adds a missing one adds one that is present.",
       .source =
           "description since 19: \"the quantization formula remains the same for "
           "consistency\"; input y_zero_point: \"Default is uint8 with zero point of "
           "0\". "
           "ONNX's reference of 1.18 to 1.22 adds both, later ones add what is present",
       .since_versions = Since(19),
       .readings =
           {{"canonical", "the sign of q is kept", true},
            {"zero_point_added",
             "a zero point of zero that is present is added as any other: the sign of "
             "the sum that the reading of QL-24 forms"},
            {"missing_zero_point_added", "the same, and where it is missing, too"}},
       .tests = {"Float8Target.ZeroPointOfZero_KeepsTheSignOfQ",
                 "Float8Target.MissingZeroPoint_IsAZeroThatMayBeAdded"},
       .feature = kFeatureZeroResult},
      {.id = "QL-21",
       .text = "+-Inf, also where the quotient overflowed P: saturate=1 gives the "
               "largest finite in E4M3FN and E5M2; saturate=0 gives NaN in E4M3FN and "
               "the FNUZ formats, Inf in E5M2.",
       .source = "technical page float8, tables of Cast",
       .since_versions = Since(19),
       .tests = {"Float8Target.GridOverflowAndZero",
                 "Float8Target.QuotientThatOverflowsP_IsInfinity"}},
      {.id = "QL-22",
       .kind = kParametric,
       .text = "+-Inf with saturate=1 to the FNUZ formats: QuantizeLinear cites no "
               "table. The oracle follows that of the Cast of the definition's time.",
       .source = "Cast of 19, 21, 23 and technical page float8, tables with saturation: "
                 "NaN; Cast since 24: FLT_MAX of its sign",
       .since_versions = Since(19),
       .readings =
           {{"canonical",
             "since 19, 21, 23: NaN; since 24 and later: the largest finite of its sign",
             true},
            {"fnuz_infinity_largest", "since 19, 21, 23: the largest finite of its sign"},
            {"fnuz_infinity_nan", "since 24 and later: NaN"}},
       .tests = {"Float8Target.InfinityToFnuz_FollowsTheCastOfItsTime"},
       .feature = kFeatureInfinity},
      {.id = "QL-23",
       .text = "NaN gives NaN; any NaN code of the format equals any other.",
       .source = "technical page float8, tables of Cast",
       .since_versions = Since(19),
       .tests = {"Float8Target.AllCodes_AreTheirOwnQuantization",
                 "Float8Target.SpecialZeroPoints_FollowIeee"}},
      {.id = "QL-24",
       .kind = kParametric,
       .text =
           "A zero point other than zero (a -0 is zero; NaN and Inf follow IEEE 754): "
           "the text keeps the formula. Known implementations ignore it for float8; "
           "ONNX's reference adds it for FLOAT4E2M1.",
       .source = "description since 19: \"usually not used for quantization to float8 "
                 "types, but the quantization formula remains the same\"",
       .since_versions = Since(19),
       .readings = {{"canonical", "q + zp exactly, then the one rounding of QL-20", true},
                    {"zero_point_ignored", "the rounding of q alone"},
                    {"round_then_add", "round q to the target, add, round again"},
                    {"added_in_p", "round_P(q + zp), then rounded to the target"},
                    {"refused", "models with such a zero point are not taken"}},
       .tests = {"Float8Target.ZeroPoint_IsAddedExactlyAndRoundedOnce",
                 "Float8Target.ZeroPointAddedInP_RoundsTheSumToP",
                 "Float8Target.SpecialZeroPoints_FollowIeee",
                 "Float8Target.ExactQuotientAndZeroPoint_AreRoundedOnce"},
       .feature = kFeatureZeroPoint},
      {.id = "QL-25",
       .text = "FLOAT4E2M1: nearest even on its grid, saturating; +-Inf gives +-6. QL-24 "
               "says what a zero point other than zero does.",
       .source = "technical page float4; T3 since 23",
       .since_versions = Since(23),
       .tests = {"Float4Target.GridTiesAndSpecialValues",
                 "IntegerTarget.SaturateAttribute_IsIgnored"}},
      {.id = "QL-26",
       .kind = kParametric,
       .text = "FLOAT4E2M1: the sign of a zero result, and NaN. By the reading "
               "zero_sign_dropped every zero is +0, also one to which a small negative "
               "number rounds; the readings of QL-20a change exact zeros only. NaN is "
               "free (any code; the oracle answers +6).",
       .source = "technical page float4, table of Cast: +-0 is +-0, NaN is 6; "
                 "QuantizeLinear does not cite it",
       .since_versions = Since(23),
       .readings = {{"canonical", "-0 stays -0", true},
                    {"zero_sign_dropped", "+0 for -0"}},
       .tests = {"Float4Target.GridTiesAndSpecialValues"},
       .feature = kFeatureZeroResult},
      {.id = "QL-27",
       .text = "FLOAT6E2M3 and FLOAT6E3M2: q is rounded once to the target's grid, "
               "nearest even, subnormals included, saturating; +-Inf, also where the "
               "quotient overflowed P, gives +-7.5 and +-28. `saturate` has no effect. "
               "Rounding first to a format other than P is a deviation. QL-24 says what "
               "a zero point other than zero does.",
       .source = "technical page float6; T3 since 28; attribute `saturate` since 28: "
                 "\"It has no effect for float4e2m1, float6e2m3, or float6e3m2\"",
       .since_versions = Since(28),
       .tests = {"Float6Target.GridTiesAndSaturation",
                 "Float6Target.SaturateAttribute_IsIgnored",
                 "Float6Target.ZeroPoint_IsAddedExactlyAndRoundedOnce",
                 "Round.EveryMidpointAndItsNeighbours_OfAllFormatsUpTo16Bits"}},
      {.id = "QL-28",
       .kind = kParametric,
       .text = "FLOAT6E2M3 and FLOAT6E3M2: the sign of a zero result, and NaN. By the "
               "reading zero_sign_dropped every zero is +0, also one to which a small "
               "negative number rounds; the readings of QL-20a change exact zeros only. "
               "NaN is free (any code; the oracle answers -0, 0x20).",
       .source = "technical page float6, which gives -0 for NaN and calls it "
                 "unspecified; QuantizeLinear does not cite it",
       .since_versions = Since(28),
       .readings = {{"canonical", "-0 stays -0", true},
                    {"zero_sign_dropped", "+0 for -0"}},
       .tests = {"Float6Target.ZeroSignAndNan"},
       .feature = kFeatureZeroResult},
  };
}

std::vector<Clause> ModelClauses() {
  return {
      {.id = "QL-30",
       .text = "Output type: `output_dtype` if given and not 0 (it must equal "
               "y_zero_point's type if both are), else y_zero_point's type, else UINT8. "
               "A missing zero point (input absent, or its name empty) is 0.",
       .source = "attribute `output_dtype` since 21; input y_zero_point: \"Default is "
                 "uint8 with zero point of 0\"",
       .since_versions = All(),
       .tests = {"OutputType.FollowsQl30"}},
      {.id = "QL-31",
       .text =
           "Granularity by y_scale's shape: scalar per tensor; 1-D of length D_axis per "
           "axis (since 13); x's rank with ceil(D_axis/B) at `axis` blocked, B = "
           "`block_size` (since 21), where the last block may be partial. `axis` is in "
           "[-r, r-1], default 1.",
       .source = "description: \"three supported quantization granularities\"; "
                 "attributes `axis`, `block_size`",
       .since_versions = All(),
       .tests = {"Granularity.PerTensor_AllRanks",
                 "Granularity.PerAxis_EveryAxisFromBothEnds",
                 "Granularity.Blocked_PartialLastBlock",
                 "Granularity.Rank8_BlockedAndPerAxis"}},
      {.id = "QL-32",
       .text = "Legal: rank-0 or rank-1 x with a scalar scale and no `axis`; x with a "
               "dimension of 0; S_axis = 1 (rank 2 or more); block_size 1 with a scale "
               "of x's shape; a [1] scale where D_axis = 1 and rank is 2 or more; since "
               "13, 19: rank-1 x, axis 0 or -1, scale [D0].",
       .source = "description and attributes: follows from the shapes",
       .since_versions = All(),
       .tests = {"Validate.Ql32_IsLegal", "Granularity.BlockedOfOneAndOfAll",
                 "Granularity.EmptyTensors_AreLegal",
                 "Granularity.PerAxisOfRank1_Since13And19"}},
      {.id = "QL-33",
       .kind = kFree,
       .text = "Accepted with the plain meaning, or refused: scale of shape [1] where a "
               "scalar is meant; scalar scale with [1] zero point and the reverse; "
               "vector scale with scalar zero point; `axis` out of range with a scalar "
               "scale; since 21 rank-1 x with a scale [D0] (per axis 0), or in blocks; a "
               "1-D scale of length D_axis with block_size (per axis); block_size with a "
               "scalar scale, or below 0 with a scalar or 1-D scale; block_size above "
               "ceil(D/(S-1))-1; S = 1 with D = 0; a 1-D scale in since 10.",
       .source =
           "description since 21: \"When the rank of the input is 1, per-tensor "
           "quantization is applied\", \"y_zero_point must have the same shape as "
           "y_scale\"; "
           "eight of ONNX's own node tests give a scalar scale with a [1] zero point",
       .since_versions = All(),
       .tests = {"Validate.Ql33_IsOpenAndAnsweredWithThePlainMeaning",
                 "Validate.Ql33_ZeroPointOfAnotherShape"}},
      {.id = "QL-34",
       .text =
           "Invalid models: axis out of range where it is used (rank 2 or more); a 1-D "
           "scale whose length is not D_axis; a blocked scale of another rank or with "
           "another size off the axis; too few blocks; a scale of rank 2 or more with "
           "block_size 0; output_dtype that differs from y_zero_point's type or is no "
           "output type of the version; other shapes of y_zero_point; a type or "
           "attribute that the version does not have. A backend may refuse them, or be "
           "lax; it must not crash.",
       .source = "description, attributes and type constraints",
       .since_versions = All(),
       .tests = {"Validate.Ql34_IsInvalidAndRefused",
                 "Validate.TensorsWhoseBytesDoNotFit_AreInvalid"}},
      {.id = "QL-40",
       .text = "No requirement on y_scale's value: zero, negative, subnormal, NaN and "
               "Inf scales are computed as IEEE 754 says. Tier `degenerate_scale`.",
       .source =
           "silent; that nothing is flushed to zero is this project's norm (diagnosis "
           "`flushes_subnormal_scale`)",
       .since_versions = All(),
       .tests = {"DegenerateScale.AsIeee754Says", "Tier.OfEachKindOfQuestion"},
       .tier = Tier::kDegenerateScale},
      {.id = "QL-50",
       .text = "4-bit elements: two a byte, the first in the low nibble; 2-bit: four a "
               "byte, the first in the lowest bits.",
       .source = "technical pages int4, float4, int2; onnx.proto, raw_data",
       .since_versions = Since(21),
       .tests = {"Codes.FourBits_FirstElementIsTheLowNibble",
                 "Codes.TwoBits_FirstElementIsTheLowestBits",
                 "Codes.AllPositionsOfSubByteTypes_RoundTrip",
                 "Granularity.SubByteTensors_AreReadElementByElement"}},
      {.id = "QL-51",
       .kind = kFree,
       .text =
           "Elements of 2, 4 and 6 bits: unused bits of the last byte are nobody's "
           "element. ONNX's text speaks of serialized TensorProto bytes only (2 and 6 "
           "bits: zero). A backend's memory is none, so bits other than zero in the "
           "answer of a plugin or a worker are a note (`uninitialised_padding`), never "
           "a verdict.",
       .source = "technical pages int4, int2, float6; onnx.proto, raw_data",
       .since_versions = Since(21),
       .tests = {"Codes.FourBits_FirstElementIsTheLowNibble"}},
      {.id = "QL-52",
       .text = "6-bit elements in raw_data: a stream of bits, the lowest first, four "
               "elements in three bytes: b0 = x0 + 64 (x1 mod 4), b1 = x1 div 4 + 16 "
               "(x2 mod 16), b2 = x2 div 16 + 4 x3; ceil(6 n / 8) bytes, the unused bits "
               "of the last byte 0. The buffers of plugins and workers are laid out in "
               "the same way; QL-51 says what unused bits other than 0 come to there. In "
               "int32_data an entry holds one element in its bits 0 to 5, and the others "
               "must be 0; a reader ignores others, as it does those of an entry of "
               "packed 4-bit elements.",
       .source = "technical page float6; onnx.proto, raw_data and int32_data",
       .since_versions = Since(28),
       .tests = {"Codes.SixBits_AreAStreamOfBits",
                 "Codes.AllPositionsOfSubByteTypes_RoundTrip",
                 "Granularity.SubByteTensors_AreReadElementByElement"}},
  };
}

struct TargetRow {
  DataType type;
  TargetClauses clauses;
};

// Targets that have clauses of their own; others are integers or float8.
constexpr TargetRow kTargets[] = {
    {DataType::kFloat4E2M1, {"QL-25", "QL-26"}},
    {DataType::kFloat6E2M3, {"QL-27", "QL-28"}},
    {DataType::kFloat6E3M2, {"QL-27", "QL-28"}},
};

}  // namespace

TargetClauses ClausesOfTarget(DataType y) {
  for (const TargetRow& row : kTargets) {
    if (row.type == y) return row.clauses;
  }
  return IsInteger(y) ? TargetClauses{"QL-10", "QL-12"} : TargetClauses{"QL-20", "QL-23"};
}

std::vector<Clause> QuantizeLinearClauses() {
  std::vector<Clause> clauses;
  for (const std::vector<Clause>& part :
       {QuotientClauses(), IntegerClauses(), FloatClauses(), ModelClauses()}) {
    clauses.insert(clauses.end(), part.begin(), part.end());
  }
  return clauses;
}

}  // namespace qconform
