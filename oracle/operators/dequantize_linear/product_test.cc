// DQ-01 to DQ-06, DQ-11: differences and products of integers.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "oracle/operators/dequantize_linear/testing/test_support.h"

namespace qconform::dequantize_linear {
namespace {

using enum DataType;
using Operands = Readings::Operands;
using Int32Product = Readings::Int32Product;

uint32_t CodeBy(const Types& types, double x, double scale,
                std::optional<double> zero_point = std::nullopt,
                const Readings& readings = {}) {
  return AskValues(types, x, scale, zero_point, readings).code;
}

TEST(Product, DifferenceBeyondTheTypeOfX_IsExact) {  // DQ-01
  struct Row {
    DataType x;
    double value, zero_point, difference;
  };
  for (const Row& row : {Row{kInt8, 127, -128, 255},
                         {kInt8, -128, 127, -255},
                         {kUint8, 0, 255, -255},
                         {kUint8, 255, 0, 255},
                         {kInt4, -8, 7, -15},
                         {kUint4, 0, 15, -15},
                         {kInt2, 1, -2, 3},
                         {kUint2, 0, 3, -3},
                         {kInt16, 32767, -32768, 65535},
                         {kUint16, 0, 65535, -65535}}) {
    EXPECT_EQ(CodeBy({28, row.x, kFloat, kFloat}, row.value, 0.5, row.zero_point),
              CodeOf(kFloat, row.difference * 0.5))
        << DataTypeName(row.x);
  }
}

TEST(Product, OneType_IsRoundedOnce) {  // DQ-02
  // 3 * (1 + 2^-23) = 3 + 3 * 2^-23 lies halfway between 3 + 2^-22 and 3 + 2^-21.
  const ElementAnswer tie = AskValues({10, kInt8, kFloat, kFloat}, 3, 1 + 0x1p-23);
  EXPECT_EQ(tie.code, CodeOf(kFloat, 3 + 0x1p-21));
  EXPECT_EQ(tie.features & (kFeatureTie | kFeatureInexact),
            kFeatureTie | kFeatureInexact);
  // 5 * 2049 * 2^-11 has 14 digits, 5.00244140625: between 5 and 5 + 2^-8.
  EXPECT_EQ(CodeBy({21, kUint8, kFloat16, kFloat16}, 5, 1 + 0x1p-10),
            CodeOf(kFloat16, 5 + 0x1p-8));
  // Overflow to infinity, of the product's sign.
  EXPECT_EQ(CodeBy({21, kInt8, kFloat16, kFloat16}, 2, 65504), 0x7c00u);
  EXPECT_EQ(CodeBy({21, kInt8, kFloat16, kFloat16}, -2, 65504), 0xfc00u);
  // 65520 is the tie between the largest value and what would be next.
  EXPECT_EQ(CodeBy({21, kInt8, kFloat16, kFloat16}, 3, 21840), 0x7c00u);
}

TEST(Product, ZeroPointIsSubtractedBeforeTheProduct) {  // DQ-02
  EXPECT_EQ(CodeBy({13, kInt8, kFloat, kFloat}, -100, 0.3669080138f, 32),
            CodeOf(kFloat, -48.4318581f));
}

// All codes of x against zero points and random scales. DOUBLE holds each product, and
// the machine rounds it once.
TEST(Product, AllCodesOfNarrowTypes_AgreeWithTheMachine) {  // DQ-01, DQ-02
  std::mt19937_64 random(7);
  for (const DataType type : {kInt8, kUint8, kInt4, kUint4, kInt2, kUint2}) {
    const NumberFormat& format = FormatOf(type);
    const int64_t low = IntegerMin(format);
    const int64_t high = IntegerMax(format);
    for (const int64_t zero_point : {low, int64_t{0}, int64_t{1}, high}) {
      for (int i = 0; i < 8; ++i) {
        const float scale = FloatFromBits(static_cast<uint32_t>(random()));
        for (int64_t x = low; x <= high; ++x) {
          const auto d = static_cast<double>(x - zero_point);
          const auto expected = static_cast<float>(d * static_cast<double>(scale));
          const ElementAnswer answer =
              Ask({.types = {25, type, kFloat, kFloat},
                   .x = static_cast<uint64_t>(x) & ((uint64_t{1} << format.bits) - 1),
                   .scale = FloatBits(scale),
                   .zero_point = static_cast<uint64_t>(zero_point) &
                                 ((uint64_t{1} << format.bits) - 1)});
          if (std::isnan(expected)) {
            EXPECT_EQ(answer.freedom, Freedom::kAnyNan);
          } else {
            EXPECT_EQ(answer.code, FloatBits(expected)) << d << " * " << scale;
          }
        }
      }
    }
  }
}

TEST(Product, Of16BitsIn21_HasThreeReadings) {  // DQ-03
  const Types types{21, kInt16, kFloat16, kFloat16};
  EXPECT_EQ(ReadingCombinations(types).size(), 2u * 3u);
  // d = -48778.
  EXPECT_EQ(CodeBy(types, -30000, 0.278076171875, 18778), CodeOf(kFloat16, -13560));
  EXPECT_EQ(CodeBy(types, -30000, 0.278076171875, 18778, {.f32_product = true}),
            CodeOf(kFloat16, -13568));
  EXPECT_EQ(CodeBy(types, 21097, 0.0224609375), CodeOf(kFloat16, 473.75));
  EXPECT_EQ(CodeBy(types, 21097, 0.0224609375, 0, {.operands = Operands::kDifferenceInP}),
            CodeOf(kFloat16, 474));
  // FLOAT holds every product of 16 and 8 digits.
  EXPECT_EQ(ReadingCombinations({21, kInt16, kBfloat16, kBfloat16}).size(), 2u * 2u);
}

TEST(Product, ScaleOfAnotherType_HasSevenReadings) {  // DQ-04
  const Types types{23, kInt8, kFloat, kFloat16};
  // d is the same in FLOAT16: converted or not converted scales, and the product of the
  // latter in FLOAT.
  EXPECT_EQ(ReadingCombinations(types).size(), 2u * 3u);
  const double scale = static_cast<double>(0.22390933334827423f);
  EXPECT_EQ(CodeBy(types, 100, scale, -5), CodeOf(kFloat16, 23.5));
  EXPECT_EQ(CodeBy(types, 100, scale, -5, {.operands = Operands::kUnconverted}),
            CodeOf(kFloat16, 23.515625));
  // All seven differ for 16 bits.
  EXPECT_EQ(ReadingCombinations({23, kInt16, kFloat, kFloat16}).size(), 2u * 7u);
  // FLOAT holds all operands and products of narrower scales.
  EXPECT_EQ(ReadingCombinations({23, kInt8, kFloat16, kFloat}).size(), 2u);
  EXPECT_EQ(ReadingsLeftOut({23, kInt8, kFloat16, kFloat}).size(), 4u);
}

TEST(Product, Of16BitsSince23_HasTheReadingsOfDq04) {  // DQ-04
  const Types types{23, kInt16, kFloat16, kFloat16};
  // 21097 in FLOAT16 is 21104.
  EXPECT_EQ(CodeBy(types, 21097, 0.0224609375), CodeOf(kFloat16, 474));
  EXPECT_EQ(CodeBy(types, 21097, 0.0224609375, 0, {.operands = Operands::kUnconverted}),
            CodeOf(kFloat16, 473.75));
  // 65535 overflows when it is converted to FLOAT16.
  const ElementAnswer answer =
      AskValues({23, kUint16, kFloat16, kFloat16}, 65535, 0x1p-4, 0);
  EXPECT_EQ(answer.code, CodeOf(kFloat16, kInfinity));
  EXPECT_EQ(answer.tier, Tier::kConversionRange);
}

TEST(Product, Float8E8M0Scale_IsAPowerOfTwo) {  // DQ-11
  for (const DataType y : {kFloat, kBfloat16}) {
    const Types types{24, kInt8, kFloat8E8M0, y};
    EXPECT_EQ(ReadingCombinations(types).size(), 1u);  // no y is -0
    for (uint64_t code = 0; code < 255; ++code) {
      EXPECT_EQ(Ask({.types = types, .x = 0x83, .scale = code}).code,
                CodeOf(y, -125 * std::ldexp(1.0, static_cast<int>(code) - 127)))
          << code;
    }
    EXPECT_EQ(Ask({.types = types, .x = 1, .scale = 0xff}).freedom, Freedom::kAnyNan);
    EXPECT_EQ(Ask({.types = types, .x = 0, .scale = 0xff}).tier, Tier::kDegenerateScale);
  }
}

TEST(Product, Float8E8M0Scale_ThatPDoesNotHold) {  // DQ-11
  const Types types{24, kInt8, kFloat8E8M0, kFloat16};
  EXPECT_EQ(CodeBy(types, 64, 0x1p-28), CodeOf(kFloat16, 0x1p-22));
  EXPECT_EQ(CodeBy(types, 64, 0x1p-28, {}, {.operands = Operands::kInP}), 0u);
  EXPECT_EQ(AskValues(types, 64, 0x1p-28).tier, Tier::kConversionRange);
  // 0 * Inf.
  EXPECT_EQ(CodeBy(types, 0, 0x1p16), 0u);
  EXPECT_EQ(AskValues(types, 0, 0x1p16, {}, {.operands = Operands::kScaleInP}).freedom,
            Freedom::kAnyNan);
  EXPECT_EQ(AskValues(types, 1, 0x1p-24).tier, Tier::kSubnormal);
  // d = 512 + 2^-16 is 512 in FLOAT, and 512 * 2^-34 a tie between 0 and 2^-24.
  const Types other{24, kFloat8E5M2, kFloat8E8M0, kFloat16};
  EXPECT_EQ(CodeBy(other, 512, 0x1p-34, -0x1p-16), 1u);
  EXPECT_EQ(CodeBy(other, 512, 0x1p-34, -0x1p-16, {.f32_product = true}), 0u);
}

TEST(Int32, Products_HaveFiveReadings) {  // DQ-05
  const Types half{19, kInt32, kFloat16, kFloat16};
  const Readings f32{.int32_product = Int32Product::kF32};
  const Readings in_p{.int32_product = Int32Product::kXInP};
  const Readings exact{.int32_product = Int32Product::kExact};
  EXPECT_EQ(CodeBy(half, -27266, 0.1639404296875), CodeOf(kFloat16, -4468));
  EXPECT_EQ(CodeBy(half, -27266, 0.1639404296875, {}, f32), CodeOf(kFloat16, -4472));
  EXPECT_EQ(CodeBy(half, 11093, 0.432861328125), CodeOf(kFloat16, 4800));
  EXPECT_EQ(CodeBy(half, 11093, 0.432861328125, {}, f32), CodeOf(kFloat16, 4800));
  EXPECT_EQ(CodeBy(half, 11093, 0.432861328125, {}, exact), CodeOf(kFloat16, 4800));
  EXPECT_EQ(CodeBy(half, 11093, 0.432861328125, {}, in_p), CodeOf(kFloat16, 4804));

  const Types full{10, kInt32, kFloat, kFloat};
  const double scale = static_cast<double>(0.20439869165420532f);
  EXPECT_EQ(CodeBy(full, 1974422888, scale), CodeOf(kFloat, 403569472));
  EXPECT_EQ(CodeBy(full, 1974422888, scale, {}, exact), CodeOf(kFloat, 403569440));
  EXPECT_EQ(ReadingCombinations(full).size(), 2u * 3u);
  // Products of 31 and 11 digits fit DOUBLE: f64_product is exact_product.
  EXPECT_EQ(ReadingCombinations(half).size(), 2u * 4u);
  EXPECT_EQ(ReadingsLeftOut(half),
            (std::vector<ReadingLeftOut>{
                {{"DQ-05", "f64_product"}, Reading{"DQ-05", "exact_product"}}}));
}

TEST(Int32, ScaleOfAnotherType) {  // DQ-05
  const Types types{23, kInt32, kFloat, kFloat16};
  EXPECT_EQ(ReadingCombinations(types).size(), 2u * (5u + 4u));
  const double scale = 1 + 0x1p-11;  // a tie of FLOAT16, to 1
  EXPECT_EQ(CodeBy(types, 2047, scale), CodeOf(kFloat16, 2048));
  EXPECT_EQ(CodeBy(types, 2047, scale, {}, {.operands = Operands::kScaleInP}),
            CodeOf(kFloat16, 2047));
}

TEST(Int32, ZeroPointOtherThanZero_IsFree) {  // DQ-06
  const Types types{13, kInt32, kFloat, kFloat};
  const ElementAnswer free = AskValues(types, 100, 0.5, 1);
  EXPECT_EQ(free.freedom, Freedom::kAnyCode);
  EXPECT_EQ(free.code, CodeOf(kFloat, 49.5));
  const ElementAnswer judged = AskValues(types, 100, 0.5, 0);
  EXPECT_EQ(judged.freedom, Freedom::kNone);
  EXPECT_EQ(judged.code, CodeOf(kFloat, 50));
  // The difference does not wrap.
  EXPECT_EQ(CodeBy(types, -2147483648.0, 1, 1), CodeOf(kFloat, -2147483648.0));
}

TEST(Scale, Degenerate_FollowsIeee) {  // DQ-09
  const Types types{13, kInt8, kFloat, kFloat};
  struct Row {
    double x, scale, y;
  };
  for (const Row& row : {Row{3, 0, 0},
                         {-3, 0, -0.0},
                         {3, -0.0, -0.0},
                         {3, -2, -6},
                         {3, kInfinity, kInfinity},
                         {-3, kInfinity, -kInfinity},
                         {3, 0x1p-149, 0x1.8p-148},
                         {-1, 0x1p-140, -0x1p-140}}) {
    const ElementAnswer answer = AskValues(types, row.x, row.scale);
    EXPECT_EQ(answer.code, CodeOf(kFloat, row.y)) << row.x << " * " << row.scale;
    EXPECT_EQ(answer.tier, Tier::kDegenerateScale);
    EXPECT_EQ(answer.freedom, Freedom::kNone);
  }
  EXPECT_EQ(AskValues(types, 0, kInfinity).freedom, Freedom::kAnyNan);
  EXPECT_EQ(AskValues(types, 1, std::nan("")).freedom, Freedom::kAnyNan);
}

TEST(Scale, SignOfAZeroDifference) {  // DQ-10
  const Types types{13, kInt8, kFloat, kFloat};
  const Readings dropped{.zero_sign_dropped = true};
  EXPECT_EQ(CodeBy(types, 7, 2, 7), 0u);
  EXPECT_EQ(CodeBy(types, 7, -2, 7), 0x80000000u);
  EXPECT_EQ(CodeBy(types, 7, -2, 7, dropped), 0u);
  EXPECT_EQ(CodeBy(types, 0, -2, {}, dropped), 0u);
  // A product that underflows keeps its sign.
  const Types half{23, kInt8, kFloat, kFloat16};
  const Readings unconverted{.operands = Operands::kUnconverted};
  const Readings both{.operands = Operands::kUnconverted, .zero_sign_dropped = true};
  EXPECT_EQ(CodeBy(half, -1, 0x1p-30, {}, unconverted), 0x8000u);
  EXPECT_EQ(CodeBy(half, -1, 0x1p-30, {}, both), 0x8000u);
}

TEST(DequantizeTier, OfEachKindOfQuestion) {  // DQ-09, DQ-13
  const auto tier = [](const Types& types, double x, double scale) {
    return AskValues(types, x, scale).tier;
  };
  const Types narrow{23, kInt16, kFloat, kFloat16};
  EXPECT_EQ(tier(narrow, 3, 1), Tier::kRegular);
  EXPECT_EQ(tier(narrow, 0, 1), Tier::kRegular);
  EXPECT_EQ(tier(narrow, 3, 0x1p-15), Tier::kSubnormal);  // s
  EXPECT_EQ(tier(narrow, 3, 0x1p-26), Tier::kConversionRange);
  EXPECT_EQ(tier(narrow, 3, 65536), Tier::kConversionRange);
  EXPECT_EQ(tier(narrow, 3, 65519), Tier::kRegular);  // rounds to 65504
  EXPECT_EQ(tier(narrow, 3, -1), Tier::kDegenerateScale);
  EXPECT_EQ(tier(narrow, 3, 0x1p-140), Tier::kDegenerateScale);
  const Types wide{23, kUint16, kFloat16, kFloat16};
  EXPECT_EQ(tier(wide, 65519, 1), Tier::kRegular);
  EXPECT_EQ(tier(wide, 65520, 1), Tier::kConversionRange);  // d
  // The product of a float x.
  const Types tiny{23, kFloat8E4M3FN, kFloat16, kFloat16};
  EXPECT_EQ(tier(tiny, 0x1p-9, 0x1p-5), Tier::kRegular);
  EXPECT_EQ(tier(tiny, 0x1p-9, 0x1p-6), Tier::kSubnormal);
  EXPECT_EQ(tier(tiny, 0, 0x1p-6), Tier::kRegular);
}

}  // namespace
}  // namespace qconform::dequantize_linear
