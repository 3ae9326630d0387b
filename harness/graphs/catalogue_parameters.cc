// Scales and zero points (GR-07).
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {
namespace {

const DeclareGraph kQuantizes = HasOneOf({"QuantizeLinear"});
const DeclareGraph kDequantizes = HasOneOf({"DequantizeLinear"});

bool SumsUp(const GraphFacts& f) {
  return f.Has("MatMul") || f.Has("Gemm") || f.Has("Conv");
}

Declaration HasWeights(const GraphFacts& f) {
  if (!SumsUp(f)) return Equivalent("the graph has no weights");
  return Deviates();
}

Declaration TwoOperands(const GraphFacts& f) {
  if (SumsUp(f)) return Equivalent("the second operand are weights");
  if (!f.nodes.empty() && f.HasPair("DequantizeLinear", "DequantizeLinear")) {
    return Deviates();
  }
  return Equivalent("the graph has no second operand of codes");
}

}  // namespace

void AddParameterFaults(std::vector<OperatorFault>& faults) {
  using W = Where;
  Add(faults,
      {"zero_point_of_output_ignored", "The zero point of the result is ignored.",
       "requantization for symmetric codes"},
      {.rewrite = rewrites::IgnoreZeroPointOfOutput}, kQuantizes);
  Add(faults,
      {"zero_point_of_operand_ignored",
       "The zero point of the first operand is ignored."},
      {.rewrite = rewrites::IgnoreZeroPointOfInput, .where = W::kFirst}, kDequantizes);
  Add(faults,
      {"zero_point_of_second_operand_ignored",
       "The zero point of the last operand is ignored."},
      {.rewrite = rewrites::IgnoreZeroPointOfInput, .where = W::kLast}, TwoOperands);
  Add(faults,
      {"zero_point_of_weights_ignored", "The zero point of the weights is ignored.",
       "kernels for symmetric weights"},
      {.rewrite = rewrites::IgnoreZeroPointOfWeights}, HasWeights);
  Add(faults,
      {"absolute_scale_of_operand", "The sign of the scale of the operands is ignored."},
      {.rewrite = rewrites::AbsoluteScaleOfInput}, kDequantizes);
  Add(faults,
      {"absolute_scale_of_result", "The sign of the scale of the result is ignored."},
      {.rewrite = rewrites::AbsoluteScaleOfOutput}, kQuantizes);
  Add(faults,
      {"first_scale_of_operand_for_all",
       "All elements of an operand take the first scale and zero point.",
       "an axis that is lost when a node moves"},
      {.rewrite = rewrites::FirstScaleOfInput, .where = W::kLast},
      Both(kDequantizes, ManyScales));
  Add(faults,
      {"first_scale_of_result_for_all",
       "All elements of the result take the first scale and zero point."},
      {.rewrite = rewrites::FirstScaleOfOutput, .where = W::kLast},
      Both(kQuantizes, ManyScales));
  Add(faults,
      {"last_channel_takes_previous",
       "The last channel takes the scale and zero point of the one before.",
       "loops over channels that end one too early"},
      {.rewrite = rewrites::LastChannelTakesPrevious, .where = W::kFirst}, ManyScales);
  Add(faults,
      {"next_channel_scale",
       "Each channel takes the scale and zero point of the next one."},
      {.rewrite = rewrites::NextScale, .where = W::kFirst}, ManyScales);
  Add(faults, {"first_zero_point_of_channels", "All channels take the first zero point."},
      {.rewrite = rewrites::FirstZeroPoint, .where = W::kFirst}, ManyScales);
  Add(faults,
      {"first_block_for_all", "All blocks take the scale and zero point of the first.",
       "block boundaries that are lost"},
      {.rewrite = rewrites::FirstBlockForAll, .where = W::kFirst},
      [](const GraphFacts& f) {
        return f.granularity == "blocked" ? Deviates()
                                          : Equivalent("there are no blocks");
      });
  Add(faults,
      {"scales_taken_as_equal",
       "A scale that differs from the first only in its last bits is taken as that.",
       "scales that are compared with a tolerance"},
      {.rewrite = rewrites::ScalesTakenAsEqual}, kDequantizes);
  Add(faults,
      {"scales_taken_as_close",
       "A scale that differs from the first by less than 2^-6 of it is taken as that.",
       "scales that are compared with a wide tolerance"},
      {.rewrite = rewrites::ScalesTakenAsClose}, kDequantizes);
  Add(faults,
      {"second_operand_takes_first",
       "The second operand is dequantized with scale and zero point of the first.",
       "patterns that check one operand"},
      {.rewrite = rewrites::SecondOperandTakesFirst}, TwoOperands);
  const auto two_outputs = [](const GraphFacts& f) {
    if (f.Has("Split") || f.HasPair("QuantizeLinear", "QuantizeLinear"))
      return Deviates();
    return Equivalent("the graph has one output");
  };
  Add(faults,
      {"second_output_takes_first",
       "The second output takes scale and zero point of the first."},
      {.rewrite = rewrites::SecondOutputTakesFirst}, two_outputs);
  Add(faults, {"outputs_swapped", "The two outputs are exchanged."},
      {.rewrite = rewrites::OutputsSwapped}, two_outputs);
  Add(faults,
      {"output_scale_of_operand", "The result is quantized with the operand's scale."},
      {.rewrite = rewrites::OutputScaleOfInput}, kQuantizes);
  Add(faults,
      {"output_zero_point_of_operand",
       "The result is quantized with the operand's zero point.",
       "pairs that are dropped if only their scales are equal"},
      {.rewrite = rewrites::OutputZeroPointOfInput}, kQuantizes);
  Add(faults,
      {"scale_as_power_of_two", "Every scale is rounded to a power of two.",
       "accelerators that shift"},
      {.rewrite = rewrites::ScaleToPowerOfTwo}, kDequantizes);
  Add(faults,
      {"scale_through_bfloat16_in_graph", "FLOAT scales are rounded to BFLOAT16.",
       "parameters that are stored in half precision"},
      {.rewrite = rewrites::ScaleToBfloat16}, kDequantizes);
  Add(faults,
      {"unsigned_codes_as_signed",
       "Unsigned codes of the first operand and their zero points are read as signed "
       "ones.",
       "one kernel for both"},
      {.rewrite = rewrites::UnsignedCodesAsSigned, .where = W::kFirst}, kDequantizes);
  Add(faults,
      {"unsigned_weights_as_signed",
       "Unsigned codes of the last operand and their zero points are read as signed "
       "ones.",
       "kernels for INT8 weights"},
      {.rewrite = rewrites::UnsignedCodesAsSigned, .where = W::kLast}, kDequantizes);
  Add(faults,
      {"codes_moved_without_zero_point",
       "Unsigned codes are moved by half of their range to signed ones, zero points are "
       "not.",
       "conversions from UINT8 to INT8"},
      {.rewrite = rewrites::CodesMovedBy128, .where = W::kLast}, kDequantizes);
}

}  // namespace qconform::graphs
