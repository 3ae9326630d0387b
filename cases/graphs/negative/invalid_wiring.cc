// Graphs that are no model of ONNX because of their edges or of their float nodes: GR-01.
#include "cases/graphs/negative/graph_spec.h"

namespace qconform::negative::graphs {
namespace {

using enum DataType;
using enum ModelPhase;

// Scale and zero point of a tensor, per tensor.
std::vector<GraphInput> With(std::vector<GraphInput> inputs, const std::string& codes,
                             DataType type, DataType scale = kFloat) {
  inputs.push_back({codes + "_scale", {scale, {}}, true});
  inputs.push_back({codes + "_zero_point", {type, {}}, true});
  return inputs;
}

// DQ,DQ-Add-Q.
GraphSpec Sum(Shape a, Shape b, Shape y, DataType b_scale = kFloat) {
  return {"graphs.arithmetic",
          With(With(With({Fed("a", kUint8, std::move(a)), Fed("b", kUint8, std::move(b))},
                         "a", kUint8),
                    "b", kUint8, b_scale),
               "y", kUint8),
          {Dequantize("a", "da"), Dequantize("b", "db"),
           MakeNode("Add", {"da", "db"}, {"s"}), Quantize("s", "y")},
          {{"y", kUint8, std::move(y)}}};
}

// DQ,DQ-MatMul-Q.
GraphSpec Product(Shape a, Shape b, Shape y) {
  return {"graphs.sums",
          With(With(With({Fed("a", kUint8, std::move(a)), Fed("b", kInt8, std::move(b))},
                         "a", kUint8),
                    "b", kInt8),
               "y", kUint8),
          {Dequantize("a", "da"), Dequantize("b", "db"),
           MakeNode("MatMul", {"da", "db"}, {"s"}), Quantize("s", "y")},
          {{"y", kUint8, std::move(y)}}};
}

// DQ,DQ,FLOAT-Conv-Q or -Gemm-Q with a bias.
GraphSpec Biased(std::string_view op_type, Shape x, Shape w, Shape bias, Shape y) {
  return {"graphs.sums",
          With(With(With({Fed("x", kUint8, std::move(x)), Fed("w", kInt8, std::move(w)),
                          Fed("bias", kFloat, std::move(bias))},
                         "x", kUint8),
                    "w", kInt8),
               "y", kUint8),
          {Dequantize("x", "dx"), Dequantize("w", "dw"),
           MakeNode(op_type, {"dx", "dw", "bias"}, {"s"}), Quantize("s", "y")},
          {{"y", kUint8, std::move(y)}}};
}

// Q-M-DQ: a node that moves or chooses codes.
GraphSpec OnCodes(std::string_view family, std::string_view op_type, DataType codes) {
  return {family,
          With({Fed("x", kFloat, {2, 3})}, "q", codes),
          {Quantize("x", "q"), MakeNode(op_type, {"q"}, {"m"}),
           MakeNode("DequantizeLinear", {"m", "q_scale", "q_zero_point"}, {"y"})},
          {{"y", kFloat, op_type == "Transpose" ? Shape{3, 2} : Shape{2, 3}}}};
}

// DQ-Relu-Q with nodes as they are given.
GraphSpec OfNodes(std::vector<Node> nodes, const char* output = "y") {
  return {"graphs.choosers",
          With(With({Fed("x", kUint8, {2, 3})}, "x", kUint8), "y", kUint8),
          std::move(nodes),
          {{output, kUint8, {2, 3}}}};
}

}  // namespace

void AddInvalidWiring(std::vector<NegativeModel>& models) {
  const GraphRows checker{"GR-01", ModelKind::kInvalid, kChecker, models};
  checker("cycle", "the Add reads the Neg, which reads the Add", kEvery,
          OfNodes({Dequantize("x", "d"), MakeNode("Add", {"d", "n"}, {"r"}),
                   MakeNode("Neg", {"r"}, {"n"}), Quantize("n", "y")}));
  checker("reads_itself", "the Max reads its own output", kEvery,
          OfNodes({Dequantize("x", "d"), MakeNode("Max", {"d", "m"}, {"m"}),
                   Quantize("m", "y")}));
  checker(
      "not_in_order", "QuantizeLinear stands in front of the Relu that it reads", kEvery,
      OfNodes({Dequantize("x", "d"), Quantize("r", "y"), MakeNode("Relu", {"d"}, {"r"})}),
      OfNodes(
          {Dequantize("x", "d"), MakeNode("Relu", {"d"}, {"r"}), Quantize("r", "y")}));
  checker("reads_what_nobody_gives", "the Relu reads a value that no node gives", kEvery,
          OfNodes({Dequantize("x", "d"), MakeNode("Relu", {"e"}, {"r"}),
                   Quantize("r", "y")}));
  checker("name_given_twice",
          "the DequantizeLinear and the Relu name their outputs alike", kEvery,
          OfNodes({Dequantize("x", "d"), MakeNode("Relu", {"d"}, {"d"}),
                   Quantize("d", "y")}));

  const GraphRows inference{"GR-01", ModelKind::kInvalid, kShapeInference, models};
  inference("scale_types_of_a_sum_differ", "a_scale is FLOAT, b_scale FLOAT16",
            {19, 21, 28}, Sum({2, 3}, {2, 3}, {2, 3}, kFloat16));
  inference("shapes_of_a_sum_do_not_broadcast", "[2,3] and [2] are added", kEvery,
            Sum({2, 3}, {2}, {2, 3}));
  inference("sizes_of_a_product_differ", "[2,3] by [2,3]", kEvery,
            Product({2, 3}, {2, 3}, {2, 3}));
  inference("transpose_of_float8_codes",
            "the Transpose of FLOAT8E4M3FN codes came with opset_version 21", {19},
            OnCodes("graphs.movers", "Transpose", kFloat8E4M3FN), LegalSince{21});
  inference("max_of_int4_codes", "Max has no INT4", {21, 28},
            OnCodes("graphs.choosers", "Max", kInt4));
  inference("relu_of_unsigned_codes", "Relu has no UINT8", kEvery,
            OnCodes("graphs.choosers", "Relu", kUint8));

  const GraphRows load{"GR-01", ModelKind::kInvalid, kLoad, models};
  load("bias_of_gemm_does_not_broadcast", "the product is [2,4], the bias [3]", kEvery,
       Biased("Gemm", {2, 3}, {3, 4}, {3}, {2, 4}));
  load("bias_of_conv_of_wrong_length", "4 output channels, 3 elements of the bias",
       kEvery, Biased("Conv", {1, 2, 5}, {4, 2, 3}, {3}, {1, 4, 3}));
  load("channels_of_conv_differ", "x has 3 channels, w 2", kEvery,
       Biased("Conv", {1, 3, 5}, {4, 2, 3}, {4}, {1, 4, 3}));
}

}  // namespace qconform::negative::graphs
