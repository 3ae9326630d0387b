// Pairs of QuantizeLinear and DequantizeLinear, and the requantization between (GR-05 to
// GR-07).
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {
namespace {

Declaration Requantizes(const GraphFacts& f) {
  if (f.Has("QuantizeLinear") && f.Has("DequantizeLinear")) return Deviates();
  return Equivalent("nothing is requantized");
}

Declaration HasPair(const GraphFacts& f) {
  if (f.HasPair("QuantizeLinear", "DequantizeLinear")) return Deviates();
  return Equivalent("no DequantizeLinear follows a QuantizeLinear");
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
      {.rewrite = rewrites::MergePairs}, [](const GraphFacts& f) {
        if (f.Count("QuantizeLinear") > 1 &&
            f.HasPair("QuantizeLinear", "DequantizeLinear")) {
          return Deviates();
        }
        return Equivalent("the graph has no two pairs");
      });
  Add(faults,
      {"pair_dropped", "QuantizeLinear and DequantizeLinear behind it are dropped.",
       "clean-up of pairs that are taken for no-ops"},
      {.rewrite = rewrites::DropPair}, HasPair);
  Add(faults,
      {"first_pair_dropped", "The first of two pairs is dropped, with its saturation."},
      {.rewrite = rewrites::DropPair, .where = Where::kFirst}, [](const GraphFacts& f) {
        const Declaration declared = HasPair(f);
        if (declared.kind != Declaration::Kind::kDeviates) return declared;
        return f.Count("QuantizeLinear") > 1 ? Deviates()
                                             : Equivalent("the graph has one pair");
      });
  Add(faults, {"last_pair_dropped", "The last of two pairs is dropped."},
      {.rewrite = rewrites::DropPair, .where = Where::kLast}, [](const GraphFacts& f) {
        const Declaration declared = HasPair(f);
        if (declared.kind != Declaration::Kind::kDeviates) return declared;
        return f.Count("QuantizeLinear") > 1 ? Deviates()
                                             : Equivalent("the graph has one pair");
      });
  const auto integer_pair = [](const GraphFacts& f) {
    const Declaration declared = HasPair(f);
    if (declared.kind != Declaration::Kind::kDeviates) return declared;
    for (const DataType type : f.types) {
      if (IsInteger(type)) return Deviates();
    }
    return Equivalent("the pair has no integer codes");
  };
  Add(faults,
      {"saturation_dropped", "A pair inside the graph rounds, but does not saturate.",
       "intermediate codes that are kept in wider registers"},
      {.rewrite = rewrites::DropSaturation, .where = Where::kFirst}, integer_pair);
  Add(faults,
      {"rounding_dropped", "A pair inside the graph saturates, but does not round.",
       "pairs that are replaced by a Clip"},
      {.rewrite = rewrites::DropRounding, .where = Where::kFirst}, integer_pair);
  Add(faults,
      {"result_in_codes_of_operand",
       "The result of an operation is rounded to the codes of its first operand.",
       "operations on codes"},
      {.rewrite = rewrites::ResultInCodesOfInput},
      Both(HasOneOf({"Add", "Sub", "Mul", "Div", "Neg", "Abs", "LeakyRelu", "PRelu",
                     "HardSigmoid", "HardSwish"}),
           [](const GraphFacts& f) {
             return IsInteger(f.types.front()) ? Deviates()
                                               : Equivalent("it acts on integer codes");
           }));
  const auto means = Both(HasOneOf({"AveragePool", "GlobalAveragePool", "ReduceMean"}),
                          [](const GraphFacts& f) {
                            return IsInteger(f.types.front())
                                       ? Deviates()
                                       : Equivalent("it acts on integer codes");
                          });
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
      Both(Requantizes, IntegerOutput));
}

}  // namespace qconform::graphs
