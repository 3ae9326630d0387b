// Faults of operators at the nodes of a graph, by the names that their catalogues have
// (GR-01), and several mistakes at once.
#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/core/common_faults.h"
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/nodes.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {
namespace {

namespace common = common_faults;

constexpr std::string_view kDynamic = "DynamicQuantizeLinear";

FaultText TextOf(std::string_view op_type, std::string_view name) {
  for (const OperatorFault& fault : FindOperatorFaults(op_type)->catalogue()) {
    if (fault.text.name == name) return fault.text;
  }
  return {name, ""};
}

// Makes a fault of an operator at the nodes where it can act, under the name of `text`.
void AddAs(std::vector<OperatorFault>& faults, FaultText text, std::string_view op_type,
           std::string_view name, Where where, DeclareGraph declare,
           std::string_view not_behind = "") {
  Add(faults, text,
      {.where = where,
       .op_type = op_type,
       .node_fault = name,
       .not_behind = not_behind,
       .stage = 1},
      std::move(declare));
}

// The same under its own name.
void AddAt(std::vector<OperatorFault>& faults, std::string_view op_type,
           std::string_view name, DeclareGraph declare, Where where = Where::kEvery,
           std::string_view not_behind = "") {
  AddAs(faults, TextOf(op_type, name), op_type, name, where, std::move(declare),
        not_behind);
}

// 1/6 is no number of any type: what HardSwish gives is nowhere exact, and no tie.
constexpr std::string_view kNeverExact = "HardSwish";

Declaration HasTies(const GraphFacts& f) {
  if (!f.Has(kQuantize)) return Equivalent("the graph has no QuantizeLinear");
  // float8 values have too many places for FLOAT16 to be exact (GR-05's exact case).
  const bool is_bounded = f.nodes.size() == 2 && f.HasPair(kDequantize, kQuantize) &&
                          f.scale == DataType::kFloat16 && IsFloat8(f.operand);
  if (is_bounded) return Admissible("GR-13:fused_requantization");
  return f.HasPair(kNeverExact, kQuantize) ? Equivalent("no result is exactly a tie")
                                           : Deviates();
}

Declaration HasInnerCodes(const GraphFacts& f) {
  return f.Count("QuantizeLinear") > 1 ? Deviates()
                                       : Equivalent("the graph has one QuantizeLinear");
}

bool IsPacked(DataType type) {
  return type != DataType::kUndefined && BitWidth(type) < 8;
}

Declaration PackedOperand(const GraphFacts& f) {
  if (!f.Has(kDequantize)) return Equivalent("the graph has no DequantizeLinear");
  return IsPacked(f.operand) ? Deviates() : Equivalent("elements share no byte");
}
Declaration PackedWeights(const GraphFacts& f) {
  if (!SumsUp(f)) return Equivalent("the graph has no weights");
  return IsPacked(f.weights) ? Deviates() : Equivalent("elements share no byte");
}
Declaration PackedResult(const GraphFacts& f) {
  if (!f.Has(kQuantize)) return Equivalent("the graph has no QuantizeLinear");
  return IsPacked(f.result) ? Deviates() : Equivalent("elements share no byte");
}

Declaration SignedResult(const GraphFacts& f) {
  // The first of two pairs quantizes, too.
  if (f.nodes.front() == "QuantizeLinear" && IsInteger(f.operand) &&
      !IsUnsigned(f.operand)) {
    return Deviates();
  }
  const Declaration declared = IntegerResult(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  return IsUnsigned(f.result) ? Equivalent("the codes are unsigned") : Deviates();
}
Declaration UnsignedResult(const GraphFacts& f) {
  const Declaration declared = IntegerResult(f);
  if (declared.kind != Declaration::Kind::kDeviates) return declared;
  return IsUnsigned(f.result) ? Deviates() : Equivalent("the codes are signed");
}

}  // namespace

void AddNodeFaults(std::vector<OperatorFault>& faults) {
  const DeclareGraph quantizes = HasOneOf({kQuantize});
  AddAt(faults, kQuantize, "ties_away", HasTies, Where::kEvery, kNeverExact);
  AddAs(faults,
        {"ties_up", "Ties are rounded up: floor(q + 1/2), exactly.",
         "integer code that adds half and shifts"},
        kQuantize, "ties_half_up", Where::kEvery, HasTies, kNeverExact);
  for (const std::string_view name : {"truncates", "rounds_down", "rounds_up"}) {
    AddAt(faults, kQuantize, name, quantizes);
  }
  AddAt(faults, kQuantize, "zero_point_before_rounding", Both(IntegerResult, HasTies),
        Where::kEvery, kNeverExact);
  for (const std::string_view name : {"clamp_before_zero_point", "wraps_at_output"}) {
    AddAt(faults, kQuantize, name, IntegerResult);
  }
  AddAt(faults, kQuantize, "narrow_range", SignedResult);
  AddAt(faults, kQuantize, "unsigned_as_signed", UnsignedResult);
  AddAt(faults, kQuantize, "last_element_unwritten", quantizes, Where::kLast);
  AddAt(faults, kQuantize, "tail_truncates_16", quantizes);
  AddAt(faults, kQuantize, "packing_swapped", PackedResult, Where::kLast);
  AddAs(faults,
        {"operand_packing_swapped",
         "Elements of a byte of the first operand are read from the highest bits "
         "down."},
        kDequantize, "packing_swapped", Where::kFirst, PackedOperand);
  AddAs(faults,
        {"weights_packing_swapped",
         "Elements of a byte of the weights are read from the highest bits "
         "down."},
        kDequantize, "packing_swapped", Where::kWeights, PackedWeights);
  // Whether these show depends on the operands: they are names for diagnoses.
  const auto only_named = [](DeclareGraph where) {
    return Both(std::move(where), [](const GraphFacts&) { return Unclaimed(); });
  };
  for (const std::string_view name :
       {"reciprocal_multiply", "reciprocal_in_float", "int32_minimum_on_overflow",
        "int32_minimum_wraps", "int32_minimum_in_vectors_of_64", "int32_saturated_wraps",
        "fake_quantize_formula", "saturate_ignored"}) {
    AddAt(faults, kQuantize, name, only_named(quantizes));
  }
  Add(faults,
      {"subnormals_between_nodes_are_zero",
       "What is dequantized to a subnormal float is taken for zero.",
       "FTZ and DAZ; kernels of tract 0.23"},
      {.rewrite = rewrites::SubnormalsToZero}, only_named(HasOneOf({kDequantize})));
  AddAt(faults, kDequantize, "distributed_zero_point",
        only_named(HasOneOf({kDequantize})));
  AddAs(faults,
        {"inner_ties_away", "The first QuantizeLinear rounds ties away from zero."},
        kQuantize, "ties_away", Where::kFirstOfSeveral, HasInnerCodes);
  AddAs(faults, {"inner_truncates", "The first QuantizeLinear truncates."}, kQuantize,
        "truncates", Where::kFirstOfSeveral, HasInnerCodes);
  AddAs(
      faults,
      {"inner_wraps", "The first QuantizeLinear keeps low bits in place of saturating."},
      kQuantize, "wraps_at_output", Where::kFirstOfSeveral,
      Both(HasInnerCodes, IntegerOperand));
  for (const std::string_view name :
       {"range_without_zero", "range_over_256", "range_symmetric", "range_from_zero",
        "scale_truncated", "zero_point_truncated", "zero_point_is_128",
        "zero_point_output_is_zero", "truncates"}) {
    AddAt(faults, kDynamic, name, HasOneOf({kDynamic}));
  }
  for (const std::string_view name :
       {"a_zero_point_missing", "b_zero_point_missing", "zero_points_missing",
        "int16_accumulator", "b_sign_confused"}) {
    AddAt(faults, "MatMulInteger", name, HasOneOf({"MatMulInteger"}));
  }
}

void AddCombinations(std::vector<OperatorFault>& faults) {
  const auto find = [&](std::string_view name) {
    return std::ranges::find(faults, name,
                             [](const OperatorFault& one) { return one.text.name; });
  };
  // `declare`: where both act.
  const auto add = [&](FaultText text, std::string_view first, std::string_view second,
                       DeclareGraph declare) {
    GraphMistakes both = find(first)->set.As<GraphMistakes>();
    both.only_together = true;
    const auto& more = find(second)->set.As<GraphMistakes>();
    both.all.insert(both.all.end(), more.all.begin(), more.all.end());
    std::ranges::stable_sort(both.all, {}, &GraphMistake::stage);
    faults.push_back({text, both, [declare = std::move(declare)](const Cell& cell) {
                        return declare(GraphFacts(cell));
                      }});
  };
  const auto as = [&](std::string_view name) -> DeclareGraph {
    return
        [declare = find(name)->declare](const GraphFacts& f) { return declare(f.cell); };
  };
  const DeclareGraph quantizes = HasOneOf({kQuantize});
  add({"activation_dropped_and_ties_away",
       "The activation is dropped, and ties round away from zero."},
      "activation_dropped", "ties_away", Both(as("activation_dropped"), HasTies));
  add({"requantized_without_zero_point_and_truncated",
       "The zero point of the result is ignored, and its code is truncated."},
      "zero_point_of_output_ignored", "truncates", as("zero_point_of_output_ignored"));
  add({"symmetric_weights_and_sum_in_16_bits",
       "The zero point of the weights is ignored, and the sum saturates to INT16."},
      "zero_point_of_weights_ignored", "sum_in_16_bits",
      [weights = as("zero_point_of_weights_ignored"),
       sum = as("sum_in_16_bits")](const GraphFacts& f) {
        if (!f.has_float_operand) return sum(f);
        return IsInteger(f.operand) && BitWidth(f.operand) + BitWidth(f.weights) >= 16
                   ? weights(f)
                   : Equivalent("it acts on codes of 8 bits and more");
      });
  add({"bias_scale_ignored_and_activation_dropped",
       "The scale of the bias is ignored, and the activation is dropped."},
      "bias_scale_ignored", "activation_dropped",
      Both(as("activation_dropped"), as("bias_scale_ignored")));
  add({"bias_rounded_and_activations_quantized",
       "A FLOAT bias is rounded to multiples of x_scale * w_scale, and activations are "
       "rounded to 8 bits by blocks.",
       "the optimizers WeightBiasQuantization and QDQSelectorActionTransformer of ONNX "
       "Runtime"},
      "bias_rounded_to_int32", "activations_quantized_by_block",
      Both(as("bias_rounded_to_int32"), as("activations_quantized_by_block")));
  add({"second_operand_takes_first_and_truncates",
       "The second operand takes the first one's parameters, and the result is "
       "truncated."},
      "second_operand_takes_first", "truncates",
      Both(quantizes, as("second_operand_takes_first")));
  add({"bound_dropped_and_ties_up", "The bounds are dropped, and ties round up."},
      "bound_dropped", "ties_up", Both(quantizes, as("bound_dropped")));
}

void Add(std::vector<OperatorFault>& faults, FaultText text, GraphMistake mistake,
         DeclareGraph declare) {
  mistake.sentence = text.sentence;
  faults.push_back(
      {text, GraphMistakes{{mistake}}, [declare = std::move(declare)](const Cell& cell) {
         return declare(GraphFacts(cell));
       }});
}

}  // namespace qconform::graphs
