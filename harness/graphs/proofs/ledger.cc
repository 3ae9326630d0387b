// The rows of the ledger of rewrites, and their page.
#include <string>
#include <vector>

#include "harness/core/proofs/rewrite.h"
#include "harness/graphs/proofs/rows.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

using enum Exactness;

// Scales are FLOAT, finite and not 0 throughout, and one zero point belongs to each
// scale. d is a code less its zero point, s a scale, fl rounding to FLOAT.
constexpr Rewrite kRewrites[] = {
    {"drop_pair", "QuantizeLinear(DequantizeLinear(q)), one scale and zero point", "q",
     kExactIf,
     "d * s stays finite for every code but the least and the greatest of the type "
     "(integer types); q is no infinity (float types of 4, 6 and 8 bits, scales of a "
     "size from 2^-100 to 2^100)",
     "UINT8, INT8, UINT4, INT4, UINT2, INT2 with all codes and zero points; UINT16, "
     "INT16 with every seventh code and five zero points; scales of both signs from "
     "the least positive FLOAT to the greatest; all codes but NaN of the four FLOAT8 "
     "types, FLOAT6E2M3, FLOAT6E3M2 and FLOAT4E2M1, with scales of both signs at "
     "2^-100, 2^-90, from 0.01 to 9, 2^90 and 2^100; every significand of a FLOAT "
     "scale with each d from 1 to 255",
     "Sufficient: d * s is a multiple of 2^-149, so that small products are not "
     "rounded at all, and others have a relative error of at most 2^-24, as the "
     "division has. So fl(fl(d * s) / s) differs from d by less than |d| * 2^-22, "
     "which is below 1/2 for |d| < 2^16: rounding gives d. Both roundings commute "
     "with powers of two, so that one binade of scales stands for all that neither "
     "overflow nor lose bits. An infinite product saturates, which gives back the "
     "least or the greatest code. Necessary: any other code with an infinite product "
     "becomes one of these two. Codes of the float types have at most four digits, "
     "and lie further apart than these errors; an infinity saturates to the greatest "
     "number.",
     graphs::ProveDropPair},
    {"drop_quantize_dequantize", "DequantizeLinear(QuantizeLinear(x))", "x", kNever, "",
     "UINT8, one x", "QuantizeLinear rounds. Only x that are dequantized codes are kept.",
     graphs::ProveDropQuantizeDequantize},
    {"drop_pair_around_mover",
     "QuantizeLinear(M(DequantizeLinear(q))), M moves data (GR-03) and adds none (for "
     "Pad see drop_pair_around_pad)",
     "M(q)", kExactIf,
     "that of drop_pair, and QuantizeLinear uses for each element parameters that "
     "give its code back, such as the same scale and zero point (along an axis: where "
     "M puts that axis)",
     "UINT8, INT8 with all codes in one tensor; Transpose, Reshape, Concat, Slice, "
     "Tile with one of five zero points and scales as in drop_pair; a zero point for "
     "each row with Transpose only, scale 0.1",
     "M moves bits, so that each element is that of drop_pair. With another scale or "
     "zero point the code of some element changes, except that scales may differ so "
     "little that every code is still given back.",
     graphs::ProveDropPairAroundMover},
    {"drop_pair_around_pad", "QuantizeLinear(Pad(DequantizeLinear(q))), padded with 0",
     "Pad(q), padded with the code 0", kExactIf,
     "the zero point is 0, and that of drop_pair",
     "UINT8, INT8 with all codes and zero points; scales as in drop_pair",
     "QuantizeLinear of 0 is the zero point, and the other elements are those of "
     "drop_pair. Padded with the zero point, the condition is that of drop_pair alone.",
     graphs::ProveDropPairAroundPad},
    {"drop_pair_around_chooser",
     "QuantizeLinear(C(DequantizeLinear(q))), C is Max, MaxPool or ReduceMax, one "
     "scale and zero point",
     "C(q)", kExactIf, "that of drop_pair, and the scale is positive",
     "Max, MaxPool and ReduceMax of two values; UINT2, INT2, UINT4, INT4 with all "
     "pairs of codes, UINT8, INT8 with pairs of some codes; five zero points; scales "
     "as in drop_pair",
     "Sufficient: DequantizeLinear never decreases with the code if s > 0, so that "
     "the greatest value is that of the greatest code, and drop_pair gives that code "
     "back. Necessary: if s < 0, the greatest value is that of the lesser code. Min "
     "and ReduceMin mirror this, but were not evaluated.",
     graphs::ProveDropPairAroundChooser},
    {"argmax_of_codes", "ArgMax(DequantizeLinear(q)), one scale and zero point",
     "ArgMax(q)", kExactIf,
     "the scale is positive, and d * s overflows for at most one code above the zero "
     "point and one below",
     "two values; UINT2, INT2, UINT4, INT4 with all pairs of codes, UINT8, INT8 with "
     "pairs of some codes; five zero points; scales as in drop_pair",
     "Sufficient: fl(d * s) increases with d as long as it is finite, because "
     "neighbouring d differ by more than the rounding. Necessary: if s < 0 the order "
     "is reversed; two codes that become the same infinity tie, and the first one is "
     "chosen.",
     graphs::ProveDropPairAroundArgMax},
    {"merge_pairs",
     "Q1, DQ1, Q2: a QuantizeLinear and a DequantizeLinear of one scale and zero "
     "point in front of a QuantizeLinear to the same integer type, scales of a size "
     "from 2^-100 to 2^100",
     "Q2", kExactIf,
     "s2 = s1 and the zero points are equal, or s2 = -s1 and the zero points add up "
     "to the sum of the least and the greatest code",
     "UINT2, INT2, UINT4, INT4 with all pairs of zero points, UINT8, INT8 with 25; "
     "first scales 1, 0.1, 0.7, 1/3, -0.3, 2^-100, 2^100 and two near 2^-93 and 2^94; "
     "second scales equal, negated, one bit away, and multiples from 1/16 to 16 "
     "within 2^-100 to 2^100; x on both sides of every threshold of both; UINT16, "
     "INT16 with 25 pairs of zero points, the first scale 0.1, and x around a part of "
     "the thresholds; other pairs of types not",
     "Necessary: Q2 gives every code of the type for some x, so DQ1 and Q2 must map "
     "the codes of Q1 one to one and in order: by identity, or reversed if the signs "
     "of the scales differ. Then Q1 and Q2 change their codes at the same x. One of "
     "these places is where |x / s| passes 1/2, and |s| / 2 is a FLOAT: so |s1| = "
     "|s2|, and the codes of x = 0 are the zero points. Sufficient: drop_pair, and "
     "ties to even are symmetric.",
     graphs::ProveMergePairs},
    {"requantize_by_multiplier",
     "QuantizeLinear(DequantizeLinear(q)) with two scales s1 and s2",
     "d * (s1 / s2), exactly, then rounded once", kNever, "",
     "INT8, d from 1 to 127, plain scales from 0.01 to 9",
     "fl(d * s1) and the quotient are rounded, which makes ties or unmakes them. "
     "Powers of two of usual size round nothing.",
     graphs::ProveRequantizeByMultiplier},
    {"relu_into_quantize", "QuantizeLinear(Relu(x)) to an integer type",
     "QuantizeLinear(x)", kExactIf,
     "the scale is positive and the zero point is the least code, or the scale is "
     "negative and the zero point is the greatest code",
     "UINT8, INT8, UINT16, INT16, UINT4, INT4, UINT2, INT2; all zero points of at "
     "most 8 bits with the scales 1, -1 and 0.1, five with the others and with 16 "
     "bits; x on both sides of thresholds (of 16 bits: of a part of them), the ends "
     "of the range and the infinities",
     "Sufficient: QuantizeLinear never decreases with x if s > 0, so that x < 0 gives "
     "the zero point or less, and there is nothing less. Necessary: x = -s gives the "
     "quotient -1 exactly, for every finite scale, and so the code below the zero "
     "point if there is one. Negative scales mirror this.",
     graphs::ProveReluIntoQuantize},
    {"relu_as_bound", "QuantizeLinear(Relu(x)) to an integer type",
     "Max(QuantizeLinear(x), zero point)", kExactIf, "the scale is positive",
     "as relu_into_quantize",
     "Sufficient: QuantizeLinear never decreases with x if s > 0, and gives the zero "
     "point for 0. Necessary: if s < 0, codes of positive x lie below the zero point, "
     "and Min takes the place of Max.",
     graphs::ProveReluAsBound},
    {"clip_into_quantize",
     "QuantizeLinear(Clip(x, min, max)) to an integer type, min <= max, x may be "
     "infinite",
     "QuantizeLinear(x)", kExactIf,
     "QuantizeLinear gives min the code of -Inf, and max the code of +Inf",
     "UINT8, INT8, INT16, UINT4; five zero points; scales 1, -1, 0.1, -0.7; bounds at "
     "and beside both ends of the range, inside it, and infinite",
     "QuantizeLinear is monotone. So all x from -Inf to min have one code if and only "
     "if both ends have it.",
     graphs::ProveClipIntoQuantize},
    {"clip_as_bounds", "QuantizeLinear(Clip(x, min, max)) to an integer type, min <= max",
     "QuantizeLinear(x), clamped between the codes of min and max", kExact, "",
     "as clip_into_quantize",
     "QuantizeLinear is monotone, in either direction, and so it commutes with the "
     "choice of a bound.",
     graphs::ProveClipAsBounds},
    {"dequantize_past_mover",
     "M(DequantizeLinear(q)), M is Transpose or Reshape, an integer type",
     "DequantizeLinear(M(q))", kExactIf,
     "each element has the same scale and zero point on both sides: there is one, or "
     "the axis of DequantizeLinear is moved with the data, or the parameters along it "
     "are equal",
     "UINT8, INT8, INT16 with 256 codes; Transpose, and Reshape that keeps the axis, "
     "moves it or loses it; a zero point for each row, and in Reshape also 16 equal "
     "ones; scales as in drop_pair, one for all rows",
     "Sufficient: each element is dequantized on its own, and M moves bits. "
     "Necessary: if the zero points differ, one of them gives 0 for a code that the "
     "other does not; if only the scales do, then d = 1 or -1 gives the scales.",
     graphs::ProveDequantizePastMover},
    {"dequantize_past_chooser",
     "C(DequantizeLinear(q)), C is Max, MaxPool or ReduceMax, one scale and zero point",
     "DequantizeLinear(C(q))", kExactIf, "the scale is positive",
     "Max, MaxPool and ReduceMax of two values; UINT2, INT2, UINT4, INT4 with all "
     "pairs of codes, UINT8, INT8 with pairs of some codes; five zero points; scales "
     "as in drop_pair",
     "Sufficient: DequantizeLinear never decreases with the code if s > 0; where it "
     "overflows, it does so from one code on. Necessary: if s < 0 the greatest value "
     "is that of the least code.",
     graphs::ProveDequantizePastChooser},
    {"unsigned_by_signed", "DequantizeLinear of UINT8 (UINT16, UINT4, UINT2)",
     "DequantizeLinear of the signed type, codes and zero points less half of the "
     "range (128)",
     kExact, "",
     "UINT8 by INT8, UINT4 by INT4, UINT2 by INT2 with all codes and zero points, "
     "UINT16 by INT16 with every seventh code and five zero points; plain scales from "
     "0.01 to 9",
     "Only the difference of code and zero point is used. A zero point that is left "
     "out is 0, and has to be written as -128.",
     graphs::ProveUnsignedBySigned},
    {"quantize_unsigned_by_signed", "QuantizeLinear to UINT8 (UINT16, UINT4, UINT2)",
     "QuantizeLinear to the signed type with the zero point less half of the range "
     "(128), codes plus that",
     kExact, "",
     "UINT8 by INT8, UINT4 by INT4, UINT2 by INT2, UINT16 by INT16; five zero points; "
     "plain scales from 0.01 to 9; x on both sides of every threshold (of 16 bits: of "
     "a part of them)",
     "The zero point is added after rounding, and both ends of the range move with it.",
     graphs::ProveQuantizeUnsignedBySigned},
    {"bias_to_int32", "a FLOAT bias b",
     "DequantizeLinear of an INT32 code with the scale s = fl(x_scale * w_scale), the "
     "code nearest to b / s",
     kExactIf, "b = fl(k * s) for an integer k (b / s between -2^22 and 2^22)",
     "plain scales from 0.01 to 9; FLOAT biases at and one bit above steps and half "
     "steps, steps 1, 2, 3, 100, 12345 and 2^22 - 1",
     "Necessary: DequantizeLinear gives nothing else. Sufficient: fl(k * s) / s is "
     "nearer to k than to any other integer, as in drop_pair.",
     graphs::ProveBiasToInt32},
    {"matmul_to_integer", "DequantizeLinear twice, MatMul or Gemm, QuantizeLinear",
     "QLinearMatMul", kNever, "",
     "INT8, zero points 0, MatMul and Gemm (without C), each with K = 1, 2 and 3 (a "
     "difference in each), small codes, plain scales from 0.01 to 9",
     "The graph rounds each operand, the sum and the quotient; the integer form "
     "rounds the scaled sum. One product is enough to tell them apart. GR-06 admits "
     "the integer form as a reading.",
     graphs::ProveMatMulToInteger},
    {"conv_to_integer", "DequantizeLinear twice, Conv, QuantizeLinear", "QLinearConv",
     kNever, "",
     "INT8, zero points 0, one channel, a kernel of 1, small codes, plain scales from "
     "0.01 to 9",
     "As matmul_to_integer.", graphs::ProveConvToInteger},
    {"matmul_of_powers_of_two",
     "DequantizeLinear twice, MatMul, QuantizeLinear, 8 bits, all scales powers of "
     "two of a size from 2^-40 to 2^40, every partial sum of at most 24 bits",
     "QLinearMatMul", kExact, "",
     "INT8, K = 1, 2 and 3, every third code of a and b, zero points 0, and -128, 127 "
     "and 5; 24 triples of scales of usual size and six at the ends",
     "Nothing is rounded before the quotient as long as the sum has at most 24 bits, "
     "and the quotient is exact unless it overflows, which saturates both sides: both "
     "round the same number once. This is the exact case of GR-16.",
     graphs::ProveMatMulOfPowersOfTwo},
    {"add_to_integer", "DequantizeLinear twice, Add, QuantizeLinear",
     "(d_a * a_scale + d_b * b_scale) / y_scale, exactly, then rounded once", kNever, "",
     "INT8, zero points 0, small codes, plain scales from 0.01 to 9",
     "The graph rounds both operands, the sum and the quotient.",
     graphs::ProveAddToInteger},
    {"add_of_equal_scales",
     "DequantizeLinear twice, Add, QuantizeLinear, 8 bits, all three scales equal, of "
     "a size of at most 2^118",
     "d_a + d_b + zero point, saturated", kExact, "",
     "INT8 with all pairs of codes; seven triples of zero points at both ends and 0; "
     "scales of both signs from the least positive FLOAT to 2^118",
     "Four roundings with a relative error of at most 2^-24 of |d_a| + |d_b| < 2^10 "
     "leave the quotient within 2^-11 of d_a + d_b, as 512 * s is finite. Larger "
     "scales may overflow.",
     graphs::ProveAddOfEqualScales},
    {"mul_to_integer", "DequantizeLinear twice, Mul, QuantizeLinear",
     "d_a * d_b * (a_scale * b_scale / y_scale), exactly, then rounded once", kNever, "",
     "INT8, zero points 0, small codes, plain scales from 0.01 to 9",
     "The graph rounds both operands, the product and the quotient.",
     graphs::ProveMulToInteger},
};

