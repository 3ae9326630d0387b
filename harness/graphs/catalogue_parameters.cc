// Scales and zero points (GR-07).
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {
namespace {

const DeclareGraph kQuantizes = HasOneOf({"QuantizeLinear"});
const DeclareGraph kDequantizes = HasOneOf({"DequantizeLinear"});

// Two operands of codes, neither of them weights.
Declaration TwoOperands(const GraphFacts& f) {
  if (SumsUp(f)) return Equivalent("the second operand are weights");
  if (!f.HasPair("DequantizeLinear", "DequantizeLinear")) {
    return Equivalent("the graph has no second operand of codes");
  }
  return Deviates();
}

Declaration IntegerWeights(const GraphFacts& f) {
  if (!SumsUp(f)) return Equivalent("the graph has no weights");
  return IsInteger(f.weights) ? Deviates() : Equivalent("the weights have float codes");
}

// An operand that is not weights.
Declaration IntegerActivations(const GraphFacts& f) {
  if (SumsUp(f) && f.Count("DequantizeLinear") == 1) {
    return Equivalent("only weights are dequantized");
  }
  return IntegerOperand(f);
}

Declaration FloatScales(const GraphFacts& f) {
  return f.scale == DataType::kFloat ? Deviates() : Equivalent("no scale is FLOAT");
}

// Where a scale that is rounded to BFLOAT16 changes many codes.
Declaration ByteCodes(const GraphFacts& f) {
  for (const std::string& node : f.nodes) {
    if (!IsMover(node) && !IsChooser(node) && node != kQuantize && node != kDequantize) {
      return Equivalent("where a node computes, it would be reduced precision");
    }
  }
  for (const DataType type : {f.operand, f.weights, f.result}) {
    if (type == DataType::kUndefined) continue;
    if (!IsInteger(type) || BitWidth(type) < 8) {
      return Equivalent("it acts on integer codes of 8 bits and more");
    }
  }
  return f.Has("DynamicQuantizeLinear") ? Equivalent("no scale is a parameter")
                                        : Deviates();
}

Declaration DequantizesAgain(const GraphFacts& f) {
  if (f.HasPair("QuantizeLinear", "DequantizeLinear")) return Deviates();
  return Equivalent("no codes are dequantized with a scale of their own");
}

Declaration IntegerCodes(const GraphFacts& f) {
  if (f.result != DataType::kUndefined) return IntegerResult(f);
  return IntegerOperand(f);
}

}  // namespace

void AddParameterFaults(std::vector<OperatorFault>& faults) {
  using W = Where;
  Add(faults,
      {"zero_point_of_output_ignored", "The zero point of the result is ignored.",
       "requantization for symmetric codes"},
      {.rewrite = rewrites::IgnoreZeroPointOfOutput},
      Both(GivesValues, Both(kQuantizes, IntegerResult)));
  Add(faults,
      {"zero_point_of_output_added_twice",
       "The zero point of the result is added twice, and the sum saturates.",
       "pools on codes that give their mean a zero point, which is added again"},
      {.rewrite = rewrites::ZeroPointOfOutputTwice},
      Both(GivesValues, Both(kQuantizes, Both(IntegerResult, [](const GraphFacts& f) {
                               return f.granularity == "per_tensor" || SumsUp(f)
                                          ? Deviates()
                                          : Equivalent("it acts on one zero point");
                             }))));
  Add(faults,
      {"zero_point_of_operand_ignored",
       "The zero point of the first operand is ignored."},
      {.rewrite = rewrites::IgnoreZeroPointOfInput, .where = W::kFirst},
      Both(GivesValues, IntegerActivations));
  Add(faults,
      {"zero_point_of_second_operand_ignored",
       "The zero point of the last operand is ignored."},
      {.rewrite = rewrites::IgnoreZeroPointOfSecondOperand},
      Both(TwoOperands, IntegerOperand));
  Add(faults,
      {"zero_point_of_weights_ignored", "The zero point of the weights is ignored.",
       "kernels for symmetric weights"},
      {.rewrite = rewrites::IgnoreZeroPointOfWeights}, IntegerWeights);
  Add(faults,
      {"absolute_scale_of_operand",
       "The sign of the scale of the first operand is ignored."},
      {.rewrite = rewrites::AbsoluteScaleOfInput, .where = W::kFirst},
      [](const GraphFacts& f) {
        if (f.Has("DynamicQuantizeLinear")) return Equivalent("the scale is positive");
        if (f.Has("Abs")) return Equivalent("the sign is dropped anyhow");
        return Both(kDequantizes, Inexact)(f);
      });
  Add(faults,
      {"absolute_scale_of_result", "The sign of the scale of the result is ignored."},
      {.rewrite = rewrites::AbsoluteScaleOfOutput}, [](const GraphFacts& f) {
        const bool is_pair = f.nodes.size() == 4 && f.nodes.back() == "DequantizeLinear";
        if (is_pair && f.result != DataType::kUndefined && !IsInteger(f.result)) {
          return Equivalent("float codes of the pair change their sign with the scale");
        }
        return kQuantizes(f);
      });
  Add(faults,
      {"first_scale_of_operand_for_all",
       "All elements of an operand take the first scale and zero point.",
       "an axis that is lost when a node moves"},
      {.rewrite = rewrites::FirstScaleOfInput, .where = W::kLast},
      Both(kDequantizes, ManyScales));
  Add(faults,
      {"first_scale_of_weights_for_all",
       "All channels of the weights take the first scale.",
       "integer kernels with one multiplier for all channels"},
      {.rewrite = rewrites::FirstScaleOfWeights, .where = W::kWeights},
      [](const GraphFacts& f) {
        return SumsUp(f) ? ManyScales(f) : Equivalent("the graph has no weights");
      });
  Add(faults,
      {"first_scale_of_result_for_all",
       "All elements of the result take the first scale and zero point."},
      {.rewrite = rewrites::FirstScaleOfOutput, .where = W::kLast}, ManyScalesOfResult);
  Add(faults,
      {"last_channel_takes_previous",
       "The last channel takes the scale and zero point of the one before.",
       "loops over channels that end one too early"},
      {.rewrite = rewrites::LastChannelTakesPrevious, .where = W::kFirst}, ManyScales);
  Add(faults,
      {"next_channel_scale",
       "Each channel takes the scale and zero point of the next one."},
      {.rewrite = rewrites::NextScale, .where = W::kFirst}, ManyScales);
  Add(faults,
      {"scale_of_group_for_channels",
       "Each channel of the weights takes the scale that its group's number indexes.",
       "kernels of grouped convolutions"},
      {.rewrite = rewrites::ScaleOfGroup, .where = W::kWeights}, [](const GraphFacts& f) {
        if (!f.Has("Conv")) return Equivalent("the graph has no Conv");
        if (f.has_float_operand || f.Has("Clip")) {
          return Equivalent("it acts on a Conv without a Clip or a FLOAT bias");
        }
        return ManyScales(f);
      });
  Add(faults, {"first_zero_point_of_channels", "All channels take the first zero point."},
      {.rewrite = rewrites::FirstZeroPoint, .where = W::kFirst},
      Both(ManyScales, IntegerCodes));
  Add(faults,
      {"first_block_for_all", "All blocks take the scale and zero point of the first.",
       "block boundaries that are lost"},
      {.rewrite = rewrites::FirstBlockForAll, .where = W::kFirst},
      [](const GraphFacts& f) {
        return f.granularity == "blocked" ? Deviates()
                                          : Equivalent("there are no blocks");
      });
  Add(faults,
      {"previous_block_scale",
       "Each block takes the scale of the one before, the first that of the last.",
       "block numbers that are off by one"},
      {.rewrite = rewrites::PreviousBlockScale, .where = W::kFirst},
      [](const GraphFacts& f) {
        return f.granularity == "blocked" ? Deviates()
                                          : Equivalent("there are no blocks");
      });
  Add(faults,
      {"scales_taken_as_equal",
       "A scale that differs from the first only in its last bits is taken as that.",
       "scales that are compared with a tolerance"},
      {.rewrite = rewrites::ScalesTakenAsEqual}, Both(DequantizesAgain, FloatScales));
  Add(faults,
      {"scales_taken_as_close",
       "A scale that differs from the first by less than 2^-6 of it is taken as that.",
       "scales that are compared with a wide tolerance"},
      {.rewrite = rewrites::ScalesTakenAsClose}, DequantizesAgain);
  Add(faults,
      {"second_operand_takes_first",
       "The second operand is dequantized with scale and zero point of the first.",
       "patterns that check one operand"},
      {.rewrite = rewrites::SecondOperandTakesFirst}, TwoOperands);
  const auto two_outputs = [](const GraphFacts& f) {
    return f.HasPair("QuantizeLinear", "QuantizeLinear")
               ? Deviates()
               : Equivalent("the graph has one result of QuantizeLinear");
  };
  Add(faults,
      {"second_output_takes_first",
       "The second output takes scale and zero point of the first."},
      {.rewrite = rewrites::SecondOutputTakesFirst}, two_outputs);
  Add(faults, {"outputs_swapped", "The two outputs are exchanged."},
      {.rewrite = rewrites::OutputsSwapped}, Both(two_outputs, [](const GraphFacts& f) {
        return f.Has("Split") ? Equivalent("the outputs differ in their shapes")
                              : Deviates();
      }));
  Add(faults,
      {"output_scale_of_operand", "The result is quantized with the operand's scale."},
      {.rewrite = rewrites::OutputScaleOfInput}, Requantizes);
  Add(faults,
      {"output_zero_point_of_operand",
       "The result is quantized with the operand's zero point.",
       "pairs that are dropped if only their scales are equal"},
      {.rewrite = rewrites::OutputZeroPointOfInput}, Both(Requantizes, IntegerResult));
  Add(faults,
      {"scale_as_power_of_two", "Every scale is rounded to a power of two.",
       "accelerators that shift"},
      {.rewrite = rewrites::ScaleToPowerOfTwo},
      Both(GivesValues, Both(HasOneOf({"QuantizeLinear", "DequantizeLinear"}), Inexact)));
  Add(faults,
      {"scale_through_bfloat16_in_graph", "FLOAT scales are rounded to BFLOAT16.",
       "parameters that are stored in half precision"},
      {.rewrite = rewrites::ScaleToBfloat16},
      Both(GivesValues, Both(ByteCodes, Both(FloatScales, Inexact))));
  Add(faults,
      {"unsigned_codes_as_signed",
       "Unsigned codes of the first operand and their zero points are read as signed "
       "ones.",
       "one kernel for both"},
      {.rewrite = rewrites::UnsignedCodesAsSigned, .where = W::kFirst}, UnsignedOperand);
  Add(faults,
      {"unsigned_weights_as_signed",
       "Unsigned codes of the last operand and their zero points are read as signed "
       "ones.",
       "kernels for INT8 weights"},
      {.rewrite = rewrites::UnsignedWeightsAsSigned}, [](const GraphFacts& f) {
        const Declaration declared = IntegerWeights(f);
        if (declared.kind != Declaration::Kind::kDeviates) return declared;
        return IsUnsigned(f.weights) ? Deviates() : Equivalent("the codes are signed");
      });
  Add(faults,
      {"codes_moved_without_zero_point",
       "Unsigned codes are moved by half of their range to signed ones, zero points are "
       "not.",
       "conversions from UINT8 to INT8"},
      {.rewrite = rewrites::CodesMovedBy128, .where = W::kFirst},
      Both(GivesValues, UnsignedOperand));
}

}  // namespace qconform::graphs
