#include "oracle/core/clauses.h"

namespace qconform {
namespace {

// The opset_versions of models that have cells.
std::vector<int> All() { return {13, 19, 21, 28}; }

constexpr ClauseKind kFree = ClauseKind::kFree;
constexpr ClauseKind kBounded = ClauseKind::kBounded;

constexpr std::string_view kRule =
    "a rule of the project: ONNX defines nodes, and says of graphs only that values flow "
    "along their edges";
constexpr std::string_view kSilent =
    "IR specification: a node's outputs are computed from its inputs; silent on fusion, "
    "and "
    "on the precision and order of float operations";

std::vector<Clause> WhatNodesGive() {
  return {
      {.id = "GR-01",
       .text =
           "Composition: each node is computed by its own clauses from what the nodes "
           "before it give. Readings of a node's clauses hold inside a graph too, each "
           "node of the graph with a reading of its own, constant over a cell. Where "
           "two nodes have readings of one clause, the number of the node, from 1, "
           "follows: `QL-24:added_in_p@3`. Of more than 256 combinations those are "
           "tried in which one node has a reading of its own, or all nodes of one "
           "operator have the same. The composition of canonical readings is the "
           "canonical answer. A graph is invalid if one of its nodes is.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphComposition.ReluBetweenDequantizeAndQuantize",
                 "GraphComposition.RoundsBetweenTheNodes",
                 "GraphComposition.DynamicQuantizationByComposition",
                 "GraphComposition.InvalidGraphsSayWhichNode",
                 "GraphReadings.EachNodeHasItsOwn"}},
      {.id = "GR-02",
       .kind = kFree,
       .text =
           "What is free stays free: an element all of whose possible operands are "
           "known as a finite set of codes may be any code that they give; where that "
           "is not so it is free. A free element of a type of at most 8 bits may be "
           "each of its codes; of more than 4096 combinations the element is free. "
           "Neighbours are judged.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphComposition.FreeCodesArePassedOn",
                 "GraphComposition.NeighboursOfFreeElementsAreJudged"}},
      {.id = "GR-03",
       .text = "Nodes that move data (Identity, Transpose, Reshape, Flatten, Squeeze, "
               "Unsqueeze, Slice, Split, Concat, Gather, GatherElements, Expand, Tile, "
               "DepthToSpace, SpaceToDepth, Pad) move bits.",
       .source = "the operators' texts",
       .since_versions = All(),
       .tests = {"GraphComposition.ZerosOfRelu_HaveNoSign"}},
      {.id = "GR-04",
       .kind = kFree,
       .text = "Nodes that choose (MaxPool, ReduceMax, ReduceMin, Max, Min, Relu, Clip, "
               "ArgMax, ArgMin) give one of their operands or bounds, exactly. NaN among "
               "the operands, and the sign of a zero that Relu, Max, Min or Clip gives: "
               "free. MaxPool, ReduceMax and ReduceMin may give either zero where zeros "
               "of both signs are among their operands.",
       .source = "the operators' texts; silent on NaN and on the order of zeros",
       .since_versions = All(),
       .tests = {"GraphComposition.ArgMaxGivesPositions",
                 "GraphComposition.ZerosOfRelu_HaveNoSign"}},
  };
}

