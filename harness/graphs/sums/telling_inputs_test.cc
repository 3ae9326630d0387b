// Inputs at which pairs of products leave the range of 16 bits.
#include "harness/graphs/sums/telling_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harness/graphs/testing/hand_made.h"

namespace qconform::graphs {
namespace {

using enum DataType;

constexpr int64_t kTerms = 1536;
constexpr int64_t kColumns = 8;
// Of each column, the pairs of weights that exceed 16 bits begin here.
constexpr int64_t kPlaces[] = {0, 510, 1024, 1534};

// a[1,1536] by w[1536,8]: all weights are small, but pairs of 100 and 90 in the columns 0
// to 5 at one of kPlaces each. Column 6 has a pair of -100, column 7 none.
HandMade LongSum(DataType operand, Number zero_point) {
  std::vector<Number> weights;
  for (int64_t i = 0; i < kTerms * kColumns; ++i) weights.push_back(i % 41 - 20);
  for (int64_t column = 0; column < 7; ++column) {
    const int64_t first = kPlaces[column % 4] * kColumns + column;
    weights[static_cast<size_t>(first)] = column == 6 ? -100 : 100;
    weights[static_cast<size_t>(first + kColumns)] = column == 6 ? -100 : 90;
  }
  return {.family = kSums,
          .operands = {{"a", Of(operand, {1, kTerms}, std::vector<Number>(kTerms))},
                       {"a_scale", Of(kFloat, {}, {0.02L})},
                       {"a_zero_point", Of(operand, {}, {zero_point})},
                       {"w", Of(kInt8, {kTerms, kColumns}, weights)},
                       {"w_scale", Of(kFloat, {}, {0.0071L})},
                       {"y_scale", Of(kFloat, {}, {0.03L})},
                       {"y_zero_point", Of(kUint8, {}, {100})}},
          .body = {Make("DequantizeLinear", {"a", "a_scale", "a_zero_point"}, "p"),
                   Make("DequantizeLinear", {"w", "w_scale"}, "q"),
                   Make("MatMul", {"p", "q"}, "v"),
                   Make("QuantizeLinear", {"v", "y_scale", "y_zero_point"}, "y")}};
}

// Asks each input; returns the columns in which the fault is seen.
std::set<size_t> ColumnsShownBy(HandMade graph, const std::vector<TellingInput>& inputs,
                                const char* fault) {
  std::set<size_t> shown;
  for (const TellingInput& input : inputs) {
    graph.operands[input.operand].second = input.tensor;
    const Codes right = graph.Canonical();
    const Codes wrong = graph.By(fault);
    for (size_t i = 0; i < right.size(); ++i) {
      // By more than the bound: its 1/64 of at most 24 terms of 127 * 0.02 * 0.0071 *
      // 255.
      if (std::max(right[i], wrong[i]) - std::min(right[i], wrong[i]) > 4)
        shown.insert(i);
    }
  }
  return shown;
}

TEST(TellingInputs, ShowEachColumnWithAPairBeyond16Bits) {
  struct Kind {
    DataType operand = kUint8;
    Number zero_point = 0;
    const char* fault = "";
  };
  for (const Kind& kind : {Kind{kUint8, 0, "pairs_of_products_in_16_bits"},
                           Kind{kUint8, 131, "pairs_of_products_in_16_bits"},
                           Kind{kInt8, -128, "shifted_pairs_of_products_in_16_bits"},
                           Kind{kInt8, 3, "shifted_pairs_of_products_in_16_bits"}}) {
    const HandMade graph = LongSum(kind.operand, kind.zero_point);
    const std::vector<TellingInput> inputs = graph.TellingInputs(32);
    EXPECT_LE(inputs.size(), 7u);
    EXPECT_EQ(ColumnsShownBy(graph, inputs, kind.fault),
              (std::set<size_t>{0, 1, 2, 3, 4, 5, 6}))
        << kind.fault << ", zero point " << static_cast<int>(kind.zero_point);
    // At the beginning, in the middle and at the end.
    std::set<int64_t> places;
    for (const TellingInput& input : inputs) {
      EXPECT_EQ(input.operand, 0u);
      const std::vector<Number> codes = NumbersOf(input.tensor);
      const auto set = std::ranges::count_if(
          codes, [&](Number code) { return code != kind.zero_point; });
      EXPECT_GE(set, 2);
      EXPECT_LE(set, 14);
      for (const int64_t place : kPlaces) {
        const auto at = codes.begin() + static_cast<std::ptrdiff_t>(place);
        if (at[0] != kind.zero_point && at[1] != kind.zero_point) places.insert(place);
      }
    }
    EXPECT_EQ(places, (std::set<int64_t>{std::begin(kPlaces), std::end(kPlaces)}));
  }
}

TEST(TellingInputs, AreAtMostAsManyAsAskedFor) {
  EXPECT_EQ(LongSum(kUint8, 0).TellingInputs(2).size(), 2u);
}

// With them a kernel that adds pairs in 16 bits is right.
TEST(TellingInputs, WithoutAPairBeyond16Bits_AreNone) {
  HandMade graph = LongSum(kUint8, 0);
  graph.operands[3].second =
      Of(kInt8, {kTerms, kColumns},
         std::vector<Number>(static_cast<size_t>(kTerms * kColumns), 64));
  EXPECT_TRUE(graph.TellingInputs(32).empty());
  // Nor does any instruction add pairs of wider codes in 16 bits.
  HandMade wide = LongSum(kInt8, 0);
  wide.operands[0].second = Of(kInt16, {1, kTerms}, std::vector<Number>(kTerms));
  wide.operands[2].second = Of(kInt16, {}, {0});
  EXPECT_TRUE(wide.TellingInputs(32).empty());
}

// Numbers that QuantizeLinear makes the same codes.
TEST(TellingInputs, OfAQuantizedOperand_AreNumbers) {
  HandMade graph = LongSum(kInt8, 3);
  graph.operands[0] = {"x", Of(kFloat, {1, kTerms}, std::vector<Number>(kTerms))};
  graph.body.insert(graph.body.begin(),
                    Make("QuantizeLinear", {"x", "a_scale", "a_zero_point"}, "a"));
  const std::vector<TellingInput> inputs = graph.TellingInputs(32);
  EXPECT_EQ(ColumnsShownBy(graph, inputs, "shifted_pairs_of_products_in_16_bits"),
            (std::set<size_t>{0, 1, 2, 3, 4, 5, 6}));
  ASSERT_FALSE(inputs.empty());
  EXPECT_EQ(inputs.front().tensor.type, kFloat);
}

// Windows that share no element are asked together.
TEST(TellingInputs, OfAConvolution_ShowEachChannel) {
  constexpr int64_t kChannels = 6;
  std::vector<Number> weights;
  for (int64_t i = 0; i < kChannels * 3 * 3; ++i)
    weights.push_back(i % 3 == 2 ? -60 : 90);
  for (const int64_t group : {int64_t{1}, int64_t{3}}) {
    const HandMade graph{
        .family = kSums,
        .operands = {{"x", Of(kUint8, {1, 3 * group, 9},
                              std::vector<Number>(static_cast<size_t>(27 * group)))},
                     {"x_scale", Of(kFloat, {}, {0.02L})},
                     {"w", Of(kInt8, {kChannels, 3, 3}, weights)},
                     {"w_scale", Of(kFloat, {}, {0.0071L})},
                     {"y_scale", Of(kFloat, {}, {0.05L})},
                     {"y_zero_point", Of(kUint8, {}, {100})}},
        .body = {Make("DequantizeLinear", {"x", "x_scale"}, "p"),
                 Make("DequantizeLinear", {"w", "w_scale"}, "q"),
                 Make("Conv", {"p", "q"}, "v",
                      {{"group", group}, {"pads", std::vector<int64_t>{1, 1}}}),
                 Make("QuantizeLinear", {"v", "y_scale", "y_zero_point"}, "y")}};
    const std::vector<TellingInput> inputs = graph.TellingInputs(4);
    EXPECT_LE(inputs.size(), 4u);
    std::set<size_t> channels;
    for (const size_t i : ColumnsShownBy(graph, inputs, "pairs_of_products_in_16_bits")) {
      channels.insert(i / 9);
    }
    EXPECT_EQ(channels, (std::set<size_t>{0, 1, 2, 3, 4, 5})) << "group " << group;
  }
}

}  // namespace
}  // namespace qconform::graphs
