// G-02 and QL-40: tiers, degenerate scales, and what the coverage counts.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;

struct TierRow {
  const char* what;
  Question question;
  Tier tier;
};

TEST(Tier, OfEachKindOfQuestion) {
  const uint64_t one = FloatBits(1);
  const TierRow rows[] = {
      {"plain", {.x = one, .scale = one}, Tier::kRegular},
      {"x = 0", {.x = 0, .scale = one}, Tier::kRegular},
      {"x = NaN", {.x = FloatBits(NAN), .scale = one}, Tier::kRegular},
      {"x = Inf", {.x = FloatBits(INFINITY), .scale = one}, Tier::kRegular},
      {"quotient overflows P",
       {.x = FloatBits(3e38f), .scale = FloatBits(1e-9f)},
       Tier::kRegular},

      {"x subnormal", {.x = 1, .scale = one}, Tier::kSubnormal},
      {"x the largest subnormal", {.x = 0x007FFFFF, .scale = one}, Tier::kSubnormal},
      {"x the smallest normal", {.x = 0x00800000, .scale = one}, Tier::kRegular},
      {"quotient subnormal", {.x = 0x00800000, .scale = FloatBits(2)}, Tier::kSubnormal},
      {"quotient below the smallest normal, rounded up to it",
       {.x = 0x00FFFFFF, .scale = FloatBits(2)},
       Tier::kSubnormal},
      {"quotient underflows to zero",
       {.x = FloatBits(1e-30f), .scale = FloatBits(1e30f)},
       Tier::kSubnormal},
      {"zero over a normal scale", {.x = 0, .scale = FloatBits(1e30f)}, Tier::kRegular},

      {"scale zero", {.x = one, .scale = 0}, Tier::kDegenerateScale},
      {"scale -0", {.x = one, .scale = 0x80000000}, Tier::kDegenerateScale},
      {"scale negative", {.x = one, .scale = FloatBits(-1)}, Tier::kDegenerateScale},
      {"scale subnormal", {.x = one, .scale = 0x00400000}, Tier::kDegenerateScale},
      {"scale NaN", {.x = one, .scale = FloatBits(NAN)}, Tier::kDegenerateScale},
      {"scale Inf", {.x = one, .scale = FloatBits(INFINITY)}, Tier::kDegenerateScale},
      {"scale zero and x subnormal", {.x = 1, .scale = 0}, Tier::kDegenerateScale},

      {"INT32 scale",
       {.x_type = kInt32, .x = 1, .scale_type = kInt32, .scale = 1000000},
       Tier::kRegular},
      {"INT32 scale negative",
       {.x_type = kInt32, .x = 1, .scale_type = kInt32, .scale = 0xFFFFFFFF},
       Tier::kDegenerateScale},
      {"INT32 scale, FLOAT x: no P, judged by FLOAT",
       {.x = 0x00800000, .scale_type = kInt32, .scale = 3},
       Tier::kSubnormal},
      {"INT32 scale beyond FLOAT16, which x_type_division divides in",
       {.x_type = kFloat16, .x = 0x7BFF, .scale_type = kInt32, .scale = 100000},
       Tier::kConversionRange},
      {"the same with FLOAT x",
       {.x = one, .scale_type = kInt32, .scale = 100000},
       Tier::kRegular},
      {"FLOAT16 x over INT32, quotient subnormal in FLOAT16",
       {.x_type = kFloat16, .x = 0x0400, .scale_type = kInt32, .scale = 3},
       Tier::kSubnormal},

      {"FLOAT8E8M0 2^-127 is subnormal in FLOAT",
       {.x = one, .scale_type = kFloat8E8M0, .scale = 0},
       Tier::kSubnormal},
      {"FLOAT8E8M0 2^-126",
       {.x = one, .scale_type = kFloat8E8M0, .scale = 1},
       Tier::kRegular},
      {"FLOAT8E8M0 NaN",
       {.x = one, .scale_type = kFloat8E8M0, .scale = 0xFF},
       Tier::kDegenerateScale},
      {"FLOAT8E8M0 2^-20, FLOAT16 x: subnormal for x_type_division",
       {.x_type = kFloat16, .x = 0x3C00, .scale_type = kFloat8E8M0, .scale = 107},
       Tier::kSubnormal},

      {"x overflows P",
       {.x = FloatBits(1e5f), .scale_type = kFloat16, .scale = 0x3C00},
       Tier::kConversionRange},
      {"x vanishes in P",
       {.x = FloatBits(1e-9f), .scale_type = kFloat16, .scale = 0x3C00},
       Tier::kConversionRange},
      {"x becomes subnormal in P",
       {.x = FloatBits(0x1p-20f), .scale_type = kFloat16, .scale = 0x3C00},
       Tier::kSubnormal},
      {"x subnormal in its own type alone",
       {.x_type = kFloat16, .x = 1, .scale = one},
       Tier::kSubnormal},
      {"scale overflows P",
       {.x = one, .scale = FloatBits(1e6f), .attributes = {.precision = 10}},
       Tier::kConversionRange},
      {"scale vanishes in P",
       {.x = one, .scale = FloatBits(1e-9f), .attributes = {.precision = 10}},
       Tier::kConversionRange},
      {"scale becomes subnormal in P",
       {.x = one, .scale = FloatBits(0x1p-20f), .attributes = {.precision = 10}},
       Tier::kSubnormal},
      {"quotient subnormal in P",
       {.x = FloatBits(0x1p-10f),
        .scale = FloatBits(0x1p6f),
        .attributes = {.precision = 10}},
       Tier::kSubnormal},
      {"the same in FLOAT",
       {.x = FloatBits(0x1p-10f), .scale = FloatBits(0x1p6f)},
       Tier::kRegular},
      {"P = DOUBLE, x subnormal in its own type",
       {.x = 1, .scale = one, .attributes = {.precision = 11}},
       Tier::kSubnormal},
      {"P = DOUBLE, quotient far below FLOAT",
       {.x = FloatBits(1e-30f),
        .scale = FloatBits(1e30f),
        .attributes = {.precision = 11}},
       Tier::kRegular},
      {"INT32 x rounds, but stays in range",
       {.x_type = kInt32, .x = 0x7FFFFFFF, .scale = one},
       Tier::kRegular},
      {"INT32 x overflows FLOAT16",
       {.x_type = kInt32, .x = 70000, .scale_type = kFloat16, .scale = 0x3C00},
       Tier::kConversionRange},
  };
  for (const TierRow& row : rows) {
    EXPECT_EQ(TierName(Ask(row.question).tier), TierName(row.tier)) << row.what;
    // The tier belongs to the question: every reading sees the same.
    for (const QuantizeLinearReadings& readings :
         ReadingCombinations(25, row.question.x_type, row.question.scale_type,
                             row.question.y_type, row.question.attributes.precision)) {
      Question question = row.question;
      question.readings = readings;
      EXPECT_EQ(TierName(Ask(question).tier), TierName(row.tier)) << row.what;
    }
  }
}