std::vector<Clause> Bounds() {
  return {
      {.id = "GR-05",
       .kind = kBounded,
       .text =
           "One float operation (Add, Sub, Mul, Div, LeakyRelu, PRelu, HardSigmoid, "
           "HardSwish; Neg and Abs are exact), also the Mul and Add behind an integer "
           "sum. "
           "Canonical: each node's exact result, rounded once to its tensor's type. "
           "Bounded, `fused_arithmetic`: v' in [v - e, v + e]; v is the real value from "
           "codes, scales and constants with no rounding at all; e = gamma(m + 2) * "
           "sum|T_i|, both divided by |y_scale| where QuantizeLinear follows. T_i: the "
           "terms that additions join (a bias and HardSigmoid's beta are terms; one term "
           "where nothing is added). m: the operations on a term's longest way, with all "
           "of its factors: each DequantizeLinear, each multiplication, addition or "
           "division of the node's formula, QuantizeLinear's division. u = 2^-24, 2^-11, "
           "2^-8 for FLOAT, FLOAT16, BFLOAT16 tensors. e = 0 where nothing can be "
           "rounded "
           "(GR-16). Each v' is rounded, ties to even, before the zero point is added. "
           "Where e is not 0, outside e but within 2^-6 * sum|T_i| and one code of the "
           "canonical answer: `reduced_precision`, reported as open. The sign of a zero "
           "is "
           "free.",
       .source = kSilent,
       .since_versions = All(),
       .tests = {"GraphBounds.AdditionHasTheErrorOfItsTerms",
                 "GraphBounds.ReducedPrecisionIsOneCode",
                 "GraphBounds.ExactCaseHasOneCode"}},
      {.id = "GR-06",
       .kind = kBounded,
       .text =
           "Sums (MatMul, Gemm, Conv, AveragePool, GlobalAveragePool, ReduceMean). "
           "Canonical: the exact sum (mean) over the operands as they stand after "
           "dequantization, rounded once to the tensor's type. Bounded, `float_sum`: |S' "
           "- "
           "S| <= gamma(n) * sum|T_i|, S and T_i from codes and scales without any "
           "rounding, the bias among the terms; n = K, + 1 for each dequantized operand, "
           "+ "
           "1 for a bias, + 1 each for alpha and beta that are not 1, + 2 for a mean, + "
           "1 "
           "for QuantizeLinear's division (K + 3 for DQ,DQ-MatMul-Q, as MM-02); u as in "
           "GR-05. This holds what integer kernels give (exact sums of codes, then any "
           "requantization of MM-02). Outside it, but every element of the cell within "
           "max(K * 2^-10, 2^-6) * sum|T_i|, where K counts only the terms that are not "
           "0, and not in the exact case: `reduced_precision_accumulation`, reported as "
           "open, as in MM-10.",
       .source = kSilent,
       .since_versions = All(),
       .tests = {"GraphBounds.SumsHaveTheErrorOfAllTerms",
                 "GraphBounds.ZerosAddNothingToReducedPrecision",
                 "GraphComposition.MatMulIsTheExactSumRoundedOnce"}},
      {.id = "GR-07",
       .text =
           "Answers are judged, not rewrites: a rewrite shows in the answers, or it is "
           "none. What must not be lost: each activation and bound for each type, zero "
           "point and sign of scale of y; each intermediate quantization with its "
           "saturation; scales and zero points by their bits; the axis, when data "
           "moves; block boundaries; the bias and its scale, alpha, beta; the type of "
           "each output.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphBounds.RoundTripsAndMoversAreBits"}},
      {.id = "GR-08",
       .text = "Each optimization level of a backend is judged on its own. That levels "
               "differ is reported, and is no verdict by itself.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphReadings.EachNodeHasItsOwn"}},
      {.id = "GR-09",
       .text =
           "Which inputs are constant changes nothing in what is admissible. A node "
           "that is folded at load time may follow another admissible reading than the "
           "same node at run time.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphReadings.EachNodeHasItsOwn"}},
      {.id = "GR-10",
       .text =
           "The tier of an element of a graph is the last (G-02) of the tiers of all "
           "elements that it comes from, under the canonical composition; overflow to "
           "Inf in a float section, of a DequantizeLinear as well, is "
           "`degenerate_scale`.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphComposition.TiersAreTheLastOfAllNodes",
                 "GraphComposition.TiersOfIntegerSums"}},
      {.id = "GR-11",
       .text =
           "Two outputs of one graph are judged on their own; a DequantizeLinear with "
           "two readers may be computed twice.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphComposition.FreeCodesArePassedOn"}},
  };
}