std::string VerdictText(const Rewrite& rewrite) {
  std::string text(ExactnessName(rewrite.exactness));
  if (!rewrite.condition.empty()) text += ": " + std::string(rewrite.condition);
  return text;
}

}  // namespace

std::string_view ExactnessName(Exactness exactness) {
  switch (exactness) {
    case Exactness::kExact:
      return "exact";
    case Exactness::kExactIf:
      return "exact if";
    case Exactness::kNever:
      return "never exact";
  }
  return "";
}

std::span<const Rewrite> Rewrites() { return kRewrites; }

std::string RewritesPage(const std::vector<ProvedRewrite>& rows) {
  std::string page =
      "# The ledger of rewrites\n"
      "\n"
      "<!-- Made by `qconform prove rewrite --markdown` (script/docs); do not edit it. "
      "-->\n"
      "\n"
      "This page is for people who write or review optimizers of quantized graphs. After "
      "reading it you know which\nrewrites keep every bit, and under which condition.\n"
      "\n"
      "Each row compares the two sides of one rewrite by the graph oracle. *exact*: they "
      "have the same answers.\n*exact if*: they have the same answers if and only if the "
      "condition holds for all operands; the\nevaluations confirm both directions for "
      "what "
      "is listed as evaluated, and for the rest there is only the\nargument. *never "
      "exact*: they differ for some parameters of usual size; special ones, such as "
      "powers of\ntwo, may still be exact. The difference that is shown there has the "
      "smallest codes (sum of sizes) of\nthose that were evaluated, and of these the "
      "first scales in the order of the search; no smaller scale or\ntype is claimed. "
      "Scales are FLOAT, finite and not 0; d is a code less its zero point, s a scale, "
      "fl\nrounding to FLOAT. NaN, and zeros whose sign is free, are not compared.\n"
      "\n"
      "`qconform prove rewrite NAME` evaluates one row again.\n"
      "\n"
      "| rewrite | before | after | verdict |\n"
      "|---|---|---|---|\n";
  for (const auto& [rewrite, proof] : rows) {
    page += "| [" + std::string(rewrite->name) + "](#" + std::string(rewrite->name) +
            ") | " + std::string(rewrite->before) + " | " + std::string(rewrite->after) +
            " | " + VerdictText(*rewrite) + " |\n";
  }
  for (const auto& [rewrite, proof] : rows) {
    page += "\n## " + std::string(rewrite->name) + "\n\n" + VerdictText(*rewrite) +
            ".\n\n" + std::string(rewrite->argument) +
            "\n\nEvaluated: " + std::string(rewrite->types) + "; " +
            GroupedDigits(proof.evaluations) + " comparisons.\n";
    if (!proof.counterexample.empty()) {
      page += std::string(rewrite->exactness == Exactness::kNever
                              ? "\nA small difference: "
                              : "\nWithout the condition: ") +
              proof.counterexample + ".\n";
    }
  }
  return page;
}

}  // namespace qconform
