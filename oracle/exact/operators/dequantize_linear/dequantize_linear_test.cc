// The judge's DequantizeLinear against answers worked out by hand.
#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace qconform::exact {
namespace {

using Difference = DequantizeLinearReadings::Difference;
using Product = DequantizeLinearReadings::Product;

uint64_t Code(int type, const mpq_class& v) {
  return CodeOf(GetFormat(type), Value::Number(v));
}

// One element, one scale, with a zero point.
DequantizeLinearInput One(int x_type, const mpq_class& x, const mpq_class& zero_point,
                          int scale_type, const mpq_class& scale) {
  DequantizeLinearInput input;
  input.since_version = 25;
  input.x = {x_type, {}, {Code(x_type, x)}};
  input.x_zero_point = Codes{x_type, {}, {Code(x_type, zero_point)}};
  input.x_scale = {scale_type, {}, {Code(scale_type, scale)}};
  return input;
}

// The same by codes and without a zero point.
DequantizeLinearInput OneCode(int x_type, uint64_t x, int scale_type, uint64_t scale) {
  DequantizeLinearInput input;
  input.since_version = 28;
  input.x = {x_type, {}, {x}};
  input.x_scale = {scale_type, {}, {scale}};
  return input;
}

Element Answered(const DequantizeLinearInput& input) {
  return DequantizeLinear(input).elements.at(0);
}

Element Answered(const DequantizeLinearInput& input,
                 const DequantizeLinearReadings& readings) {
  return DequantizeLinear(input, readings).elements.at(0);
}

mpq_class NumberIn(const DequantizeLinearInput& input, const Element& element) {
  const Value value = ValueOf(GetFormat(OutputType(input)), element.code);
  EXPECT_TRUE(value.IsNumber());
  return value.number;
}

mpq_class Number(const DequantizeLinearInput& input) {
  return NumberIn(input, Answered(input));
}

mpq_class Number(const DequantizeLinearInput& input,
                 const DequantizeLinearReadings& readings) {
  return NumberIn(input, Answered(input, readings));
}

mpq_class Fraction(const char* text) {
  mpq_class fraction(text);
  fraction.canonicalize();
  return fraction;
}

mpq_class Times2To(const mpq_class& n, int exponent) { return Scaled(n, exponent); }

TEST(ExactDequantizeLinear, DifferenceOfIntegers_IsNeverWrapped) {  // DQ-01
  EXPECT_EQ(Number(One(kInt8, -128, 127, kFloat, 2)), -510);
  EXPECT_EQ(Number(One(kInt8, 127, -128, kFloat, 2)), 510);
  EXPECT_EQ(Number(One(kUint8, 0, 255, kFloat, 1)), -255);
  EXPECT_EQ(Number(One(kUint16, 0, 65535, kFloat, 1)), -65535);
  EXPECT_EQ(Number(One(kInt16, -32768, 32767, kFloat, 1)), -65535);
  EXPECT_EQ(Number(One(kInt4, -8, 7, kFloat16, 1)), -15);
  EXPECT_EQ(Number(One(kUint2, 0, 3, kBfloat16, 1)), -3);
  EXPECT_EQ(Number(One(kInt2, -2, 1, kFloat, 4)), -12);
}

// DQ-02: 132 times the FLOAT nearest to 0.3669080138 is 48.43185806... in steps of 2^-18.
TEST(ExactDequantizeLinear, Product_IsRoundedOnce) {
  const mpq_class scale = Times2To(12311390, -25);  // 0.3669080138206482
  const mpq_class steps = 132 * scale * PowerOfTwo(18);
  EXPECT_EQ(Number(One(kInt8, -100, 32, kFloat, scale)),
            -Times2To(RoundHalfEven(steps), -18));
}

TEST(ExactDequantizeLinear, Dq03_HasThreeReadings) {
  DequantizeLinearInput input =
      One(kInt16, -32768, 16010, kFloat16, Fraction("278076171875/1000000000000"));
  input.since_version = 21;
  EXPECT_EQ(Number(input), -13560);
  EXPECT_EQ(Number(input, {.product = Product::kInFloat}), -13568);
  input = One(kInt16, 21097, 0, kFloat16, Fraction("224609375/10000000000"));
  input.since_version = 21;
  EXPECT_EQ(Number(input), Fraction("1895/4"));
  EXPECT_EQ(Number(input, {.difference_in_p = true}), 474);
  const std::vector<DequantizeLinearReadings> all =
      AllowedReadings(21, kInt16, kFloat16, kFloat16);
  EXPECT_EQ(all.size(), 6u);  // each with zero_sign_dropped
  EXPECT_EQ(all.front(), DequantizeLinearReadings{});
  EXPECT_EQ(AllowedReadings(21, kInt16, kFloat, kFloat).size(), 2u);
  EXPECT_EQ(AllowedReadings(21, kInt8, kFloat16, kFloat16).size(), 2u);
}

TEST(ExactDequantizeLinear, Dq04_ConvertsBothOperands) {
  // The FLOAT 0.22390933334827423.
  DequantizeLinearInput input = One(kInt8, 105, 0, kFloat, Times2To(15026301, -26));
  input.output_dtype = kFloat16;
  EXPECT_EQ(Number(input), Fraction("47/2"));
  EXPECT_EQ(Number(input, {}), Fraction("1505/64"));
  EXPECT_EQ(Number(input, {.product = Product::kInFloat}), Fraction("1505/64"));
  EXPECT_EQ(Number(input, {.scale_in_p = true}), Fraction("47/2"));
  EXPECT_EQ(Number(input, {.difference_in_p = true}), Fraction("1505/64"));
  EXPECT_EQ(CanonicalReadings(23, kInt8, kFloat, kFloat16),
            (DequantizeLinearReadings{.difference_in_p = true, .scale_in_p = true}));
  EXPECT_EQ(CanonicalReadings(23, kInt16, kFloat16, kFloat16),
            (DequantizeLinearReadings{.difference_in_p = true, .scale_in_p = true}));
  EXPECT_EQ(CanonicalReadings(23, kInt8, kFloat16, kFloat16), DequantizeLinearReadings{});
  EXPECT_EQ(CanonicalReadings(23, kInt16, kFloat, kFloat), DequantizeLinearReadings{});
  // Canonical; one operand or none; the last three through FLOAT; each with the sign of
  // zero dropped.
  EXPECT_EQ(AllowedReadings(23, kInt8, kFloat, kFloat16).size(), 14u);
}

TEST(ExactDequantizeLinear, Dq05_Int32) {
  DequantizeLinearInput input =
      One(kInt32, -27266, 0, kFloat16, Fraction("1639404296875/10000000000000"));
  EXPECT_EQ(Number(input), -4468);
  EXPECT_EQ(
      Number(input, {.difference = Difference::kInFloat, .product = Product::kInFloat}),
      -4472);
  input = One(kInt32, 11093, 0, kFloat16, Fraction("432861328125/1000000000000"));
  EXPECT_EQ(Number(input), 4800);
  EXPECT_EQ(Number(input, {.difference_in_p = true}), 4804);
  // The FLOAT 0.20439869165420532.
  input = One(kInt32, 1974422888, 0, kFloat, Times2To(13716964, -26));
  EXPECT_EQ(Number(input), 403569472);
  EXPECT_EQ(Number(input, {}), 403569440);
  EXPECT_EQ(AllowedReadings(13, kInt32, kFloat, kFloat).size(), 6u);
  EXPECT_EQ(AllowedReadings(19, kInt32, kFloat16, kFloat16).size(), 10u);
  EXPECT_EQ(AllowedReadings(23, kInt32, kFloat, kFloat16).size(), 20u);
}

TEST(ExactDequantizeLinear, Dq06_ZeroPointOfInt32IsFree) {
  EXPECT_EQ(Answered(One(kInt32, 5, 0, kFloat, 1)).freedom, Freedom::kNone);
  EXPECT_EQ(Answered(One(kInt32, 5, 1, kFloat, 1)).freedom, Freedom::kAnyCode);
}

TEST(ExactDequantizeLinear, Dq07_Floats) {
  EXPECT_EQ(Number(OneCode(kFloat8E4M3FN, 0x7e, kFloat, 0x40000000)), 896);
  EXPECT_EQ(Number(OneCode(kFloat8E4M3FNUZ, 0x7f, kFloat, 0x3f800000)), 240);
  EXPECT_EQ(Number(OneCode(kFloat8E5M2, 0x01, kFloat16, 0x3c00)), PowerOfTwo(-16));
  EXPECT_EQ(Number(OneCode(kFloat4E2M1, 0xf, kFloat, 0x3f800000)), -6);
  EXPECT_EQ(Number(OneCode(kFloat6E2M3, 0x1f, kFloat, 0x3f800000)), Fraction("15/2"));
  EXPECT_EQ(Number(OneCode(kFloat6E3M2, 0x3f, kFloat, 0x3f800000)), -28);
  EXPECT_EQ(Answered(OneCode(kFloat8E4M3FN, 0x7f, kFloat, 0x3f800000)).freedom,
            Freedom::kAnyNan);
  EXPECT_EQ(Answered(OneCode(kFloat8E5M2FNUZ, 0x80, kFloat, 0x3f800000)).freedom,
            Freedom::kAnyNan);
  EXPECT_EQ(Answered(OneCode(kFloat8E5M2, 0xfc, kFloat, 0x3f800000)).code, 0xff800000u);
  EXPECT_EQ(Answered(OneCode(kFloat8E5M2, 0xfc, kFloat, 0)).freedom, Freedom::kAnyNan);
}

TEST(ExactDequantizeLinear, Dq07_SignOfZero) {
  DequantizeLinearInput input = OneCode(kFloat8E5M2, 0x80, kFloat, 0x3f800000);
  EXPECT_EQ(Answered(input).code, 0x80000000u);
  EXPECT_EQ(Answered(input, {.zero_sign_dropped = true}).code, 0u);
  input.x_zero_point = Codes{kFloat8E5M2, {}, {0}};  // -0 - (+0) = -0
  EXPECT_EQ(Answered(input).code, 0x80000000u);
  input.x_zero_point = Codes{kFloat8E5M2, {}, {0x80}};  // -0 - (-0) = +0
  EXPECT_EQ(Answered(input).code, 0u);
  EXPECT_EQ(Answered(input, {.difference = Difference::kZeroPointIgnored}).code,
            0x80000000u);
}

TEST(ExactDequantizeLinear, Dq08_OtherZeroPoints) {
  const mpq_class scale = 1 + PowerOfTwo(-22);
  DequantizeLinearInput input = One(kFloat8E5M2, 57344, PowerOfTwo(-16), kFloat, scale);
  EXPECT_EQ(Number(input), 57344 + 3 * PowerOfTwo(-8));
  EXPECT_EQ(Number(input, {.difference = Difference::kInFloat}), 57344 + PowerOfTwo(-6));
  EXPECT_EQ(Number(input, {.difference_in_p = true}), 57344 + PowerOfTwo(-6));
  input = One(kFloat8E5M2, 57344, -57344, kFloat, 1);
  EXPECT_EQ(Number(input), 114688);
  EXPECT_EQ(Number(input, {.difference = Difference::kInXTypeSaturating}), 57344);
  EXPECT_EQ(Answered(input, {.difference = Difference::kInXType}).code, 0x7f800000u);
  EXPECT_EQ(Number(input, {.difference = Difference::kZeroPointIgnored}), 57344);
  input = One(kFloat8E4M3FN, 448, -448, kFloat, 1);
  EXPECT_EQ(Answered(input, {.difference = Difference::kInXType}).freedom,
            Freedom::kAnyNan);
  input = One(kFloat4E2M1, 6, -6, kFloat, 1);
  EXPECT_EQ(Number(input), 12);
  EXPECT_EQ(Number(input, {.difference = Difference::kInXTypeSaturating}), 6);
}

TEST(ExactDequantizeLinear, Dq10_ZeroDifference) {
  const DequantizeLinearInput input = One(kInt8, 3, 3, kFloat, -1);
  EXPECT_EQ(Answered(input).code, 0x80000000u);
  EXPECT_EQ(Answered(input, {.zero_sign_dropped = true}).code, 0u);
  // An integer product that becomes 0 keeps its sign.
  DequantizeLinearInput tiny = One(kInt8, -1, 0, kFloat, PowerOfTwo(-40));
  tiny.output_dtype = kFloat16;
  EXPECT_EQ(Answered(tiny).code, 0x8000u);
  EXPECT_EQ(Answered(tiny, {.zero_sign_dropped = true}).code, 0x8000u);
}

TEST(ExactDequantizeLinear, Dq11_PowerOfTwoScales) {
  DequantizeLinearInput input = OneCode(kInt8, 1, kFloat8E8M0, 0);
  input.output_dtype = kFloat;
  EXPECT_EQ(Number(input), PowerOfTwo(-127));
  EXPECT_EQ(Answered(input).tier, Tier::kSubnormal);
  input.x_scale.codes = {255};
  EXPECT_EQ(Answered(input).freedom, Freedom::kAnyNan);
  EXPECT_EQ(Answered(input).tier, Tier::kDegenerateScale);
  input.output_dtype = kFloat16;
  input.x_scale.codes = {127 - 25};  // 2^-25 becomes 0 in FLOAT16
  input.x.codes = {3};
  EXPECT_EQ(Number(input), Times2To(1, -23));  // 1.5 * 2^-24, ties to even
  EXPECT_EQ(Answered(input).tier, Tier::kConversionRange);
  EXPECT_EQ(Number(input, {.scale_in_p = true}), 0);
}

TEST(ExactDequantizeLinear, Tiers) {  // DQ-13
  const auto tier = [](int scale_type, uint64_t scale, int64_t y) {
    DequantizeLinearInput input = OneCode(kInt8, 1, scale_type, scale);
    input.output_dtype = y;
    return Answered(input).tier;
  };
  EXPECT_EQ(tier(kFloat, 0x3f800000, 0), Tier::kRegular);
  EXPECT_EQ(tier(kFloat, 0, 0), Tier::kDegenerateScale);
  EXPECT_EQ(tier(kFloat, 0xbf800000, 0), Tier::kDegenerateScale);
  EXPECT_EQ(tier(kFloat, 0x7f800000, 0), Tier::kDegenerateScale);
  EXPECT_EQ(tier(kFloat, 1, 0), Tier::kDegenerateScale);
  EXPECT_EQ(tier(kFloat16, 0x0001, kFloat), Tier::kDegenerateScale);
  EXPECT_EQ(tier(kFloat, 0x37800000, kFloat16), Tier::kSubnormal);        // 2^-16
  EXPECT_EQ(tier(kFloat, 0x2f800000, kFloat16), Tier::kConversionRange);  // 2^-32
  EXPECT_EQ(tier(kFloat, 0x4f800000, kFloat16), Tier::kConversionRange);  // 2^32
  // A difference of FLOAT16's overflow.
  EXPECT_EQ(Answered(One(kUint16, 65535, 0, kFloat16, 1)).tier, Tier::kConversionRange);
  EXPECT_EQ(Answered(One(kUint16, 65519, 0, kFloat16, 1)).tier, Tier::kRegular);
}

TEST(ExactDequantizeLinear, Blocks_MayBePartial) {  // DQ-33
  DequantizeLinearInput input;
  input.since_version = 21;
  input.x = {kUint8, {7}, std::vector<uint64_t>(7, 9)};
  input.x_scale = {kFloat, {4}, {}};
  for (int scale : {1, 2, 3, 4}) input.x_scale.codes.push_back(Code(kFloat, scale));
  input.x_zero_point = Codes{kUint8, {4}, {1, 2, 3, 4}};
  input.axis = 0;
  input.block_size = 2;
  std::vector<mpq_class> answered;
  for (const Element& element : DequantizeLinear(input).elements) {
    answered.push_back(NumberIn(input, element));
  }
  EXPECT_EQ(answered, (std::vector<mpq_class>{8, 8, 14, 14, 18, 18, 20}));
}

TEST(ExactDequantizeLinear, Axis_CountsFromBothEnds) {
  DequantizeLinearInput input;
  input.since_version = 13;
  input.x = {kInt8, {2, 2}, {1, 1, 1, 1}};
  input.x_scale = {kFloat, {2}, {Code(kFloat, 1), Code(kFloat, 2)}};
  const auto answered = [&](int64_t axis) {
    input.axis = axis;
    std::vector<mpq_class> numbers;
    for (const Element& element : DequantizeLinear(input).elements) {
      numbers.push_back(NumberIn(input, element));
    }
    return numbers;
  };
  EXPECT_EQ(answered(0), (std::vector<mpq_class>{1, 1, 2, 2}));
  EXPECT_EQ(answered(-1), (std::vector<mpq_class>{1, 2, 1, 2}));
}

TEST(ExactDequantizeLinear, EveryReading_IsAllowedOnce) {
  for (const Format& x : AllFormats()) {
    for (int scale : {kFloat, kFloat16, kBfloat16, kFloat8E8M0}) {
      for (int y : {kFloat, kFloat16, kBfloat16}) {
        const auto all = AllowedReadings(28, x.type, scale, y);
        ASSERT_EQ(all.front(), CanonicalReadings(28, x.type, scale, y));
        for (const auto& one : all) EXPECT_EQ(std::count(all.begin(), all.end(), one), 1);
      }
    }
  }
}

}  // namespace
}  // namespace qconform::exact
