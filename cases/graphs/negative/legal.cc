// Legal graphs that look odd, and open ones: GR-01, GR-09, GR-11.
#include "cases/graphs/negative/graph_spec.h"

namespace qconform::negative::graphs {
namespace {

using enum DataType;
using enum ModelPhase;

const std::vector<GraphInput>& UINT8Inputs() {
  static const std::vector<GraphInput> inputs = {
      Fed("x", kUint8, {2, 3}), Constant("x_scale", kFloat, {}),
      Constant("x_zero_point", kUint8, {}), Constant("y_scale", kFloat, {}),
      Constant("y_zero_point", kUint8, {})};
  return inputs;
}

GraphSpec OfCodes(std::string_view family, std::vector<Node> nodes,
                  std::vector<ValueInfo> outputs = {{"y", kUint8, {2, 3}}}) {
  return {family, UINT8Inputs(), std::move(nodes), std::move(outputs)};
}

}  // namespace

void AddLegal(std::vector<NegativeModel>& models) {
  const GraphRows shared{"GR-09", ModelKind::kLegal, kNone, models};
  shared("legal_shared_initializers",
         "both nodes read the same initializers as scale and zero point", kEvery,
         {"graphs.round_trip",
          {Fed("x", kFloat, {2, 3}), Constant("q_scale", kFloat, {}),
           Constant("q_zero_point", kInt8, {})},
          {Quantize("x", "q"),
           MakeNode("DequantizeLinear", {"q", "q_scale", "q_zero_point"}, {"y"})},
          {{"y", kFloat, {2, 3}}}});
  shared("legal_scale_is_data",
         "one initializer is the scale of both nodes and an operand of the Mul", kEvery,
         OfCodes("graphs.arithmetic",
               {Dequantize("x", "d"), MakeNode("Mul", {"d", "x_scale"}, {"m"}),
                MakeNode("QuantizeLinear", {"m", "x_scale", "x_zero_point"}, {"y"})}));

  const GraphRows inputs{"GR-01", ModelKind::kLegal, kNone, models};
  inputs("legal_no_zero_points", "both zero points are absent: UINT8 and 0", kEvery,
         {"graphs.round_trip",
          {Fed("x", kFloat, {2, 3}), Constant("q_scale", kFloat, {})},
          {MakeNode("QuantizeLinear", {"x", "q_scale"}, {"q"}),
           MakeNode("DequantizeLinear", {"q", "q_scale"}, {"y"})},
          {{"y", kFloat, {2, 3}}}});
  inputs("legal_empty_names", "optional inputs are left out by an empty name", kEvery,
         {"graphs.choosers",
          {Fed("x", kUint8, {2, 3}), Constant("x_scale", kFloat, {}),
           Constant("max", kFloat, {}), Constant("y_scale", kFloat, {})},
          {MakeNode("DequantizeLinear", {"x", "x_scale", ""}, {"d"}),
           MakeNode("Clip", {"d", "", "max"}, {"c"}),
           MakeNode("QuantizeLinear", {"c", "y_scale", ""}, {"y"})},
          {{"y", kUint8, {2, 3}}}});
  inputs("legal_clip_without_bounds", "the Clip has no bounds", kEvery,
         OfCodes("graphs.choosers", {Dequantize("x", "d"), MakeNode("Clip", {"d"}, {"c"}),
                                   Quantize("c", "y")}));
  inputs("legal_max_of_one", "the Max has one operand", kEvery,
         OfCodes("graphs.choosers", {Dequantize("x", "d"), MakeNode("Max", {"d"}, {"m"}),
                                   Quantize("m", "y")}));
  inputs("legal_operand_twice", "the Add reads one DequantizeLinear twice", kEvery,
         OfCodes("graphs.arithmetic",
               {Dequantize("x", "d"), MakeNode("Add", {"d", "d"}, {"s"}),
                Quantize("s", "y")}));
  inputs("legal_axis_of_one_scale", "a scale of one element for an axis of one element",
         kEvery,
         {"graphs.requantization",
          {Fed("x", kUint8, {1, 3}), Constant("x_scale", kFloat, {1}),
           Constant("x_zero_point", kUint8, {1}), Constant("y_scale", kFloat, {}),
           Constant("y_zero_point", kInt8, {})},
          {Dequantize("x", "d", {{"axis", int64_t{0}}}), Quantize("d", "y")},
          {{"y", kInt8, {1, 3}}}});
  inputs(
      "legal_axis_from_the_end", "the axis behind the Transpose is given as -2", kEvery,
      {"graphs.movers",
       {Fed("x", kInt8, {2, 3}), Constant("x_scale", kFloat, {3}),
        Constant("x_zero_point", kInt8, {3}), Constant("y_scale", kFloat, {3}),
        Constant("y_zero_point", kInt8, {3})},
       {Dequantize("x", "d", {{"axis", int64_t{-1}}}),
        MakeNode("Transpose", {"d"}, {"t"}), Quantize("t", "y", {{"axis", int64_t{-2}}})},
       {{"y", kInt8, {3, 2}}}});
  inputs("legal_scalar", "x has no axis", kEvery,
         {"graphs.choosers",
          {Fed("x", kUint8, {}), Constant("x_scale", kFloat, {}),
           Constant("x_zero_point", kUint8, {}), Constant("y_scale", kFloat, {}),
           Constant("y_zero_point", kInt8, {})},
          {Dequantize("x", "d"), MakeNode("Relu", {"d"}, {"r"}), Quantize("r", "y")},
          {{"y", kInt8, {}}}});
  inputs("legal_no_elements", "x has no elements", kEvery,
         {"graphs.movers",
          {Fed("x", kUint8, {2, 0}), Constant("x_scale", kFloat, {}),
           Constant("x_zero_point", kUint8, {}), Constant("y_scale", kFloat, {}),
           Constant("y_zero_point", kInt8, {})},
          {Dequantize("x", "d"), MakeNode("Transpose", {"d"}, {"t"}), Quantize("t", "y")},
          {{"y", kInt8, {0, 2}}}});
  inputs(
      "legal_identities", "the QuantizeLinear reads x through five Identities", kEvery,
      OfCodes("graphs.movers",
            {Dequantize("x", "d"), MakeNode("Identity", {"d"}, {"i1"}),
             MakeNode("Identity", {"i1"}, {"i2"}), MakeNode("Identity", {"i2"}, {"i3"}),
             MakeNode("Identity", {"i3"}, {"i4"}), MakeNode("Identity", {"i4"}, {"i5"}),
             Quantize("i5", "y")}));
  inputs("legal_transpose_of_codes", "the Transpose stands between the codes", kEvery,
         {"graphs.movers",
          {Fed("x", kFloat, {2, 3}), Constant("q_scale", kFloat, {}),
           Constant("q_zero_point", kInt8, {})},
          {Quantize("x", "q"), MakeNode("Transpose", {"q"}, {"t"}),
           MakeNode("DequantizeLinear", {"t", "q_scale", "q_zero_point"}, {"y"})},
          {{"y", kFloat, {3, 2}}}});
  inputs("legal_bias_of_one", "the bias of the Gemm is a scalar", kEvery,
         {"graphs.sums",
          {Fed("x", kUint8, {2, 3}), Constant("x_scale", kFloat, {}),
           Constant("x_zero_point", kUint8, {}), Constant("w", kInt8, {3, 4}),
           Constant("w_scale", kFloat, {}), Constant("w_zero_point", kInt8, {}),
           Constant("bias", kFloat, {}), Constant("y_scale", kFloat, {}),
           Constant("y_zero_point", kInt8, {})},
          {Dequantize("x", "dx"), Dequantize("w", "dw"),
           MakeNode("Gemm", {"dx", "dw", "bias"}, {"s"}), Quantize("s", "y")},
          {{"y", kInt8, {2, 4}}}});

  const GraphRows outputs{"GR-11", ModelKind::kLegal, kNone, models};
  outputs(
      "legal_intermediate_is_output", "what the Relu gives is an output, too", kEvery,
      OfCodes("graphs.choosers",
            {Dequantize("x", "d"), MakeNode("Relu", {"d"}, {"r"}), Quantize("r", "y")},
            {{"y", kUint8, {2, 3}}, {"r", kFloat, {2, 3}}}));
  outputs("legal_codes_between_are_output",
          "the codes between the pair are an output, too", kEvery,
          {"graphs.round_trip",
           {Fed("x", kFloat, {2, 3}), Constant("q_scale", kFloat, {}),
            Constant("q_zero_point", kInt8, {})},
           {Quantize("x", "q"),
            MakeNode("DequantizeLinear", {"q", "q_scale", "q_zero_point"}, {"y"})},
           {{"y", kFloat, {2, 3}}, {"q", kInt8, {2, 3}}}});
  outputs("legal_two_readers", "a Relu and a Neg read one DequantizeLinear", kEvery,
          OfCodes("graphs.arithmetic",
                {Dequantize("x", "d"), MakeNode("Relu", {"d"}, {"r"}),
                 MakeNode("Neg", {"d"}, {"n"}), Quantize("r", "y"),
                 MakeNode("QuantizeLinear", {"n", "y_scale", "x_zero_point"}, {"z"})},
                {{"y", kUint8, {2, 3}}, {"z", kUint8, {2, 3}}}));
  outputs(
      "legal_output_nobody_reads", "nobody reads what the Neg gives", kEvery,
      OfCodes("graphs.arithmetic", {Dequantize("x", "d"), MakeNode("Neg", {"d"}, {"n"}),
                                  MakeNode("Abs", {"d"}, {"a"}), Quantize("a", "y")}));
}

void AddOpen(std::vector<NegativeModel>& models) {
  const GraphRows open{"GR-01", ModelKind::kOpen, kNone, models};
  const auto relu = [](Shape scale, Shape zero_point) {
    return GraphSpec{
        "graphs.choosers",
        {Fed("x", kUint8, {2, 3}), Constant("x_scale", kFloat, scale),
         Constant("x_zero_point", kUint8, zero_point), Constant("y_scale", kFloat, {}),
         Constant("y_zero_point", kUint8, {})},
        {Dequantize("x", "d"), MakeNode("Relu", {"d"}, {"r"}), Quantize("r", "y")},
        {{"y", kUint8, {2, 3}}}};
  };
  open("open_scale_of_shape_1",
       "x_scale and x_zero_point are [1], no axis has one element", kEvery,
       relu({1}, {1}));
  open("open_scale_1_zero_point_scalar", "x_scale is [1], x_zero_point a scalar", kEvery,
       relu({1}, {}));
}

}  // namespace qconform::negative::graphs