std::vector<Clause> Details() {
  return {
      {.id = "GR-12",
       .text =
           "`reduced_precision_accumulation` needs a twin: the cells of the families "
           "sums and weights have contents in which every scale is a power of two, "
           "y_scale makes ties, and codes are small enough for the exact case. They "
           "belong to the same cell, so the reading explains it only if these show no "
           "deviation. What they show (saturation, rounded activations, a dropped "
           "bias) is no matter of precision.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphBounds.ExactTwinHasOneCode"}},
      {.id = "GR-13",
       .kind = kBounded,
       .text =
           "A DequantizeLinear and a QuantizeLinear with only nodes of GR-03 and GR-04 "
           "between them are bounded as GR-05, m = 2 (`fused_requantization`), one term; "
           "where the result is a bound of Clip or a constant of Pad, m = 1. Q-DQ, and "
           "DQ "
           "without Q, stay bits. There is no `reduced_precision` of it. Example: d = "
           "-1, "
           "s = 0.05828065425157547, y_scale = 0.002710728207603097 is exactly "
           "-21.499999184, and by composition -21.5.",
       .source = kSilent,
       .since_versions = All(),
       .tests = {"GraphBounds.RequantizationWithoutTheRoundingBetween",
                 "GraphBounds.RequantizationByEqualScalesIsExact",
                 "GraphBounds.RoundTripsAndMoversAreBits"}},
      {.id = "GR-14",
       .kind = kBounded,
       .text = "Float outputs: `reduced_precision` within 2^-8 * sum|T_i| (u for FLOAT16 "
               "and BFLOAT16 tensors), and, where an operand is an integer sum times a "
               "scale, within less than half of that scale: no change of a code or of a "
               "sum is reduced precision.",
       .source = kSilent,
       .since_versions = All(),
       .tests = {"GraphBounds.ReducedPrecisionChangesNoSum"}},
      {.id = "GR-15",
       .text = "m also counts each Cast from an integer; an operand that a term holds "
               "twice counts twice; a constant that the type does not hold counts one.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphBounds.ConstantsThatTheTypeDoesNotHoldCountOne"}},
      {.id = "GR-16",
       .text =
           "The exact case, in which e = 0: every scale, and every factor that an "
           "attribute or a formula gives (alpha, beta, 1/6, 1/K of a mean), is a power "
           "of "
           "two; in units of the lowest bit of any term, sum|T_i| <= 1/u; and no value "
           "but "
           "0 of the section is below the type's least normal or above its greatest "
           "number. FLOAT operands that are not dequantized count as data, constant or "
           "fed. The divisor of a Div has to be a power of two itself. Behind a chooser "
           "the terms are those of the operand that is chosen.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphBounds.ExactCaseHasOneCode",
                 "GraphBounds.AScaleThatIsNoPowerOfTwoIsNotExact",
                 "GraphBounds.ChoosersHaveTheTermsOfTheChosen"}},
      {.id = "GR-17",
       .kind = kBounded,
       .text = "A QuantizeLinear inside the graph whose operand is bounded gives the set "
               "of codes of its interval; what follows is judged with each of them.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphBounds.OpenCodesInsideGiveSetsBehind"}},
      {.id = "GR-18",
       .kind = kBounded,
       .text =
           "Behind a bounded node a chooser acts on the ends of the interval, after e: "
           "Relu of [v - e, v + e] is [max(0, v - e), max(0, v + e)]; the division of "
           "a QuantizeLinear behind it is counted in e as if it stood in front. ArgMax "
           "and ArgMin: an index whose interval reaches the greatest of the lower ends "
           "(the least of the upper) is admissible.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphBounds.ReluCutsTheInterval",
                 "GraphBounds.PositionsWithinTheErrorOfEachOther"}},
      {.id = "GR-19",
       .kind = kFree,
       .text =
           "Where n * u >= 1 (BFLOAT16 from K = 250 on) an element is free by the "
           "bounds, unless it is in the exact case. Values beyond the type's greatest "
           "number are free by the bounds, too.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphBounds.LongSumsInBfloat16AreFree"}},
      {.id = "GR-20",
       .text =
           "Tier `subnormal` where a float node's exact result is not 0 and below the "
           "type's least normal; `degenerate_scale` where it overflows, or is an "
           "infinity "
           "of finite operands. Where the terms of an addition or a sum, by their "
           "magnitudes and with the error of their operations, may be beyond the type's "
           "greatest number, a partial sum may be infinite although the result is not: "
           "the element is free, and `degenerate_scale`. Gemm's terms count with alpha "
           "or "
           "without it, whichever is larger; those of HardSwish are 6 |x|.",
       .source = kRule,
       .since_versions = All(),
       .tests = {"GraphComposition.TiersAreTheLastOfAllNodes",
                 "GraphComposition.PartialSumsBeyondTheRangeAreFree",
                 "GraphComposition.TermsThatCancelBeyondTheRangeAreFree"}},
  };
}

}  // namespace

std::vector<Clause> GraphClauses() {
  std::vector<Clause> clauses = WhatNodesGive();
  for (const std::vector<Clause>& more : {Bounds(), Details()}) {
    clauses.insert(clauses.end(), more.begin(), more.end());
  }
  for (Clause& clause : clauses) clause.op_type = kGraphs;
  return clauses;
}

}  // namespace qconform
