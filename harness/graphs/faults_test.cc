// Wrong graphs on hand-made graphs: what each mistake gives, computed by hand.
#include "harness/graphs/faults.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/fault.h"
#include "harness/graphs/numbers.h"
#include "oracle/formats/codes.h"

namespace qconform::graphs {
namespace {

using enum DataType;

constexpr int kOpsetVersion = 21;

Node Make(std::string op_type, std::vector<std::string> inputs, std::string output,
          std::vector<Attribute> attributes = {}) {
  return {.op_type = std::move(op_type),
          .domain = "",
          .inputs = std::move(inputs),
          .outputs = {std::move(output)},
          .attributes = std::move(attributes)};
}

struct HandMade {
  std::string family;
  std::vector<std::pair<std::string, Tensor>> operands;
  std::vector<Node> body;
  std::vector<std::string> outputs = {"y"};

  std::shared_ptr<const DecodedCase> Decoded() const {
    Node node{.op_type = family,
              .domain = "",
              .inputs = {},
              .outputs = outputs,
              .attributes = {},
              .body = body};
    Operands views;
    for (const auto& [name, tensor] : operands) {
      node.inputs.push_back(name);
      views.emplace_back(tensor.view());
    }
    const auto graph = Workspace::Create(node, kOpsetVersion, views);
    EXPECT_TRUE(graph.ok()) << graph.error().message;
    if (!graph) return nullptr;
    Codes canonical;
    for (const std::string& output : outputs) {
      for (const uint64_t code : ReadCodes(graph->ValueOf(output)->view())) {
        canonical.push_back(static_cast<uint32_t>(code));
      }
    }
    const auto decoded = FindOperatorFaults(family)->Decode(node, kOpsetVersion, views,
                                                            canonical, ReadingSet());
    EXPECT_TRUE(decoded.ok()) << decoded.error().message;
    return decoded ? *decoded : nullptr;
  }

  Codes By(std::string_view fault) const {
    const auto decoded = Decoded();
    const Fault* found = FindFault(fault);
    EXPECT_NE(found, nullptr) << fault;
    if (decoded == nullptr || found == nullptr) return {};
    FaultState state;
    return decoded->CodesOf(*found, state);
  }
  Codes Canonical() const { return Decoded()->canonical(); }
  std::string SentenceOf(std::string_view fault) const {
    return Decoded()->SentenceOf(*FindFault(fault)->SetFor(family));
  }
};

Tensor Of(DataType type, Shape shape, const std::vector<Number>& numbers) {
  return TensorOfNumbers(type, shape, numbers);
}

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
  const auto floats = [](std::vector<Number> numbers) {
    Codes codes;
    const Tensor tensor = Of(kFloat, {static_cast<int64_t>(numbers.size())}, numbers);
    for (const uint64_t code : ReadCodes(tensor.view())) {
      codes.push_back(static_cast<uint32_t>(code));
    }
    return codes;
  };
  EXPECT_EQ(graph.Canonical(), floats({0, 1, -1, 126}));
  EXPECT_EQ(graph.By("first_pair_dropped"), floats({0, 1, -3, 200}));
  EXPECT_EQ(graph.By("last_pair_dropped"), floats({0.5L, 1, -1, 126.5L}));
  EXPECT_EQ(graph.By("saturation_dropped"), floats({0, 1, -3, 200}));
  EXPECT_EQ(graph.By("rounding_dropped"), floats({0, 1, -1, 126}));
  // From -1 to 126.5, which the first pair has: its scale and zero point.
  EXPECT_EQ(graph.By("pair_merged"), floats({0.5L, 1, -1, 126.5L}));
  EXPECT_EQ(graph.By("inner_ties_away"), floats({0, 1, -1, 126}));
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
