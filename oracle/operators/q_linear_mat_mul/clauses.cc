#include "oracle/operators/q_linear_mat_mul/clauses.h"

namespace qconform {
namespace {

std::vector<int> Both() { return {10, 21}; }
std::vector<int> Since21() { return {21}; }

constexpr ClauseKind kParametric = ClauseKind::kParametric;
constexpr ClauseKind kFree = ClauseKind::kFree;
constexpr ClauseKind kBounded = ClauseKind::kBounded;

std::vector<Clause> IntegerClauses() {
  return {
      {.id = "MM-01",
       .text =
           "Integer operands: A = a - a_zero_point and B = b - b_zero_point are exact, "
           "and so are their products. If the exact C = A x B lies in [-2^31, 2^31-1], C "
           "is exact; wrapped intermediates are invisible. 16-bit saturating "
           "intermediates are a deviation (`int16_saturating_products`). K = 0 gives C = "
           "0, so y = y_zero_point; M or N of 0, or an empty batch, gives an empty y. "
           "Shapes are numpy.matmul's.",
       .source =
           "description: \"Matrix product that behaves like numpy.matmul\", \"Production "
           "must never overflow, and accumulation may overflow if and only if in 32 "
           "bits\"",
       .since_versions = Both(),
       .tests = {"MatMulAccumulator.IntegerProducts_AreExact",
                 "MatMulAccumulator.EmptyDimensions_GiveZeroOrNothing",
                 "MatMulShapes.FollowNumpyMatmul"}},
      {.id = "MM-01b",
       .kind = kFree,
       .text = "Exact C outside INT32: the oracle answers C modulo 2^32, two's "
               "complement. Free within the tier `accumulator_overflow`; the report says "
               "which was seen: modulo, wide, saturating, other.",
       .source = "description: \"accumulation may overflow if and only if in 32 bits\"",
       .since_versions = Both(),
       .tests = {"MatMulAccumulator.BeyondInt32_IsModuloAndFree"},
       .tier = Tier::kAccumulatorOverflow},
      {.id = "MM-02",
       .kind = kParametric,
       .text =
           "Requantization: v = C * a_scale * b_scale / y_scale; the text names no "
           "precision. Below, a, b and y are the scales and f32(...) rounds to FLOAT, "
           "f64(...) to DOUBLE. Also admissible, bounded: `float_matmul`, both operands "
           "dequantized to FLOAT, summed in any order, divided: |v' - v| <= gamma(K+3) * "
           "sum|A_i B_i| * |a b / y|. Of integers with sum|A_i B_i| a' b' <= 2^24 (a', "
           "b': odd parts of the significands of a, b), in FLOAT's normal range, no sum "
           "is rounded: gamma(1) in place of gamma(K+3), and v' = v where y is a power "
           "of two. FLOAT16, BFLOAT16 scales also: `scale_type_matmul`, operands "
           "dequantized in the scales' type T, a' = round_T(A a), b' = round_T(B b); of "
           "float8 operands with a zero point, A and B may be rounded to T first. These "
           "are known, and so is S = sum a' b'. It is formed in FLOAT or better in any "
           "order, so |S' - S| <= ((1+u)^K - 1) * sum|a' b'|, u = 2^-24, or S' = S where "
           "FLOAT holds every partial sum; then v = S' / y, where S' and v may each be "
           "rounded to T, throughout. What leaves the range of T or FLOAT is NaN or Inf "
           "as MM-20 has it, in every tier. Sums in T are a deviation for integers: "
           "accumulation is in 32 bits (MM-01). Multiplying by 1/y and fixed-point "
           "multipliers are deviations where they leave these bounds. The division by y "
           "is last, as the text has it; the order of C, a and b it does not name.",
       .source =
           "description: \"The quantization formula is y = saturate((x / y_scale) + "
           "y_zero_point)\"; x is not defined further",
       .since_versions = Both(),
       .readings =
           {{"canonical", "v exact", true},
            {"f32_multiplier_ab_first", "m = f32(f32(a*b)/y), v = f32(f32(C)*m)"},
            {"f32_multiplier_by_first", "m = f32(a*f32(b/y)), v = f32(f32(C)*m)"},
            {"f32_multiplier_ay_first", "m = f32(f32(a/y)*b), v = f32(f32(C)*m)"},
            {"f32_dequantize_quantize", "v = f32(f32(f32(f32(C)*a)*b)/y)"},
            {"f32_dequantize_quantize_b_first", "v = f32(f32(f32(f32(C)*b)*a)/y)"},
            {"f32_combined_dequantize_quantize", "v = f32(f32(f32(C)*f32(a*b))/y)"},
            {"f64_product_ab_first", "m = f32(f32(a*b)/y), v = f64(C*m)"},
            {"f64_product_by_first", "m = f32(a*f32(b/y)), v = f64(C*m)"},
            {"f64_product_ay_first", "m = f32(f32(a/y)*b), v = f64(C*m)"},
            {"f64_chain", "v = f64(f64(f64(C*a)*b)/y)"},
            {"f64_chain_b_first", "v = f64(f64(f64(C*b)*a)/y)"},
            {"scale_type_multiplier_ab_first",
             "FLOAT16, BFLOAT16 scales: m as in f32_multiplier_ab_first, but rounded to "
             "the scales' type; v = f32(f32(C)*m)"},
            {"scale_type_multiplier_by_first", "the same with a*(b/y)"},
            {"scale_type_multiplier_ay_first", "the same with (a/y)*b"},
            {"scale_type_multiplier_ab_first_in_double",
             "FLOAT16, BFLOAT16 scales: m rounded to the scales' type, v = f64(C*m)"},
            {"scale_type_multiplier_by_first_in_double", "the same with a*(b/y)"},
            {"scale_type_multiplier_ay_first_in_double", "the same with (a/y)*b"}},
       .tests = {"MatMulRequantization.EachReading_FollowsItsFormula",
                 "MatMulRequantization.Canonical_IsExact",
                 "MatMulReadings.EachPairDiffersSomewhere",
                 "MatMulBounds.FloatMatMul_HoldsTheMachinesAnswers",
                 "MatMulReach.ScaleTypeMatMul_HoldsWhatHalfTypesMake"}},
      {.id = "MM-03",
       .text = "Integer y: rne(v), then y_zero_point is added, then saturated (as QL-10, "
               "QL-11). Float8 y, any operands: v + zp by QL-24, rounded once by QL-20 "
               "with saturation; the operator has no `saturate`.",
       .source =
           "description: \"For (x / y_scale), it's rounding to nearest ties to even\"",
       .since_versions = Both(),
       .tests = {"MatMulTarget.IntegerY_RoundsBeforeTheZeroPoint",
                 "MatMulTarget.Float8Y_IsRoundedOnceAndSaturates"}},
      {.id = "MM-04",
       .text = "Scales and zero points: per tensor (scalar or [1]); per row for a: [M] "
               "for 2-D operands, [...,M,1] with the operand's own batch dimensions; per "
               "column for b: [N], [...,1,N]. Also where M = K or N = K: a is always "
               "rows, b always columns. 1-D operands: per tensor only.",
       .source = "description: \"a scalar (per tensor) or an N-D tensor (per row for 'a' "
                 "and per column for 'b')\"; its K element vector for b is read as N",
       .since_versions = Both(),
       .tests = {"MatMulShapes.RowsOfAAndColumnsOfB_HaveTheirScales",
                 "MatMulValidate.Mm04_IsLegal"}},
      {.id = "MM-05",
       .kind = kFree,
       .text = "Granularity of y_scale and y_zero_point other than per tensor: refused, "
               "or per row, which is what the oracle answers.",
       .source = "old releases: 1-D for \"'a' and output 'y'\"; now silent",
       .since_versions = Both(),
       .tests = {"MatMulValidate.Mm05AndMm06_AreOpenAndAnswered"}},
      {.id = "MM-06",
       .kind = kFree,
       .text = "A 1-D vector for an operand of rank above 2; broadcast or missing batch "
               "dimensions of a scale; scalar against [1]; vector scale with scalar zero "
               "point: accepted with the plain meaning, or refused.",
       .source = "description: \"Scale and zero point must have same shape\"; the "
                 "examples are 2-D and N-D",
       .since_versions = Both(),
       .tests = {"MatMulValidate.Mm05AndMm06_AreOpenAndAnswered"}},
      {.id = "MM-07",
       .text = "Invalid models: an operand of rank 0, K that does not match, batches "
               "that do not broadcast, scales not all of one TS, a zero point of another "
               "type than its tensor, any of the 8 inputs missing, a vector of wrong "
               "length, a type that the version does not have. A backend may refuse "
               "them, or be lax; it must not crash.",
       .source = "type constraints; numpy.matmul's rules",
       .since_versions = Both(),
       .tests = {"MatMulValidate.Mm07_IsInvalidAndRefused"}},
  };
}

std::vector<Clause> FloatClauses() {
  return {
      {.id = "MM-10",
       .kind = kBounded,
       .text = "a or b float8, integer with float8 included: no accumulation type is "
               "named. The oracle answers from the exact sum of exact products, without "
               "modulo. Admissible: |C' - C| <= gamma(n) * sum|A_i B_i| with gamma(n) = "
               "n u / (1 - n u), u = 2^-24, n = K where both zero points are 0, else K + "
               "2; then any reading of MM-02. Outside it, but within K * 2^-10 * sum|A_i "
               "B_i|, every element of a tier is admissible by "
               "`MM-10:reduced_precision_accumulation`, as sums in FLOAT16 are: no fault "
               "by the text, but a wide bound, which hides small errors. Who reads a "
               "report should look at cells that pass by this name.",
       .source = "since 21: float8 in T1 and T2; the sentence on accumulation speaks of "
                 "integers",
       .since_versions = Since21(),
       .tests = {"MatMulAccumulator.Float8Products_AreExact",
                 "MatMulBounds.Float8_HoldAnyOrderOfFloatSums",
                 "MatMulBounds.Canonical_LiesInside"}},
      {.id = "MM-11",
       .text =
           "NaN product, Inf * 0, or +Inf and -Inf together (also in a - a_zero_point): "
           "C = NaN; else any Inf product gives that Inf. NaN: NaN in float8 y, QL-12 in "
           "integer y. Inf: QL-11, QL-21, and QL-22 as since 21: NaN in the FNUZ "
           "formats, or `fnuz_infinity_largest`.",
       .source = "technical page float8; IEEE 754",
       .since_versions = Since21(),
       .tests = {"MatMulAccumulator.SpecialValues_FollowIeee"}},
      {.id = "MM-11b",
       .kind = kParametric,
       .text = "FLOAT8E5M2 y and v = +-Inf.",
       .source = "no `saturate` here; QuantizeLinear's default saturates",
       .since_versions = Since21(),
       .readings = {{"canonical", "+-57344", true}, {"e5m2_infinity", "+-Inf"}},
       .tests = {"MatMulTarget.InfinityToE5m2_HasAReading"},
       .feature = kFeatureInfinity},
      {.id = "MM-12",
       .kind = kFree,
       .text = "Sign of a zero float8 result: the oracle answers +0, for K = 0, "
               "cancellation and what rounds to zero alike; either sign is as good.",
       .source = "silent",
       .since_versions = Since21(),
       .tests = {"MatMulTarget.ZeroFloat8Result_HasNoSign"}},
      {.id = "MM-20",
       .text =
           "Zero, negative, NaN, Inf and subnormal scales: extended reals, left to right "
           "C * a_scale * b_scale / y_scale (0*Inf, 0/0 and Inf/Inf give NaN, x/0 gives "
           "Inf). Tier `degenerate_scale`, also where a_scale * b_scale or the "
           "multiplier overflows, underflows or is subnormal in the scales' type or in "
           "FLOAT, or where operands that are dequantized to FLOAT first (MM-02), their "
           "products or a sum of K of these may: |A| and |B| are from 1 to 2^8 for "
           "integers, from 2^-17 to 2^17 for float8, where they are not 0. There "
           "`float_matmul` (MM-02) and the bound of MM-10 also hold what FLOAT makes of "
           "a' = f32(A a), b' = f32(B b), p = f32(a' b') and their sum S in any order; "
           "products and sums may be wider. S = NaN: a p is NaN, or +Inf and -Inf arise. "
           "S = Inf of a sign: a p is that, or the p of that sign add up to 2^128 - "
           "2^103 or more, unless an infinite a' or b' makes a p the other Inf. Where "
           "all a' and b' are finite, S is also C a b within the bound, a rounding to a "
           "result below 2^-126 that is no multiple of 2^-149 counting 2^-150 in place "
           "of a factor. v = S / y. K = 0: S = 0. The bound is admissible there only if "
           "it holds all of the cell's tier `regular`, too.",
       .source = "silent; IEEE 754; MM-02 allows operands to be dequantized first",
       .since_versions = Both(),
       .tests = {"MatMulScales.Degenerate_AsExtendedReals", "MatMulScales.Tier",
                 "MatMulReach.HoldsWhatTheMachineMakesOfAnyScales",
                 "MatMulReach.ArisesOnlyWhereTheRangeIsLeft",
                 "MatMulReach.NoTerms_AreZeroWhateverTheScalesAre"},
       .tier = Tier::kDegenerateScale},
  };
}

}  // namespace

std::vector<Clause> QLinearMatMulClauses() {
  std::vector<Clause> clauses = IntegerClauses();
  const std::vector<Clause> rest = FloatClauses();
  clauses.insert(clauses.end(), rest.begin(), rest.end());
  return clauses;
}

}  // namespace qconform
