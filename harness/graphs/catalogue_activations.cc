// Activations, bounds and choices (GR-04, GR-05, GR-07).
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {

void AddActivationFaults(std::vector<OperatorFault>& faults) {
  const auto relu_to_codes = [](const GraphFacts& f) {
    if (!f.Has("Relu")) return Equivalent("the graph has no Relu");
    if (!f.EndsWith("QuantizeLinear") || !IsInteger(f.result)) {
      return Equivalent("it acts in front of integer codes");
    }
    return Deviates();
  };
  Add(faults,
      {"activation_dropped", "The activation is dropped.",
       "a QuantizeLinear that is taken for the activation whatever its zero point"},
      {.rewrite = rewrites::DropActivation},
      HasOneOf({"Relu", "LeakyRelu", "PRelu", "HardSigmoid", "HardSwish"}));
  Add(faults,
      {"relu_dropped_before_unsigned",
       "A Relu is dropped in front of unsigned codes, whatever the zero point.",
       "code that takes unsigned codes for values from 0 up"},
      {.rewrite = rewrites::DropReluOfUnsigned}, [=](const GraphFacts& f) {
        const Declaration declared = relu_to_codes(f);
        if (declared.kind != Declaration::Kind::kDeviates) return declared;
        return IsUnsigned(f.result) ? Deviates() : Equivalent("the codes are signed");
      });
  Add(faults,
      {"relu_dropped_at_minimum",
       "A Relu is dropped where the zero point is the least code, also if the scale is "
       "negative.",
       "foldings that look at the zero point only"},
      {.rewrite = rewrites::DropReluOfMinimum}, relu_to_codes);
  Add(faults,
      {"relu_dropped_beside_minimum",
       "A Relu is dropped where the zero point is the least code or the one beside it.",
       "symmetric codes that begin at -127"},
      {.rewrite = rewrites::DropReluBesideMinimum}, relu_to_codes);
  Add(faults,
      {"relu_dropped_by_first_zero_point",
       "A Relu is dropped where the first of several zero points is the least code."},
      {.rewrite = rewrites::DropReluByFirstZeroPoint}, [=](const GraphFacts& f) {
        const Declaration declared = relu_to_codes(f);
        if (declared.kind != Declaration::Kind::kDeviates) return declared;
        return ManyScalesOfResult(f);
      });
  Add(faults,
      {"relu_dropped_unless_8_bits",
       "A Relu is dropped in front of one zero point of fewer than 8 bits or of floats.",
       "foldings that look at zero points of 8 and 16 bits only"},
      {.rewrite = rewrites::DropReluUnlessZeroPointOf8Bits}, [=](const GraphFacts& f) {
        if (!f.HasPair("Relu", "QuantizeLinear") || f.Count("QuantizeLinear") > 1) {
          return Equivalent("no Relu stands in front of one QuantizeLinear");
        }
        if (IsInteger(f.result) && BitWidth(f.result) >= 8) {
          return Equivalent("its zero point is looked at");
        }
        return f.granularity == "per_tensor" || SumsUp(f)
                   ? Deviates()
                   : Equivalent("it acts on one zero point");
      });
  Add(faults,
      {"relu_by_codes",
       "A Relu becomes the larger of code and zero point, also if the scale is negative.",
       "activations that are folded into the clamp of codes"},
      {.rewrite = rewrites::ReluByCodes}, [=](const GraphFacts& f) {
        const Declaration declared = relu_to_codes(f);
        if (declared.kind != Declaration::Kind::kDeviates) return declared;
        return f.granularity == "per_tensor" || SumsUp(f)
                   ? Deviates()
                   : Equivalent("it acts on one zero point");
      });
  Add(faults,
      {"relu_before_operation", "The Relu acts on the first operand, not on the result."},
      {.rewrite = rewrites::ReluBeforeBinary}, [](const GraphFacts& f) {
        for (const std::string_view op_type : {"Add", "Sub", "Mul", "Div"}) {
          if (f.HasPair(op_type, "Relu")) return Deviates();
        }
        return Equivalent("no Relu follows an operation of two operands");
      });
  Add(faults,
      {"slope_taken_as_zero", "Negative numbers become 0, whatever the slope.",
       "kernels that know only Relu"},
      {.rewrite = rewrites::SlopeIsZero}, HasOneOf({"LeakyRelu", "PRelu"}));
  Add(faults,
      {"activation_with_default_attributes",
       "alpha and beta of an activation have their defaults.",
       "attributes that are lost on the way"},
      {.rewrite = rewrites::ActivationWithDefaults},
      HasOneOf({"LeakyRelu", "HardSigmoid"}));
  Add(faults, {"first_slope_for_all", "Every element takes the first slope."},
      {.rewrite = rewrites::FirstSlopeForAll}, HasOneOf({"PRelu"}));
  Add(faults, {"hard_swish_as_hard_sigmoid", "HardSwish gives its gate only."},
      {.rewrite = rewrites::HardSwishAsHardSigmoid}, HasOneOf({"HardSwish"}));
  Add(faults,
      {"bound_dropped", "Both bounds of a Clip are dropped.",
       "a QuantizeLinear whose range is taken for that of the Clip"},
      {.rewrite = rewrites::DropBounds}, HasOneOf({"Clip"}));
  Add(faults,
      {"bound_dropped_outside_range",
       "A Clip is dropped where its bounds are beyond those of the codes, also if the "
       "scale "
       "is negative.",
       "foldings that compare bounds with the least and the greatest code"},
      {.rewrite = rewrites::DropBoundsOfRange}, [](const GraphFacts& f) {
        if (!f.Has("Clip")) return Equivalent("the graph has no Clip");
        if (!f.EndsWith("QuantizeLinear") || !IsInteger(f.result)) {
          return Equivalent("it acts in front of integer codes");
        }
        return f.granularity == "per_tensor" || SumsUp(f)
                   ? Deviates()
                   : Equivalent("it acts on one scale");
      });
  Add(faults, {"low_bound_dropped", "The lower bound of a Clip is dropped."},
      {.rewrite = rewrites::DropLowBound}, HasOneOf({"Clip"}));
  Add(faults, {"high_bound_dropped", "The upper bound of a Clip is dropped."},
      {.rewrite = rewrites::DropHighBound}, HasOneOf({"Clip"}));
  Add(faults,
      {"bounds_in_codes_of_input",
       "The bounds of a Clip are rounded to the codes of its operand.",
       "a Clip that is moved in front of the DequantizeLinear"},
      {.rewrite = rewrites::BoundsInCodesOfInput}, [](const GraphFacts& f) {
        if (!f.Has("Clip")) return Equivalent("the graph has no Clip");
        if (!f.HasPair("DequantizeLinear", "Clip")) {
          return Equivalent("the operand of the Clip has no codes");
        }
        return IsInteger(f.operand) ? Deviates() : Equivalent("it acts on integer codes");
      });
  Add(faults, {"bounds_to_integers", "The bounds of a Clip are truncated to integers."},
      {.rewrite = rewrites::BoundsToIntegers}, HasOneOf({"Clip"}));
  Add(faults,
      {"clip_taken_as_relu6", "Every Clip is from 0 to 6.",
       "patterns of mobile networks"},
      {.rewrite = rewrites::ClipAsRelu6}, HasOneOf({"Clip"}));
  Add(faults,
      {"order_by_codes",
       "Codes are compared in place of values, although the scale is negative.",
       "MaxPool and ReduceMax on codes"},
      {.rewrite = rewrites::OrderByCodes}, [](const GraphFacts& f) {
        if (f.HasPair("DequantizeLinear", "MaxPool") ||
            f.HasPair("DequantizeLinear", "ReduceMax") ||
            f.HasPair("DequantizeLinear", "ReduceMin")) {
          return Deviates();
        }
        return Equivalent("no codes are compared");
      });
  Add(faults,
      {"order_of_argmax_by_codes",
       "ArgMax and ArgMin compare codes, although the scale is negative."},
      {.rewrite = rewrites::OrderOfArgMaxByCodes}, [](const GraphFacts& f) {
        if (f.HasPair("DequantizeLinear", "ArgMax") ||
            f.HasPair("DequantizeLinear", "ArgMin")) {
          return Deviates();
        }
        return Equivalent("no codes are compared");
      });
  Add(faults,
      {"argmax_takes_last", "Of equal elements ArgMax and ArgMin take the other end.",
       "select_last_index that is not read"},
      {.rewrite = rewrites::LastIndexToggled}, HasOneOf({"ArgMax", "ArgMin"}));
  Add(faults,
      {"last_of_equal_taken", "Of equal elements ArgMax and ArgMin take the last one.",
       "comparisons by >= in place of >"},
      {.rewrite = rewrites::LastIndexTaken}, HasOneOf({"ArgMax", "ArgMin"}));
  Add(faults,
      {"maximum_not_below_zero", "A maximum begins at 0.",
       "accumulators that begin at 0 in place of the least value"},
      {.rewrite = rewrites::MaximumAndZero}, HasOneOf({"MaxPool", "ReduceMax"}));
}

}  // namespace qconform::graphs