TEST(Tier, Names) {
  EXPECT_EQ(TierName(Tier::kRegular), "regular");
  EXPECT_EQ(TierName(Tier::kSubnormal), "subnormal");
  EXPECT_EQ(TierName(Tier::kConversionRange), "conversion_range");
  EXPECT_EQ(TierName(Tier::kDegenerateScale), "degenerate_scale");
  EXPECT_EQ(TierName(Tier::kAccumulatorOverflow), "accumulator_overflow");
}

TEST(DegenerateScale, AsIeee754Says) {  // QL-40
  struct Row {
    float x, scale;
    DataType y;
    uint32_t code;
  };
  const Row rows[] = {
      {1, 0, kUint8, 255},
      {-1, 0, kInt8, 0x80},
      {1, -0.0f, kInt8, 0x80},
      {3, -2, kInt8, 0xFE},  // -1.5
      {1, INFINITY, kUint8, 0},
      {-1, INFINITY, kFloat8E4M3FN, 0x80},  // -0
      {0x1p-140f, 0x1p-141f, kUint8, 2},  // subnormal over subnormal: nothing is flushed
      {0x1p-149f, 0x1p-149f, kFloat8E5M2, 0x3C},
      {1, 0x1p-149f, kUint8, 255},  // overflows FLOAT
      {NAN, 0, kFloat8E5M2, 0x7E},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(AskFloat(row.x, row.scale, row.y).code, row.code)
        << row.x << " / " << row.scale;
  }
}

