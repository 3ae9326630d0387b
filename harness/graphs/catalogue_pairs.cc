// Pairs of QuantizeLinear and DequantizeLinear, and the requantization between (GR-05 to
// GR-07).
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {
namespace {

Declaration HasPair(const GraphFacts& f) {
  if (f.HasPair("QuantizeLinear", "DequantizeLinear")) return Deviates();
  return Equivalent("no DequantizeLinear follows a QuantizeLinear");
}

Declaration TwoPairs(const GraphFacts& f) {
  const Declaration declared = HasPair(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  return f.Count("QuantizeLinear") > 1 ? Deviates()
                                       : Equivalent("the graph has one pair");
}

// A pair of integer codes with one scale.
Declaration SimplePair(const GraphFacts& f) {
  const Declaration declared = HasPair(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  if (f.granularity != "per_tensor") return Equivalent("it acts on one scale");
  return IsInteger(f.operand) ? Deviates() : Equivalent("the pair has no integer codes");
}

Declaration OneScale(const GraphFacts& f) {
  return f.granularity == "per_tensor" ? Deviates() : Equivalent("it acts on one scale");
}

// A requantization from and to integer codes, whose values are whole multiples of one
// product of scales.
Declaration FixedPoint(const GraphFacts& f) {
  for (const std::string& node : f.nodes) {
    if (node != kQuantize && node != kDequantize && !IsMover(node) && !IsChooser(node) &&
        !IsSum(node) && !IsMean(node)) {
      return Equivalent("values are no whole multiples of one product of scales");
    }
  }
  if (f.nodes.front() == kQuantize && f.Count(kQuantize) == 1) {
    return Equivalent("nothing is requantized");
  }
  if (!f.Has("DequantizeLinear") || !f.Has("QuantizeLinear")) {
    return Equivalent("nothing is requantized");
  }
  if (f.Has("Max") || f.Has("Min") || f.Has("Clip")) {
    return Equivalent("bounds are no whole multiples of the scale");
  }
  if (f.granularity != "per_tensor") return Equivalent("it acts on one scale");
  return Deviates();
}

}  // namespace

void AddPairFaults(std::vector<OperatorFault>& faults) {
  Add(faults,
      {"requantization_dropped", "The result keeps the operand's scale and zero point.",
       "pairs that are dropped around a node without a look at their parameters"},
      {.rewrite = rewrites::DropRequantization}, Requantizes);
  Add(faults,
      {"pair_merged", "Two pairs become one with a scale and zero point of neither.",
       "the optimizer DoubleQDQPairsRemover of ONNX Runtime"},
      {.rewrite = rewrites::MergePairs},
      Both(TwoPairs, Both(SimplePair, [](const GraphFacts& f) {
             return f.types.front() == f.types.back()
                        ? Deviates()
                        : Equivalent("it acts on pairs of one type");
           })));
  Add(faults,
      {"infinity_kept_where_pair_is_dropped",
       "A DequantizeLinear and a QuantizeLinear of equal scales are dropped, and with "
       "them "
       "the saturation of an infinity.",
       "the optimizer QDQFinalCleanupTransformer of ONNX Runtime"},
      {.rewrite = rewrites::DropRequantizationOfInfinity}, [](const GraphFacts& f) {
        if (!f.HasPair("DequantizeLinear", "QuantizeLinear")) {
          return Equivalent("no QuantizeLinear follows a DequantizeLinear");
        }
        return f.operand == DataType::kFloat8E5M2 && f.result == f.operand &&
                       f.nodes.front() != kQuantize
                   ? Deviates()
                   : Equivalent("the codes have no infinity");
      });
  Add(faults,
      {"pair_inserted_behind_mover",
       "A pair is inserted behind a node that moves data, and saturates an infinity.",
       "the optimizer QDQPropagationTransformer of ONNX Runtime"},
      {.rewrite = rewrites::InsertPairBehindMover}, [](const GraphFacts& f) {
        for (const std::string_view op_type :
             {"Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"}) {
          if (!f.HasPair("DequantizeLinear", op_type)) continue;
          if (f.Has("QuantizeLinear")) return Equivalent("the result saturates anyway");
          if (f.granularity != "per_tensor") return Equivalent("it acts on one scale");
          return f.operand == DataType::kFloat8E5M2
                     ? Deviates()
                     : Equivalent("the codes have no infinity");
        }
        return Equivalent("nothing moves data behind a DequantizeLinear");
      });
  Add(faults,
      {"pair_dropped", "QuantizeLinear and DequantizeLinear behind it are dropped.",
       "clean-up of pairs that are taken for no-ops"},
      {.rewrite = rewrites::DropPair}, HasPair);
  Add(faults,
      {"first_pair_dropped", "The first of two pairs is dropped, with its saturation."},
      {.rewrite = rewrites::DropPair, .where = Where::kFirstOfSeveral}, TwoPairs);
  Add(faults, {"last_pair_dropped", "The last of two pairs is dropped."},
      {.rewrite = rewrites::DropPair, .where = Where::kLastOfSeveral}, TwoPairs);
  Add(faults,
      {"saturation_dropped", "A pair inside the graph rounds, but does not saturate.",
       "intermediate codes that are kept in wider registers"},
      {.rewrite = rewrites::DropSaturation, .where = Where::kFirst}, SimplePair);
  Add(faults,
      {"rounding_dropped", "A pair inside the graph saturates, but does not round.",
       "pairs that are replaced by a Clip"},
      {.rewrite = rewrites::DropRounding, .where = Where::kFirst}, SimplePair);
  Add(faults,
      {"least_code_not_negated",
       "Neg and Abs keep the least code, whose negation does not fit its type.",
       "negation of INT8 codes that wraps -128"},
      {.rewrite = rewrites::LeastCodeNotNegated}, [](const GraphFacts& f) {
        if (!f.HasPair(kDequantize, "Neg") && !f.HasPair(kDequantize, "Abs")) {
          return Equivalent("no codes are negated");
        }
        const Declaration declared = IntegerOperand(f);
        if (declared.kind != Declaration::Kind::kDeviates) return declared;
        return IsUnsigned(f.operand) ? Equivalent("the codes are unsigned") : Deviates();
      });
  Add(faults,
      {"result_in_codes_of_operand",
       "The result of an operation is rounded to the codes of its first operand.",
       "operations on codes"},
      {.rewrite = rewrites::ResultInCodesOfInput},
      Both(HasOneOf({"Add", "Sub", "Mul", "Div", "Neg", "Abs", "LeakyRelu", "PRelu",
                     "HardSigmoid", "HardSwish"}),
           Both(IntegerOperand, OneScale)));
  const auto means = Both(HasOneOf({"AveragePool", "GlobalAveragePool", "ReduceMean"}),
                          Both(IntegerOperand, OneScale));
  Add(faults,
      {"interpolated_in_codes", "A mean is rounded to the codes of its operand.",
       "pools that work on codes"},
      {.rewrite = rewrites::InterpolatedInCodes}, means);
  Add(faults, {"mean_truncated_in_codes", "A mean of codes is truncated to a code."},
      {.rewrite = rewrites::MeanOfCodesTruncated}, means);
  Add(faults,
      {"double_rounding", "Fixed-point requantization rounds twice.",
       "gemmlowp: a doubling high product, then a rounding shift"},
      {.rewrite = rewrites::DoubleRounding, .stage = 2},
      Both(FixedPoint, Both(IntegerOperand, IntegerResult)));
}

}  // namespace qconform::graphs
