// The judge's DynamicQuantizeLinear against answers worked out by hand.
#include "oracle/exact/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "oracle/exact/format.h"

namespace qconform::exact {
namespace {

using Readings = DynamicQuantizeLinearReadings;
using Dims = std::vector<int64_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

DynamicQuantizeLinearAnswers Ask(const std::vector<float>& x,
                                 const Readings& readings = {}) {
  Codes codes{kFloat, {static_cast<int64_t>(x.size())}, {}};
  for (float value : x) codes.codes.push_back(BitsOf(value));
  return DynamicQuantizeLinear(codes, readings);
}

uint64_t ScaleOf(const DynamicQuantizeLinearAnswers& answers) {
  return answers.y_scale.elements.at(0).code;
}

uint64_t ZeroPointOf(const DynamicQuantizeLinearAnswers& answers) {
  return answers.y_zero_point.elements.at(0).code;
}

std::vector<uint64_t> CodesOf(const Answer& answer) {
  std::vector<uint64_t> codes;
  for (const Element& element : answer.elements) codes.push_back(element.code);
  return codes;
}

// Whether any code is allowed, element by element.
std::vector<bool> AreFree(const Answer& answer) {
  std::vector<bool> are_free;
  for (const Element& element : answer.elements) {
    are_free.push_back(element.freedom == Freedom::kAnyCode);
  }
  return are_free;
}

void ExpectTier(const DynamicQuantizeLinearAnswers& answers, Tier tier) {
  for (const Answer* answer : {&answers.y, &answers.y_scale, &answers.y_zero_point}) {
    for (const Element& element : answer->elements) EXPECT_EQ(element.tier, tier);
  }
}

// ONNX's node tests of the operator.
TEST(ExactDynamicQuantizeLinear, NodeTests) {
  const auto both = Ask({0, 2, -3, -2.5f, 1.34f, 0.5f});
  EXPECT_EQ(ScaleOf(both), 0x3ca0a0a1u);  // 5 / 255
  EXPECT_EQ(ZeroPointOf(both), 153u);
  EXPECT_EQ(CodesOf(both.y), (std::vector<uint64_t>{153, 255, 0, 26, 221, 179}));
  ExpectTier(both, Tier::kRegular);
  const auto negative = Ask({-1.0f, -2.1f, -1.3f, -2.5f, -3.34f, -4.0f});
  EXPECT_EQ(ScaleOf(negative), 0x3c808081u);  // 4 / 255
  EXPECT_EQ(ZeroPointOf(negative), 255u);
  EXPECT_EQ(CodesOf(negative.y), (std::vector<uint64_t>{191, 121, 172, 96, 42, 0}));
  const auto positive =
      Ask({1, 2.1f, 1.3f, 2.5f, 3.34f, 4, 1.5f, 2.6f, 3.9f, 4, 3, 2.345f});
  EXPECT_EQ(ScaleOf(positive), 0x3c808081u);
  EXPECT_EQ(ZeroPointOf(positive), 0u);
  EXPECT_EQ(CodesOf(positive.y), (std::vector<uint64_t>{64, 134, 83, 159, 213, 255, 96,
                                                        166, 249, 255, 191, 149}));
}

// DYN-08, DYN-09.
TEST(ExactDynamicQuantizeLinear, Shapes) {
  const auto answers = DynamicQuantizeLinear({kFloat, {2, 1}, {BitsOf(1), BitsOf(-1)}});
  EXPECT_EQ(answers.y.shape, (Dims{2, 1}));
  EXPECT_EQ(answers.y_scale.shape, Dims{});
  EXPECT_EQ(answers.y_zero_point.shape, Dims{});
  EXPECT_EQ(answers.y.type, kUint8);
  EXPECT_EQ(answers.y_scale.type, kFloat);
  EXPECT_EQ(answers.y_zero_point.type, kUint8);
  const auto scalar = DynamicQuantizeLinear({kFloat, {}, {BitsOf(3)}});
  EXPECT_EQ(scalar.y.shape, Dims{});
  EXPECT_EQ(CodesOf(scalar.y), (std::vector<uint64_t>{255}));
}

TEST(ExactDynamicQuantizeLinear, OneElement) {
  const auto positive = Ask({3});
  EXPECT_EQ(ScaleOf(positive), 0x3c40c0c1u);  // 3 / 255
  EXPECT_EQ(ZeroPointOf(positive), 0u);
  EXPECT_EQ(CodesOf(positive.y), (std::vector<uint64_t>{255}));
  const auto negative = Ask({-3});
  EXPECT_EQ(ScaleOf(negative), 0x3c40c0c1u);
  EXPECT_EQ(ZeroPointOf(negative), 255u);
  EXPECT_EQ(CodesOf(negative.y), (std::vector<uint64_t>{0}));
}

// DYN-02: scales of 2, and quotients of the least that end in one half.
TEST(ExactDynamicQuantizeLinear, ZeroPoint_TiesGoToEven) {
  EXPECT_EQ(ZeroPointOf(Ask({-253, 257})), 126u);  // 126.5
  EXPECT_EQ(ZeroPointOf(Ask({-255, 255})), 128u);  // 127.5
  EXPECT_EQ(ZeroPointOf(Ask({-1, 509})), 0u);      // 0.5
  EXPECT_EQ(ZeroPointOf(Ask({-509, 1})), 254u);    // 254.5
}

// DYN-03: the quotient is rounded before the zero point of 126 is added: 1.5 and 2.5
// are 2.
TEST(ExactDynamicQuantizeLinear, Elements_RoundBeforeTheZeroPointIsAdded) {
  const auto answers = Ask({-253, 257, 3, 5, -3, -5, 1, -1});
  EXPECT_EQ(ScaleOf(answers), BitsOf(2));
  // -126.5: -126 + 126; 128.5: 128 + 126.
  EXPECT_EQ(CodesOf(answers.y),
            (std::vector<uint64_t>{0, 254, 128, 128, 124, 124, 126, 126}));
}

// DYN-01: 1.1343642 + 0.8474337 is no FLOAT, and its rounding moves the quotient.
TEST(ExactDynamicQuantizeLinear, FusedRange) {
  const std::vector<float> x = {FloatOf(0x3f9132d9), FloatOf(0xbf58f16b)};
  EXPECT_EQ(ScaleOf(Ask(x)), 0x3bfeaa38u);
  EXPECT_EQ(ScaleOf(Ask(x, {.range = Readings::Range::kFused})), 0x3bfeaa39u);
  EXPECT_EQ(ScaleOf(Ask(x, {.range = Readings::Range::kFusedInDouble})), 0x3bfeaa39u);
  // 255 * 16777469 - 3 and -(3 + 2^-22): the quotient is 2^-22 / 255 above 16777469, a
  // tie of FLOAT, and that tie in DOUBLE.
  const std::vector<float> twice = {FloatOf(0x4f7f00fc), FloatOf(0xc0400001)};
  EXPECT_EQ(ScaleOf(Ask(twice)), BitsOf(16777468));
  EXPECT_EQ(ScaleOf(Ask(twice, {.range = Readings::Range::kFused})), BitsOf(16777470));
  EXPECT_EQ(ScaleOf(Ask(twice, {.range = Readings::Range::kFusedInDouble})),
            BitsOf(16777468));
}

// DYN-04.
TEST(ExactDynamicQuantizeLinear, AllZeros) {
  const auto canonical = Ask({0, 0});
  EXPECT_EQ(ScaleOf(canonical), 0u);
  EXPECT_EQ(canonical.y_scale.elements[0].freedom, Freedom::kNone);
  EXPECT_EQ(AreFree(canonical.y_zero_point), (std::vector<bool>{true}));
  EXPECT_EQ(AreFree(canonical.y), (std::vector<bool>{true, true}));
  ExpectTier(canonical, Tier::kDegenerateScale);
  EXPECT_EQ(Ask({0, -0.0f}).y_scale.elements[0].freedom, Freedom::kAnyZero);
  for (const auto& [reading, scale] : {std::pair(Readings::ZeroScale::kUnit, 0x3b808081u),
                                       std::pair(Readings::ZeroScale::kOne, BitsOf(1))}) {
    const auto answers = Ask({0, -0.0f}, {.zero_scale = reading});
    EXPECT_EQ(ScaleOf(answers), scale);
    EXPECT_EQ(ZeroPointOf(answers), 0u);
    EXPECT_EQ(CodesOf(answers.y), (std::vector<uint64_t>{0, 0}));
    EXPECT_EQ(AreFree(answers.y), (std::vector<bool>{false, false}));
    EXPECT_EQ(AreFree(answers.y_zero_point), (std::vector<bool>{false}));
    EXPECT_EQ(answers.y_scale.elements[0].freedom, Freedom::kNone);
    ExpectTier(answers, Tier::kDegenerateScale);
  }
}

// DYN-05, DYN-07.
TEST(ExactDynamicQuantizeLinear, NanAndNoElements_AreFree) {
  const auto nan = Ask({1, kNan, -kInfinity});
  EXPECT_EQ(AreFree(nan.y), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(AreFree(nan.y_scale), (std::vector<bool>{true}));
  EXPECT_EQ(AreFree(nan.y_zero_point), (std::vector<bool>{true}));
  ExpectTier(nan, Tier::kDegenerateScale);
  const auto empty = DynamicQuantizeLinear({kFloat, {2, 0}, {}});
  EXPECT_EQ(empty.y.shape, (Dims{2, 0}));
  EXPECT_TRUE(empty.y.elements.empty());
  EXPECT_EQ(AreFree(empty.y_scale), (std::vector<bool>{true}));
  EXPECT_EQ(AreFree(empty.y_zero_point), (std::vector<bool>{true}));
}

// DYN-06.
TEST(ExactDynamicQuantizeLinear, InfiniteScale) {
  const uint64_t infinity = BitsOf(kInfinity);
  const auto positive = Ask({kInfinity, -5, 5, 0});
  EXPECT_EQ(ScaleOf(positive), infinity);
  EXPECT_EQ(ZeroPointOf(positive), 0u);
  EXPECT_EQ(AreFree(positive.y_zero_point), (std::vector<bool>{false}));
  EXPECT_EQ(CodesOf(positive.y), (std::vector<uint64_t>{0, 0, 0, 0}));
  EXPECT_EQ(AreFree(positive.y), (std::vector<bool>{true, false, false, false}));
  ExpectTier(positive, Tier::kDegenerateScale);
  const auto negative = Ask({-kInfinity, 5, kInfinity});
  EXPECT_EQ(ScaleOf(negative), infinity);
  EXPECT_EQ(AreFree(negative.y_scale), (std::vector<bool>{false}));
  EXPECT_EQ(AreFree(negative.y_zero_point), (std::vector<bool>{true}));
  EXPECT_EQ(AreFree(negative.y), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(negative.y.elements[1].freedom, Freedom::kSameCode);
  // 1.5 * 2^128 is beyond FLOAT.
  const float half = FloatOf(0x7f400000);
  const auto overflow = Ask({half, -half});
  EXPECT_EQ(ScaleOf(overflow), infinity);
  EXPECT_EQ(ZeroPointOf(overflow), 0u);
  EXPECT_EQ(CodesOf(overflow.y), (std::vector<uint64_t>{0, 0}));
  EXPECT_EQ(AreFree(overflow.y), (std::vector<bool>{false, false}));
  ExpectTier(overflow, Tier::kDegenerateScale);
  const auto fused = Ask({half, -half}, {.range = Readings::Range::kFused});
  EXPECT_EQ(ScaleOf(fused), 0x7bc0c0c1u);                        // 3 * 2^127 / 255
  EXPECT_EQ(ZeroPointOf(fused), 128u);                           // 127.5
  EXPECT_EQ(CodesOf(fused.y), (std::vector<uint64_t>{255, 0}));  // 128 and -128
  ExpectTier(fused, Tier::kDegenerateScale);
}

// DYN-06: 127 / 255 of the smallest FLOAT is nearer to 0, 128 / 255 to that FLOAT.
TEST(ExactDynamicQuantizeLinear, ScaleThatUnderflows) {
  const auto positive = Ask({FloatOf(127), 0});
  EXPECT_EQ(ScaleOf(positive), 0u);
  EXPECT_EQ(AreFree(positive.y_scale), (std::vector<bool>{false}));
  EXPECT_EQ(AreFree(positive.y_zero_point), (std::vector<bool>{true}));
  EXPECT_EQ(positive.y.elements[0].code, 255u);
  EXPECT_EQ(AreFree(positive.y), (std::vector<bool>{false, true}));
  const auto both = Ask({FloatOf(63), FloatOf(0x80000040), 0});
  EXPECT_EQ(ScaleOf(both), 0u);
  EXPECT_EQ(ZeroPointOf(both), 255u);
  EXPECT_EQ(AreFree(both.y_zero_point), (std::vector<bool>{false}));
  EXPECT_EQ(both.y.elements[0].code, 255u);
  EXPECT_EQ(both.y.elements[1].code, 0u);
  EXPECT_EQ(AreFree(both.y), (std::vector<bool>{false, false, true}));
  ExpectTier(both, Tier::kDegenerateScale);
  const auto smallest = Ask({FloatOf(128), FloatOf(1)});
  EXPECT_EQ(ScaleOf(smallest), 1u);
  EXPECT_EQ(CodesOf(smallest.y), (std::vector<uint64_t>{128, 1}));
  ExpectTier(smallest, Tier::kDegenerateScale);  // as QL-40
}

TEST(ExactDynamicQuantizeLinear, Tiers) {
  // A scale of 1 and a subnormal x within the range.
  const auto subnormal_x = Ask({255, FloatOf(1), 1});
  EXPECT_EQ(subnormal_x.y.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(subnormal_x.y.elements[1].tier, Tier::kSubnormal);
  EXPECT_EQ(subnormal_x.y.elements[2].tier, Tier::kRegular);
  EXPECT_EQ(subnormal_x.y_scale.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(subnormal_x.y_zero_point.elements[0].tier, Tier::kRegular);
  ExpectTier(Ask({255, FloatOf(0x80000001), 1}),
             Tier::kSubnormal);  // an end of the range
  // -2^-126 / 2^20 is subnormal.
  const auto quotient = Ask({255.0f * (1 << 20), -FloatOf(0x00800000)});
  EXPECT_EQ(quotient.y.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(quotient.y.elements[1].tier, Tier::kSubnormal);
  EXPECT_EQ(quotient.y_zero_point.elements[0].tier, Tier::kSubnormal);
  EXPECT_EQ(quotient.y_scale.elements[0].tier, Tier::kRegular);
}

}  // namespace
}  // namespace qconform::exact