TEST(Features, CountWhatTheyName) {
  struct Row {
    const char* what;
    float x, scale;
    DataType y;
    std::optional<uint64_t> zero_point;
    int features;
  };
  const Row rows[] = {
      {"exact", 2, 1, kUint8, {}, 0},
      {"zero", 0, 1, kUint8, {}, kFeatureZeroResult},
      {"tie", 2.5f, 1, kUint8, {}, kFeatureTie | kFeatureInexact},
      {"near tie", 2.500001f, 1, kUint8, {}, kFeatureNearTie | kFeatureInexact},
      {"neither", 2.25f, 1, kUint8, {}, kFeatureInexact},
      {"tie that both sides saturate",
       300.5f,
       1,
       kUint8,
       {},
       kFeatureSaturatedHigh | kFeatureInexact},
      {"tie below the range", -0.5f, 1, kUint8, {}, kFeatureZeroResult | kFeatureInexact},
      {"the last tie in range", 254.5f, 1, kUint8, {}, kFeatureTie | kFeatureInexact},
      {"the first beyond it",
       255.5f,
       1,
       kUint8,
       {},
       kFeatureSaturatedHigh | kFeatureInexact},
      {"the lowest tie in range, away from zero",
       -127.5f,
       1,
       kInt8,
       {},
       kFeatureTie | kFeatureInexact},
      {"the first below it, to the end", -128.5f, 1, kInt8, {}, kFeatureInexact},
      {"zero point", 3, 1, kUint8, 5, kFeatureZeroPoint},
      {"tie with zero point, within the range", -0.5f, 1, kUint8, 1,
       kFeatureZeroPoint | kFeatureTie | kFeatureInexact},
      {"quotient rounded",
       1,
       3,
       kInt8,
       {},
       kFeatureQuotientRounded | kFeatureInexact | kFeatureZeroResult},
      {"NaN", NAN, 1, kUint8, {}, kFeatureNan},
      {"Inf",
       INFINITY,
       1,
       kUint8,
       {},
       kFeatureInfinity | kFeatureSaturatedHigh | kFeatureInexact},
      {"float8 tie", 1.0625f, 1, kFloat8E4M3FN, {}, kFeatureTie | kFeatureInexact},
      {"float8 subnormal", 0x1p-9f, 1, kFloat8E4M3FN, {}, kFeatureSubnormalResult},
      {"float8 zero", -0.0f, 1, kFloat8E4M3FN, {}, kFeatureZeroResult},
      {"float8 low", -1000, 1, kFloat8E4M3FN, {}, kFeatureSaturatedLow | kFeatureInexact},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(AskFloat(row.x, row.scale, row.y, row.zero_point).features, row.features)
        << row.what;
  }
}

TEST(Features, TieAtTheEndOfAFloat8_CountsWhereOverflowHasACode) {
  EXPECT_FALSE(AskFloat(464, 1, kFloat8E4M3FN).features & kFeatureTie);
  EXPECT_TRUE(AskFloat(464, 1, kFloat8E4M3FN, {}, {.saturate = 0}).features &
              kFeatureTie);
}

}  // namespace
}  // namespace qconform
