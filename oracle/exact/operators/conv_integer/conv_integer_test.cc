// The judge's ConvInteger, against values that were computed by hand.
#include "oracle/exact/operators/conv_integer/conv_integer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "oracle/exact/format.h"

namespace qconform::exact {
namespace {

std::vector<int64_t> ValuesOfAnswer(const Answer& answer) {
  std::vector<int64_t> values;
  for (const Element& element : answer.elements) {
    values.push_back(ValueOf(GetFormat(kInt32), element.code).number.get_num().get_si());
  }
  return values;
}

// The node tests of ONNX.
TEST(ExactConvInteger, NodeTestsOfOnnx) {
  ConvIntegerInput input;
  input.x = {kUint8, {1, 1, 3, 3}, {2, 3, 4, 5, 6, 7, 8, 9, 10}};
  input.x_zero_point = Codes{kUint8, {}, {1}};
  input.w = {kUint8, {1, 1, 2, 2}, {1, 1, 1, 1}};
  EXPECT_EQ(ValuesOfAnswer(ConvInteger(input)), (std::vector<int64_t>{12, 16, 24, 28}));
  input.attributes.pads = {1, 1, 1, 1};
  EXPECT_EQ(
      ValuesOfAnswer(ConvInteger(input)),
      (std::vector<int64_t>{1, 3, 5, 3, 5, 12, 16, 9, 11, 24, 28, 15, 7, 15, 17, 9}));
}

TEST(ExactConvInteger, ZeroPointsOfChannels_InTwoGroups) {
  // C = M = 2 in two groups, 1 x 1: y[0] = (10 - 3) (5 - 1), y[1] = (20 - 3) (5 - 7).
  ConvIntegerInput input;
  input.attributes.group = 2;
  input.x = {kUint8, {1, 2, 1}, {10, 20}};
  input.x_zero_point = Codes{kUint8, {1}, {3}};
  input.w = {kInt8, {2, 1, 1}, {5, 5}};
  input.w_zero_point = Codes{kInt8, {2}, {1, 7}};
  EXPECT_EQ(ValuesOfAnswer(ConvInteger(input)), (std::vector<int64_t>{28, -34}));
  input.w_zero_point = Codes{kInt8, {}, {0xff}};  // -1
  EXPECT_EQ(ValuesOfAnswer(ConvInteger(input)), (std::vector<int64_t>{42, 102}));
  input.w_zero_point.reset();
  input.x_zero_point.reset();
  EXPECT_EQ(ValuesOfAnswer(ConvInteger(input)), (std::vector<int64_t>{50, 100}));
}

TEST(ExactConvInteger, SumsBeyondInt32_Wrap) {
  // 33026 products of 255 * 255: 2147515650, above 2^31 - 1; 33025 are below.
  for (const int64_t k : {33025, 33026}) {
    const std::vector<uint64_t> ones(static_cast<size_t>(k), 255);
    ConvIntegerInput input;
    input.x = {kUint8, {1, k, 1}, ones};
    input.w = {kUint8, {1, k, 1}, ones};
    const Answer answer = ConvInteger(input);
    const bool is_beyond = k == 33026;
    EXPECT_EQ(ValuesOfAnswer(answer).at(0),
              k * 65025 - (is_beyond ? int64_t{1} << 32 : 0));
    EXPECT_EQ(answer.elements[0].tier,
              is_beyond ? Tier::kAccumulatorOverflow : Tier::kRegular);
    EXPECT_EQ(answer.elements[0].freedom, is_beyond ? Freedom::kAnyCode : Freedom::kNone);
  }
}

}  // namespace
}  // namespace qconform::exact
