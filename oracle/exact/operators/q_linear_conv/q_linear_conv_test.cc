// The judge's QLinearConv, against values that were computed by hand.
#include "oracle/exact/operators/q_linear_conv/q_linear_conv.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "oracle/exact/format.h"

namespace qconform::exact {
namespace {

constexpr uint64_t kOne = 0x3f800000;
constexpr uint64_t kTwo = 0x40000000;
constexpr uint64_t kHalf = 0x3f000000;
constexpr uint64_t kInfinity = 0x7f800000;

Codes Scalar(int type, uint64_t code) { return {type, {}, {code}}; }

// 1-D, with scales of 1 and zero points of 0.
QLinearConvInput Plain(Codes x, Codes w, int y_type) {
  QLinearConvInput input;
  input.x_scale = input.w_scale = input.y_scale = Scalar(kFloat, kOne);
  input.x_zero_point = Scalar(x.type, 0);
  input.w_zero_point = Scalar(w.type, 0);
  input.y_zero_point = Scalar(y_type, 0);
  input.x = std::move(x);
  input.w = std::move(w);
  return input;
}

// One product: C = x w, requantized to halves, thirds, ...
QLinearConvInput Product(uint64_t x, uint64_t w, uint64_t y_scale, int y_type = kInt8) {
  QLinearConvInput input =
      Plain({kUint8, {1, 1, 1}, {x}}, {kInt8, {1, 1, 1}, {w}}, y_type);
  input.y_scale = Scalar(kFloat, y_scale);
  return input;
}

std::vector<uint64_t> CodesOf(const Answer& answer) {
  std::vector<uint64_t> codes;
  for (const Element& element : answer.elements) codes.push_back(element.code);
  return codes;
}

uint64_t CodeBy(const QLinearConvInput& input, ConvRounding rounding) {
  return CodesOf(QLinearConv(input, {{}, rounding})).at(0);
}

// The node test of ONNX, its first two rows.
TEST(ExactQLinearConv, NodeTestOfOnnx) {
  QLinearConvInput input = Plain({kUint8,
                                  {1, 1, 2, 7},
                                  {255, 174, 162, 25, 203, 168, 58,  //
                                   15, 59, 237, 95, 129, 0, 64}},
                                 {kUint8, {1, 1, 1, 1}, {0}}, kUint8);
  input.x_scale = Scalar(kFloat, 0x3b71f645);  // 0.00369204697
  input.x_zero_point = Scalar(kUint8, 132);
  input.w_scale = Scalar(kFloat, 0x3ae27c3d);  // 0.00172794575
  input.w_zero_point = Scalar(kUint8, 255);
  input.y_scale = Scalar(kFloat, 0x3ad53ac6);  // 0.00162681262
  input.y_zero_point = Scalar(kUint8, 123);
  EXPECT_EQ(CodesOf(QLinearConv(input)),
            (std::vector<uint64_t>{0, 81, 93, 230, 52, 87, 197,  //
                                   240, 196, 18, 160, 126, 255, 191}));
}

TEST(ExactQLinearConv, ScalesZeroPointsAndBiasOfChannels) {
  // C = 2, M = 2, 1 x 1: sums (3 - 1) w0 + (7 - 1) w1.
  QLinearConvInput input =
      Plain({kUint8, {1, 2, 1}, {3, 7}}, {kInt8, {2, 2, 1}, {1, 2, 3, 4}}, kInt8);
  input.x_zero_point = Scalar(kUint8, 1);
  // Channel 0: 2 * 1 + 6 * 2 = 14; channel 1: 2 * 3 + 6 * 4 = 30.
  EXPECT_EQ(CodesOf(QLinearConv(input)), (std::vector<uint64_t>{14, 30}));
  input.w_zero_point = {kInt8, {2}, {1, 5}};
  // 2 * 0 + 6 * 1 = 6; 2 * -2 + 6 * -1 = -10.
  EXPECT_EQ(CodesOf(QLinearConv(input)), (std::vector<uint64_t>{6, 0xf6}));
  input.w_scale = {kFloat, {2}, {kHalf, kTwo}};
  EXPECT_EQ(CodesOf(QLinearConv(input)), (std::vector<uint64_t>{3, 0xec}));
  input.b = Codes{kInt32, {2}, {1, 0xffffffff}};  // 3.5 and -22
  EXPECT_EQ(CodesOf(QLinearConv(input)), (std::vector<uint64_t>{4, 0xea}));
  input.y_zero_point = Scalar(kInt8, 10);
  EXPECT_EQ(CodesOf(QLinearConv(input)), (std::vector<uint64_t>{14, 0xf4}));
  input.b = Codes{kInt32, {2}, {1000, 0x80001000}};  // saturates
  EXPECT_EQ(CodesOf(QLinearConv(input)), (std::vector<uint64_t>{127, 0x80}));
}

TEST(ExactQLinearConv, Padding_IsTheZeroPoint) {
  QLinearConvInput input =
      Plain({kUint8, {1, 1, 2}, {7, 9}}, {kInt8, {1, 1, 3}, {1, 10, 1}}, kInt8);
  input.x_zero_point = Scalar(kUint8, 5);  // 2, 4
  input.attributes.auto_pad = AutoPad::kSameUpper;
  EXPECT_EQ(CodesOf(QLinearConv(input)), (std::vector<uint64_t>{24, 42}));
}

// QC-01: ties, and a zero point that changes which number is even.
TEST(ExactQLinearConv, Roundings_DifferAtTies) {
  QLinearConvInput input = Product(5, 1, kTwo);  // 2.5
  EXPECT_EQ(CodeBy(input, ConvRounding::kCanonical), 2u);
  EXPECT_EQ(CodeBy(input, ConvRounding::kTiesAway), 3u);
  EXPECT_EQ(CodeBy(input, ConvRounding::kTiesUp), 3u);
  EXPECT_EQ(CodeBy(input, ConvRounding::kZeroPointBeforeRounding), 2u);
  input.y_zero_point = Scalar(kInt8, 1);
  EXPECT_EQ(CodeBy(input, ConvRounding::kCanonical), 3u);
  EXPECT_EQ(CodeBy(input, ConvRounding::kZeroPointBeforeRounding), 4u);
  input = Product(5, 0xff, kTwo);  // -2.5
  EXPECT_EQ(CodeBy(input, ConvRounding::kCanonical), 0xfeu);
  EXPECT_EQ(CodeBy(input, ConvRounding::kTiesAway), 0xfdu);
  EXPECT_EQ(CodeBy(input, ConvRounding::kTiesUp), 0xfeu);
  input.y_zero_point = Scalar(kInt8, 3);  // 0.5
  EXPECT_EQ(CodeBy(input, ConvRounding::kCanonical), 1u);
  EXPECT_EQ(CodeBy(input, ConvRounding::kTiesAway), 0u);
  EXPECT_EQ(CodeBy(input, ConvRounding::kZeroPointBeforeRounding), 0u);
  EXPECT_EQ(CodeBy(input, ConvRounding::kZeroPointBeforeRoundingTiesAway), 1u);
}

// v + zero point is rounded to the type of v.
TEST(ExactQLinearConv, ZeroPointBeforeRounding_AddsInTheTypeOfV) {
  QLinearConvInput input = Product(1, 1, kOne);
  input.x_scale = Scalar(kFloat, 0x3effffff);  // just below 1/2
  input.y_zero_point = Scalar(kInt8, 1);
  const ConvRounding before = ConvRounding::kZeroPointBeforeRounding;
  EXPECT_EQ(CodeBy(input, before), 1u);  // 1.4999...
  QLinearConvReadings readings = {{Requantization::kF32Multiplier}, before};
  EXPECT_EQ(CodesOf(QLinearConv(input, readings)).at(0), 2u);  // 1.5 in FLOAT
  readings.requantization = Requantization::kF64Product;
  EXPECT_EQ(CodesOf(QLinearConv(input, readings)).at(0), 1u);
}

TEST(ExactQLinearConv, AllowedReadings_AreTwelveTimesFive) {
  EXPECT_EQ(AllowedConvReadings().size(), 60u);
  EXPECT_EQ(AllowedConvReadings().front(), QLinearConvReadings{});
}

// QC-02, QC-03: the sum, or the sum and the bias, outside INT32.
TEST(ExactQLinearConv, SumsBeyondInt32) {
  QLinearConvInput input = Product(1, 1, kOne, kUint8);
  input.b = Codes{kInt32, {1}, {0x7ffffffe}};  // the sum is 2^31 - 1
  Answer answer = QLinearConv(input);
  EXPECT_EQ(answer.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(answer.elements[0].code, 255u);
  input.b = Codes{kInt32, {1}, {0x7fffffff}};
  answer = QLinearConv(input);
  EXPECT_EQ(answer.elements[0].tier, Tier::kAccumulatorOverflow);
  EXPECT_EQ(answer.elements[0].freedom, Freedom::kAnyCode);
  EXPECT_EQ(answer.elements[0].code, 0u);  // -2^31
  // 33026 * 65025 is beyond INT32, and a bias brings it back.
  const std::vector<uint64_t> most(33026, 255);
  input = Plain({kUint8, {1, 33026, 1}, most}, {kUint8, {1, 33026, 1}, most}, kUint8);
  input.b = Codes{kInt32, {1}, {0x80000000}};
  EXPECT_EQ(QLinearConv(input).elements[0].tier, Tier::kAccumulatorOverflow);
}

// QC-04: within one code where something has to be rounded, else none.
TEST(ExactQLinearConv, UnspecifiedRequantization) {
  const auto bounds = [](const QLinearConvInput& input) {
    const ConvInterval one = Bounds(input, ConvRounding::kTiesAway).at(0).unspecified;
    return std::vector<int64_t>{one.low, one.high};
  };
  EXPECT_EQ(bounds(Product(6, 1, kTwo)), (std::vector<int64_t>{3, 3}));
  EXPECT_EQ(bounds(Product(5, 1, kTwo)), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(bounds(Product(255, 0xff, kTwo)), (std::vector<int64_t>{-128, -127}));
}

// QC-04: gamma(n + 3) moves v across a tie only where sums are rounded.
TEST(ExactQLinearConv, FloatConvBound) {
  const auto bounds = [](const QLinearConvInput& input) {
    const ConvInterval one = Bounds(input, ConvRounding::kCanonical).at(0).float_conv;
    return std::vector<int64_t>{one.low, one.high};
  };
  // 5 / 2 without a rounding.
  EXPECT_EQ(bounds(Product(5, 1, kTwo)), (std::vector<int64_t>{2, 2}));
  // 5 * 0.3 / 0.6: a tie but for the last bits of the scales; gamma(4) reaches it.
  QLinearConvInput input = Product(5, 1, 0x3f19999a);
  input.x_scale = Scalar(kFloat, 0x3e99999b);  // one step above 0.3
  EXPECT_EQ(bounds(input), (std::vector<int64_t>{2, 3}));
  // 255 * 127 - 32380 = 5, times 0.3 / 0.5988: 2.505. The bound is 64765 / 2 * gamma(5),
  // about 0.0097: the bias counts, too.
  input = Product(255, 127, 0x3f194af5);
  input.x_scale = Scalar(kFloat, 0x3e99999a);
  input.b = Codes{kInt32, {1}, {0xffff8184}};
  EXPECT_EQ(bounds(input), (std::vector<int64_t>{2, 3}));
  input = Product(5, 1, 0x3f194af5);
  input.x_scale = Scalar(kFloat, 0x3e99999a);
  EXPECT_EQ(bounds(input), (std::vector<int64_t>{3, 3}));
}

TEST(ExactQLinearConv, DegenerateScales) {
  const auto element = [](uint64_t x, uint64_t w, uint64_t y,
                          std::optional<uint64_t> bias = {}) {
    QLinearConvInput input = Product(1, 1, y, kUint8);
    input.x_scale = Scalar(kFloat, x);
    input.w_scale = Scalar(kFloat, w);
    if (bias) input.b = Codes{kInt32, {1}, {*bias}};
    return QLinearConv(input).elements.at(0);
  };
  EXPECT_EQ(element(kOne, kOne, kOne).tier, Tier::kRegular);
  EXPECT_EQ(element(kOne, kOne, 0).tier, Tier::kDegenerateScale);
  EXPECT_EQ(element(kOne, kOne, 0).code, 255u);  // 1 / 0
  EXPECT_EQ(element(kOne, 0, 0).freedom, Freedom::kAnyCode);
  EXPECT_EQ(element(kInfinity, kOne, kOne).code, 255u);
  EXPECT_EQ(element(0xbf800000, kOne, kOne).tier, Tier::kDegenerateScale);
  // 2^110: a product stays below 2^126, a sum with a bias may reach 2^142.
  const uint64_t large = (127 + 110 - 1) << 23;
  EXPECT_EQ(element(large, kOne, large).tier, Tier::kRegular);
  EXPECT_EQ(element(large, kOne, large, 0).tier, Tier::kDegenerateScale);
  EXPECT_EQ(element(large, kOne, large, 0).code, 1u);
}

TEST(ExactQLinearConv, DequantizedOperands_MayLeaveFloat) {
  QLinearConvInput input = Product(255, 127, kOne, kUint8);
  const uint64_t large = (127 + 100) << 23;
  input.x_scale = Scalar(kFloat, large);
  input.w_scale = Scalar(kFloat, (127 + 20) << 23);
  input.y_scale = Scalar(kFloat, 0x7f000000);  // 2^127: v is 255 * 127 / 2^7 = 253.007...
  const ConvBounds bounds = Bounds(input, ConvRounding::kCanonical).at(0);
  // The product in FLOAT is an infinity; in a wider type it is not.
  EXPECT_TRUE(bounds.derived[253]);
  EXPECT_TRUE(bounds.derived[255]);
  EXPECT_FALSE(bounds.derived[254]);
  EXPECT_EQ((bounds.derived & ~bounds.widest).count(), 0u);
}

}  // namespace
}  // namespace qconform::exact
