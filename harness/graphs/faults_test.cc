// Wrong graphs on hand-made graphs: what each mistake gives, computed by hand.
#include "harness/graphs/faults.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/graphs/testing/hand_made.h"

namespace qconform::graphs {
namespace {

using enum DataType;

// x (UINT8) - DequantizeLinear - QuantizeLinear, scales 0.5 and 1, zero points 4 and 10.
HandMade Requantization() {
  return {.family = "graphs.requantization",
          .operands = {{"x", Of(kUint8, {4}, {4, 5, 7, 255})},
                       {"x_scale", Of(kFloat, {}, {0.5L})},
                       {"x_zero_point", Of(kUint8, {}, {4})},
                       {"y_scale", Of(kFloat, {}, {1})},
                       {"y_zero_point", Of(kUint8, {}, {10})}},
          .body = {Make("DequantizeLinear", {"x", "x_scale", "x_zero_point"}, "v"),
                   Make("QuantizeLinear", {"v", "y_scale", "y_zero_point"}, "y")}};
}

TEST(WrongGraphs, OfARequantization) {
  // Values 0, 0.5, 1.5, 125.5.
  const HandMade graph = Requantization();
  EXPECT_EQ(graph.Canonical(), (Codes{10, 10, 12, 136}));
  EXPECT_EQ(graph.By("ties_away"), (Codes{10, 11, 12, 136}));
  EXPECT_EQ(graph.By("ties_up"), (Codes{10, 11, 12, 136}));
  EXPECT_EQ(graph.By("truncates"), (Codes{10, 10, 11, 135}));
  EXPECT_EQ(graph.By("zero_point_of_output_ignored"), (Codes{0, 0, 2, 126}));
  EXPECT_EQ(graph.By("zero_point_of_operand_ignored"), (Codes{12, 12, 14, 138}));
  EXPECT_EQ(graph.By("requantization_dropped"), (Codes{4, 5, 7, 255}));
  EXPECT_EQ(graph.By("output_scale_of_operand"), (Codes{10, 11, 13, 255}));
  EXPECT_EQ(graph.By("output_zero_point_of_operand"), (Codes{4, 4, 6, 130}));
  EXPECT_EQ(graph.By("unsigned_codes_as_signed"), (Codes{10, 10, 12, 8}));
  EXPECT_EQ(graph.By("codes_moved_without_zero_point"), (Codes{0, 0, 0, 72}));
  EXPECT_EQ(graph.By("double_rounding"), (Codes{10, 11, 12, 136}));
  // It has no place for these.
  for (const char* name : {"activation_dropped", "bound_dropped", "alpha_ignored",
                           "axis_not_moved", "pair_merged", "sum_in_16_bits"}) {
    EXPECT_EQ(graph.By(name), graph.Canonical()) << name;
  }
  EXPECT_EQ(
      graph.SentenceOf("requantization_dropped"),
      "QuantizeLinear (node 2): The result keeps the operand's scale and zero point.");
}

HandMade TwoPairs() {
  return {.family = "graphs.requantization",
          .operands = {{"x", Of(kFloat, {4}, {0.3L, 1.2L, -3, 200})},
                       {"a_scale", Of(kFloat, {}, {0.5L})},
                       {"a_zero_point", Of(kUint8, {}, {2})},
                       {"b_scale", Of(kFloat, {}, {1})},
                       {"b_zero_point", Of(kUint8, {}, {10})}},
          .body = {Make("QuantizeLinear", {"x", "a_scale", "a_zero_point"}, "p"),
                   Make("DequantizeLinear", {"p", "a_scale", "a_zero_point"}, "q"),
                   Make("QuantizeLinear", {"q", "b_scale", "b_zero_point"}, "r"),
                   Make("DequantizeLinear", {"r", "b_scale", "b_zero_point"}, "y")}};
}

TEST(WrongGraphs, OfTwoPairs) {
  const HandMade graph = TwoPairs();
  EXPECT_EQ(graph.Canonical(), Floats({0, 1, -1, 126}));
  EXPECT_EQ(graph.By("first_pair_dropped"), Floats({0, 1, -3, 200}));
  EXPECT_EQ(graph.By("last_pair_dropped"), Floats({0.5L, 1, -1, 126.5L}));
  EXPECT_EQ(graph.By("saturation_dropped"), Floats({0, 1, -3, 200}));
  EXPECT_EQ(graph.By("rounding_dropped"), Floats({0, 1, -1, 126}));
  // From -1 to 126.5, which the first pair has: its scale and zero point.
  EXPECT_EQ(graph.By("pair_merged"), Floats({0.5L, 1, -1, 126.5L}));
  EXPECT_EQ(graph.By("inner_ties_away"), Floats({0, 1, -1, 126}));
}

// x (INT8) - DequantizeLinear - Relu - QuantizeLinear.
HandMade Relu(Number y_zero_point) {
  return {
      .family = "graphs.choosers",
      .operands = {{"x", Of(kInt8, {4}, {-3, -1, 1, 5})},
                   {"x_scale", Of(kFloat, {}, {1})},
                   {"y_scale", Of(kFloat, {}, {-1})},
                   {"y_zero_point", Of(kInt8, {}, {y_zero_point})}},
      .body = {Make("DequantizeLinear", {"x", "x_scale"}, "v"), Make("Relu", {"v"}, "w"),
               Make("QuantizeLinear", {"w", "y_scale", "y_zero_point"}, "y")}};
}

TEST(WrongGraphs, OfAnActivation) {
  const auto codes = [](std::vector<int> numbers) {
    Codes all;
    for (const int number : numbers) all.push_back(static_cast<uint8_t>(number));
    return all;
  };
  EXPECT_EQ(Relu(10).Canonical(), codes({10, 10, 9, 5}));
  EXPECT_EQ(Relu(10).By("activation_dropped"), codes({13, 11, 9, 5}));
  EXPECT_EQ(Relu(10).By("relu_by_codes"), codes({13, 11, 10, 10}));
  EXPECT_EQ(Relu(10).By("relu_dropped_at_minimum"), Relu(10).Canonical());
  EXPECT_EQ(Relu(-128).By("relu_dropped_at_minimum"), codes({-125, -127, -128, -128}));
  EXPECT_EQ(Relu(10).SentenceOf("activation_dropped"),
            "Relu (node 2): The activation is dropped.");
}

HandMade Sum() {
  // 2 x 5 by 5 x 1 in UINT8 and INT8.
  return {.family = "graphs.sums",
          .operands = {{"a", Of(kUint8, {2, 5}, {255, 255, 255, 255, 0, 1, 2, 3, 4, 5})},
                       {"a_scale", Of(kFloat, {}, {0.5L})},
                       {"a_zero_point", Of(kUint8, {}, {1})},
                       {"w", Of(kInt8, {5, 1}, {127, 127, 1, 1, 2})},
                       {"w_scale", Of(kFloat, {}, {0.25L})},
                       {"w_zero_point", Of(kInt8, {}, {1})},
                       {"y_scale", Of(kFloat, {}, {64})}},
          .body = {Make("DequantizeLinear", {"a", "a_scale", "a_zero_point"}, "p"),
                   Make("DequantizeLinear", {"w", "w_scale", "w_zero_point"}, "q"),
                   Make("MatMul", {"p", "q"}, "v"),
                   Make("QuantizeLinear", {"v", "y_scale"}, "y")}};
}

TEST(WrongGraphs, OfASum) {
  const HandMade graph = Sum();
  // 254 * 126 * 2 - 1 = 64007, and 126 + 4 = 130; both times 1/512.
  EXPECT_EQ(graph.Canonical(), (Codes{125, 0}));
  // 32767 - 1, by 512: 64.
  EXPECT_EQ(graph.By("sum_in_16_bits"), (Codes{64, 0}));
  // 64007 - 65536 = -1529.
  EXPECT_EQ(graph.By("sum_wraps_in_16_bits"), (Codes{0, 0}));
  EXPECT_EQ(graph.By("zero_point_of_weights_ignored"), (Codes{127, 0}));
}

TEST(WrongGraphs, OfNeighbouringProducts) {
  // 2 * 255 * 127 saturates to 32767; 510 and 0 follow. The zero points take away
  // 65280 - 64007: 32004, by 512.
  EXPECT_EQ(Sum().By("pairs_of_products_in_16_bits"), (Codes{63, 0}));
  EXPECT_EQ(Sum().By("shifted_pairs_of_products_in_16_bits"), Sum().Canonical());
  // The same codes less 128 are these after the shift.
  HandMade shifted = Sum();
  shifted.operands[0].second =
      Of(kInt8, {2, 5}, {127, 127, 127, 127, -128, -127, -126, -125, -124, -123});
  shifted.operands[2].second = Of(kInt8, {}, {-127});
  EXPECT_EQ(shifted.Canonical(), Sum().Canonical());
  EXPECT_EQ(shifted.By("shifted_pairs_of_products_in_16_bits"), (Codes{63, 0}));
  EXPECT_EQ(shifted.By("pairs_of_products_in_16_bits"), shifted.Canonical());
}

// 1 x 2 by the transposed 2 x 2, with a bias of INT32 or FLOAT: 1.375 and 3.125 without
// it.
HandMade Gemm(std::vector<Number> bias, bool is_float) {
  HandMade graph{.family = "graphs.sums",
                 .operands = {{"a", Of(kUint8, {1, 2}, {3, 4})},
                              {"a_scale", Of(kFloat, {}, {0.5L})},
                              {"w", Of(kInt8, {2, 2}, {1, 2, 3, 4})},
                              {"w_scale", Of(kFloat, {}, {0.25L})},
                              {"b", Of(is_float ? kFloat : kInt32, {2}, bias)},
                              {"b_scale", Of(kFloat, {}, {0.125L})}},
                 .body = {Make("DequantizeLinear", {"a", "a_scale"}, "p"),
                          Make("DequantizeLinear", {"w", "w_scale"}, "q")}};
  if (!is_float) graph.body.push_back(Make("DequantizeLinear", {"b", "b_scale"}, "c"));
  graph.body.push_back(
      Make("Gemm", {"p", "q", is_float ? "b" : "c"}, "y", {{"transB", int64_t{1}}}));
  if (is_float) graph.operands.pop_back();
  return graph;
}

TEST(WrongGraphs, OfABias) {
  const HandMade graph = Gemm({40000, -8}, false);
  EXPECT_EQ(graph.Canonical(), Floats({5001.375L, 2.125L}));
  EXPECT_EQ(graph.By("bias_in_16_bits"), Floats({4097.25L, 2.125L}));
  // Weights by rows: 1.875 and 2.75.
  EXPECT_EQ(graph.By("transposition_of_weights_ignored"), Floats({5001.875L, 1.75L}));
  const HandMade of_float = Gemm({0.7L, -0.3L}, true);
  // 0.5 and -0.5; 0.75 and -0.25.
  EXPECT_EQ(of_float.By("bias_rounded_to_scale_of_operand"), Floats({1.875L, 2.625L}));
  EXPECT_EQ(of_float.By("bias_rounded_to_int32"), Floats({2.125L, 2.875L}));
}

// x - DequantizeLinear - a pool of 2 or 3 elements, padded by 1 on both sides.
HandMade Pool(std::string op_type, Tensor x, Number scale, Number zero_point,
              int64_t kernel) {
  const DataType type = x.type;
  return {.family = "graphs.sums",
          .operands = {{"x", std::move(x)},
                       {"x_scale", Of(kFloat, {}, {scale})},
                       {"x_zero_point", Of(type, {}, {zero_point})}},
          .body = {Make("DequantizeLinear", {"x", "x_scale", "x_zero_point"}, "v"),
                   Make(std::move(op_type), {"v"}, "y",
                        {{"kernel_shape", std::vector<int64_t>{kernel}},
                         {"pads", std::vector<int64_t>{1, 1}}})}};
}

TEST(WrongGraphs, OfPools) {
  // 4097, 12291 and 20485: 4096, 12288 and 20480 in FLOAT16.
  HandMade mean = Pool("AveragePool", Of(kUint8, {1, 1, 3}, {2, 4, 6}), 4097, 1, 3);
  EXPECT_EQ(mean.Canonical(), Floats({8194, 12291, 16388}));
  EXPECT_EQ(mean.By("mean_in_float16"), Floats({8192, 12288, 16384}));
  EXPECT_EQ(mean.By("padding_never_counted"), mean.Canonical());
  EXPECT_EQ(mean.By("padding_always_counted"),
            Floats({16388 / 3.0L, 12291, 32776 / 3.0L}));
  mean.body.back().outputs = {"w"};
  mean.operands.emplace_back("y_scale", Of(kFloat, {}, {4097}));
  mean.operands.emplace_back("y_zero_point", Of(kUint8, {}, {250}));
  mean.body.push_back(Make("QuantizeLinear", {"w", "y_scale", "y_zero_point"}, "y"));
  EXPECT_EQ(mean.Canonical(), (Codes{252, 253, 254}));
  EXPECT_EQ(mean.By("zero_point_of_output_added_twice"), (Codes{255, 255, 255}));
  const HandMade maximum = Pool("MaxPool", Of(kInt8, {1, 1, 2}, {-3, -1}), 1, 0, 2);
  EXPECT_EQ(maximum.Canonical(), Floats({-3, -1, -1}));
  EXPECT_EQ(maximum.By("maximum_padded_with_zero"), Floats({0, -1, 0}));
  // The same of floats that no code gave.
  const HandMade of_floats{
      .family = "graphs.choosers",
      .operands = {{"x", Of(kFloat, {1, 1, 2}, {-3, -1})},
                   {"y_scale", Of(kFloat, {}, {1})},
                   {"y_zero_point", Of(kInt8, {}, {10})}},
      .body = {Make("MaxPool", {"x"}, "v",
                    {{"kernel_shape", std::vector<int64_t>{2}},
                     {"pads", std::vector<int64_t>{1, 1}}}),
               Make("QuantizeLinear", {"v", "y_scale", "y_zero_point"}, "y")}};
  EXPECT_EQ(of_floats.Canonical(), (Codes{7, 9, 9}));
  EXPECT_EQ(of_floats.By("maximum_padded_with_zero"), (Codes{10, 9, 10}));
}

TEST(WrongGraphs, OfOrderAndSign) {
  const HandMade index{.family = "graphs.choosers",
                       .operands = {{"x", Of(kUint8, {1, 3}, {2, 2, 1})},
                                    {"x_scale", Of(kFloat, {}, {1})}},
                       .body = {Make("DequantizeLinear", {"x", "x_scale"}, "v"),
                                Make("ArgMax", {"v"}, "y", {{"axis", int64_t{1}}})}};
  EXPECT_EQ(index.Canonical(), (Codes{0}));
  EXPECT_EQ(index.By("last_of_equal_taken"), (Codes{1}));
  for (const auto& [op_type, right] :
       {std::pair("Neg", Floats({128, -3})), std::pair("Abs", Floats({128, 3}))}) {
    const HandMade graph{
        .family = "graphs.arithmetic",
        .operands = {{"x", Of(kInt8, {2}, {-128, 3})}, {"x_scale", Of(kFloat, {}, {1})}},
        .body = {Make("DequantizeLinear", {"x", "x_scale"}, "v"),
                 Make(op_type, {"v"}, "y")}};
    EXPECT_EQ(graph.Canonical(), right);
    EXPECT_EQ(graph.By("least_code_not_negated"), (Codes{Floats({-128})[0], right[1]}));
  }
}

TEST(WrongGraphs, OfManyScales) {
  const HandMade conv{
      .family = "graphs.sums",
      .operands = {{"x", Of(kUint8, {1, 2, 1}, {1, 1})},
                   {"x_scale", Of(kFloat, {}, {1})},
                   {"w", Of(kInt8, {4, 1, 1}, {1, 1, 1, 1})},
                   {"w_scale", Of(kFloat, {4}, {1, 2, 3, 4})}},
      .body = {Make("DequantizeLinear", {"x", "x_scale"}, "p"),
               Make("DequantizeLinear", {"w", "w_scale"}, "q", {{"axis", int64_t{0}}}),
               Make("Conv", {"p", "q"}, "y", {{"group", int64_t{2}}})}};
  EXPECT_EQ(conv.Canonical(), Floats({1, 2, 3, 4}));
  EXPECT_EQ(conv.By("scale_of_group_for_channels"), Floats({1, 1, 2, 2}));
  const HandMade blocks{
      .family = "graphs.weights",
      .operands = {{"x", Of(kInt8, {6, 1}, {1, 1, 1, 1, 1, 1})},
                   {"x_scale", Of(kFloat, {3, 1}, {1, 2, 4})}},
      .body = {Make("DequantizeLinear", {"x", "x_scale"}, "y",
                    {{"axis", int64_t{0}}, {"block_size", int64_t{2}}})}};
  EXPECT_EQ(blocks.Canonical(), Floats({1, 1, 2, 2, 4, 4}));
  EXPECT_EQ(blocks.By("previous_block_scale"), Floats({4, 4, 1, 1, 2, 2}));
  EXPECT_EQ(blocks.By("first_block_for_all"), Floats({1, 1, 1, 1, 1, 1}));
}

TEST(WrongGraphs, OfRoundedActivations) {
  // Two blocks, of 32 and 2: the second has nothing but 1.25.
  std::vector<Number> a(34, 0);
  a[0] = 127;
  a[1] = 1.25L;
  a[32] = 1.25L;
  const HandMade graph{.family = "graphs.weights",
                       .operands = {{"a", Of(kFloat, {1, 34}, a)},
                                    {"w", Of(kInt8, {34, 1}, std::vector<Number>(34, 1))},
                                    {"w_scale", Of(kFloat, {}, {1})}},
                       .body = {Make("DequantizeLinear", {"w", "w_scale"}, "q"),
                                Make("MatMul", {"a", "q"}, "y")}};
  EXPECT_EQ(graph.Canonical(), Floats({129.5L}));
  EXPECT_EQ(graph.By("activations_quantized_by_row"), Floats({129}));
  EXPECT_EQ(graph.By("activations_quantized_by_block"), Floats({129.25L}));
}

// Rewrites find what others made: an edited scale, a node that is dropped or exchanged.
TEST(WrongGraphs, InPairs_GiveCodes) {
  for (const HandMade& graph : {Requantization(), TwoPairs(), Relu(-128), Sum()}) {
    const auto decoded = graph.Decoded();
    const OperatorFaults& faults = *FindOperatorFaults(graph.family);
    for (const OperatorFault& first : faults.catalogue()) {
      for (const OperatorFault& second : faults.catalogue()) {
        const auto both = faults.Merge(first.set, second.set);
        if (!both) continue;
        FaultState state;
        EXPECT_EQ(decoded->CodesOf(*both, state).size(), decoded->canonical().size())
            << first.text.name << " " << second.text.name;
      }
    }
  }
}

// A backend that sums in its own floats may be one code from the wrong graph; one that
// only requantizes may not.
TEST(WrongGraphs, AreNearWhereFloatsAreComputed) {
  EXPECT_TRUE(Sum().Decoded()->computes_in_floats());
  EXPECT_TRUE(Sum().Decoded()->IsNear(0, 125, 126));
  EXPECT_FALSE(Sum().Decoded()->IsNear(0, 125, 127));
  EXPECT_FALSE(Requantization().Decoded()->computes_in_floats());
  EXPECT_FALSE(Requantization().Decoded()->IsNear(0, 10, 11));
  EXPECT_FALSE(Relu(10).Decoded()->IsNear(0, 10, 11));
}

TEST(WrongGraphs, AreAtLeastSixty) {
  const auto catalogue = FindOperatorFaults("graphs.sums")->catalogue();
  EXPECT_GE(catalogue.size(), 60u);
  for (const OperatorFault& fault : catalogue) {
    EXPECT_FALSE(fault.text.sentence.empty()) << fault.text.name;
  }
}

}  // namespace
}  // namespace qconform::graphs
