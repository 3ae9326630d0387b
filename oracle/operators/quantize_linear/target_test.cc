// QL-10 to QL-28: integer, float8, float6 and float4 targets.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/core/operator.h"
#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {
namespace quantize_linear {
const Operator& GetOperator();
}
namespace {

using enum DataType;

constexpr QuantizeLinearAttributes kNoSaturate{.saturate = 0};

struct IntegerRow {
  float x;
  DataType y;
  uint64_t zero_point;
  uint32_t code;
};

TEST(IntegerTarget, RoundsBeforeTheZeroPointIsAdded) {  // QL-10
  const IntegerRow rows[] = {
      {0.5f, kUint8, 1, 1},  // rne(0.5) = 0, + 1; adding first: rne(1.5) = 2
      {1.5f, kUint8, 1, 3},  // rne(1.5) = 2, + 1; adding first: rne(2.5) = 2
      {2.5f, kUint8, 0, 2},  // ties to even
      {3.5f, kUint8, 0, 4},      {-0.5f, kInt8, 3, 3},
      {-2.5f, kInt8, 1, 0xFF},                                      // -2 + 1
      {2.500001f, kUint8, 0, 3}, {100.5f, kInt16, 0x8000, 0x8064},  // 100 - 32768
  };
  for (const IntegerRow& row : rows) {
    EXPECT_EQ(AskFloat(row.x, 1, row.y, row.zero_point).code, row.code)
        << row.x << " " << row.zero_point;
  }
}

TEST(IntegerTarget, SaturatesHoweverLarge) {  // QL-11, QL-13
  struct Row {
    DataType y;
    uint32_t smallest, largest;
  };
  const Row rows[] = {{kUint16, 0, 65535}, {kInt16, 0x8000, 0x7FFF}, {kUint8, 0, 255},
                      {kInt8, 0x80, 0x7F}, {kUint4, 0, 15},          {kInt4, 0x8, 0x7},
                      {kUint2, 0, 3},      {kInt2, 0x2, 0x1}};
  const float beyond[] = {70000, 2147483648.0f, 4294967296.0f, 1e19f, 3e38f, INFINITY};
  int visited = 0;
  for (const Row& row : rows) {
    for (const float x : beyond) {
      const ElementAnswer high = AskFloat(x, 1, row.y);
      const ElementAnswer low = AskFloat(-x, 1, row.y);
      EXPECT_EQ(high.code, row.largest) << DataTypeName(row.y) << x;
      EXPECT_EQ(low.code, row.smallest) << DataTypeName(row.y) << x;
      EXPECT_TRUE(high.features & kFeatureSaturatedHigh);
      EXPECT_TRUE(low.features & kFeatureSaturatedLow);
      ++visited;
    }
    // The quotient overflows FLOAT.
    EXPECT_EQ(AskFloat(3e38f, 1e-30f, row.y).code, row.largest);
    // The ends are reached, and nothing short of them saturates.
    const double last = static_cast<double>(IntegerMax(FormatOf(row.y)));
    EXPECT_EQ(AskFloat(static_cast<float>(last), 1, row.y).code, row.largest);
    EXPECT_FALSE(AskFloat(static_cast<float>(last), 1, row.y).features &
                 kFeatureSaturatedHigh);
  }
  EXPECT_EQ(visited, 48);
}

TEST(IntegerTarget, ZeroPointAtTheEnds_SaturatesAfterTheSum) {  // QL-10, QL-11
  const IntegerRow rows[] = {
      {-200, kUint8, 255, 55}, {300, kUint8, 255, 255}, {-300, kUint8, 255, 0},
      {255, kInt8, 0x80, 127}, {256, kInt8, 0x80, 127}, {-1, kInt8, 0x80, 0x80},
      {7, kInt4, 0x8, 0xF},    {15, kInt4, 0x8, 0x7},   {-3, kUint2, 3, 0},
  };
  for (const IntegerRow& row : rows) {
    EXPECT_EQ(AskFloat(row.x, 1, row.y, row.zero_point).code, row.code) << row.x;
  }
}

TEST(IntegerTarget, NanQuotient_IsTheSmallestAndFree) {  // QL-12
  struct Row {
    float x, scale;
  };
  const Row rows[] = {{NAN, 1}, {1, NAN}, {0, 0}, {INFINITY, INFINITY}, {-0.0f, 0}};
  for (const Row& row : rows) {
    const ElementAnswer answer = AskFloat(row.x, row.scale, kInt8, 5);
    EXPECT_EQ(answer.code, 0x80u) << row.x << " / " << row.scale;
    EXPECT_EQ(answer.freedom, Freedom::kAnyCode);
    EXPECT_TRUE(answer.features & kFeatureNan);
  }
  EXPECT_EQ(AskFloat(NAN, 1, kUint4).code, 0u);
}

TEST(IntegerTarget, SaturateAttribute_IsIgnored) {  // QL-14
  EXPECT_EQ(AskFloat(300, 1, kUint8, std::nullopt, kNoSaturate).code, 255u);
  EXPECT_EQ(AskFloat(-9, 1, kInt4, std::nullopt, kNoSaturate).code, 0x8u);
  EXPECT_EQ(AskFloat(100, 1, kFloat4E2M1, std::nullopt, kNoSaturate).code, 0x7u);
}

struct FloatRow {
  float x;
  DataType y;
  uint32_t saturating, non_saturating;
};

TEST(Float8Target, GridOverflowAndZero) {  // QL-20, QL-21
  const FloatRow rows[] = {
      {1.0625f, kFloat8E4M3FN, 0x38, 0x38},  // a tie between 1 and 1.125: even
      {1.1875f, kFloat8E4M3FN, 0x3A, 0x3A},  // a tie between 1.125 and 1.25: even
      {464, kFloat8E4M3FN, 0x7E, 0x7E},      // a tie to 448: no overflow
      {465, kFloat8E4M3FN, 0x7E, 0x7F},      // to 480: overflow, NaN
      {-465, kFloat8E4M3FN, 0xFE, 0xFF},
      {247, kFloat8E4M3FNUZ, 0x7F, 0x7F},
      {248, kFloat8E4M3FNUZ, 0x7F, 0x80},  // a tie to 256: overflow, NaN
      {-1e9f, kFloat8E4M3FNUZ, 0xFF, 0x80},
      {61439, kFloat8E5M2, 0x7B, 0x7B},
      {61440, kFloat8E5M2, 0x7B, 0x7C},  // a tie to 65536: Inf
      {-61440, kFloat8E5M2, 0xFB, 0xFC},
      {61440, kFloat8E5M2FNUZ, 0x7F, 0x80},
      {INFINITY, kFloat8E4M3FN, 0x7E, 0x7F},  // QL-21
      {-INFINITY, kFloat8E4M3FN, 0xFE, 0xFF},
      {INFINITY, kFloat8E5M2, 0x7B, 0x7C},
      {-INFINITY, kFloat8E5M2, 0xFB, 0xFC},
      {-INFINITY, kFloat8E4M3FNUZ, 0xFF, 0x80},  // QL-22 for the first
      {INFINITY, kFloat8E5M2FNUZ, 0x7F, 0x80},
      {0x1p-9f, kFloat8E4M3FN, 0x01, 0x01},    // the smallest subnormal
      {0x1p-10f, kFloat8E4M3FN, 0x00, 0x00},   // half of it: a tie to zero
      {0x1.8p-9f, kFloat8E4M3FN, 0x02, 0x02},  // 1.5 of it: a tie to 2
      {-0x1p-12f, kFloat8E4M3FN, 0x80, 0x80},  // zero of its sign
      {-0.0f, kFloat8E5M2, 0x80, 0x80},
      {-0x1p-20f, kFloat8E5M2FNUZ, 0x00, 0x00},  // 0x80 is NaN there
      {-0.0f, kFloat8E4M3FNUZ, 0x00, 0x00},
  };
  for (const FloatRow& row : rows) {
    const ElementAnswer saturating = AskFloat(row.x, 1, row.y);
    EXPECT_EQ(saturating.code, row.saturating) << row.x << " " << DataTypeName(row.y);
    EXPECT_EQ(saturating.freedom, Freedom::kNone);
    const ElementAnswer other = AskFloat(row.x, 1, row.y, std::nullopt, kNoSaturate);
    EXPECT_EQ(other.code, row.non_saturating) << row.x << " " << DataTypeName(row.y);
    EXPECT_EQ(other.freedom == Freedom::kAnyNan, IsNan(FormatOf(row.y), other.code));
  }
}

TEST(Float8Target, QuotientThatOverflowsP_IsInfinity) {  // QL-21
  EXPECT_EQ(AskFloat(3e38f, 0.5f, kFloat8E5M2).code, 0x7Bu);
  EXPECT_EQ(AskFloat(3e38f, 0.5f, kFloat8E5M2, std::nullopt, kNoSaturate).code, 0x7Cu);
  EXPECT_TRUE(AskFloat(3e38f, 0.5f, kFloat8E5M2).features & kFeatureInfinity);
}

TEST(Float8Target, DoubleQuotient_IsRoundedOnce) {  // QL-20
  // (1.1875 + 2^-23) / (1 + 2^-23) = 1.1875 - 0.1875 * 2^-23 + ... lies below the
  // tie of 1.125 and 1.25: 1.125. Rounded to FLOAT it is the tie: to even, 1.25.
  const Question question{.x = FloatBits(1.1875f) + 1,
                          .scale = FloatBits(1) + 1,
                          .y_type = kFloat8E4M3FN,
                          .attributes = {.precision = 11}};
  EXPECT_EQ(Ask(question).code, 0x39u);
  Question in_float = question;
  in_float.attributes.precision = 1;
  EXPECT_EQ(Ask(in_float).code, 0x3Au);
}

TEST(Float8Target, AllCodes_AreTheirOwnQuantization) {  // QL-20
  int visited = 0;
  for (const DataType y : {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ,
                           kFloat6E2M3, kFloat6E3M2, kFloat4E2M1}) {
    const NumberFormat& format = FormatOf(y);
    for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code, ++visited) {
      const ExactValue value = Decode(format, code);
      double x = std::ldexp(static_cast<double>(value.significand), value.exponent);
      if (value.value_class == ValueClass::kInfinity) x = INFINITY;
      if (value.value_class == ValueClass::kNan) x = NAN;
      if (value.negative) x = -x;
      const ElementAnswer answer =
          AskFloat(static_cast<float>(x), 1, y, std::nullopt, kNoSaturate);
      if (IsNan(format, code)) {
        ASSERT_TRUE(IsNan(format, answer.code));
        ASSERT_EQ(answer.freedom, Freedom::kAnyNan);  // QL-23
      } else {
        ASSERT_EQ(answer.code, code) << DataTypeName(y);
      }
    }
  }
  EXPECT_EQ(visited, 4 * 256 + 2 * 64 + 16);
}

TEST(Float8Target, ZeroPointOfZero_KeepsTheSignOfQ) {  // QL-20a
  const QuantizeLinearReadings added{.zero_point_added = true};
  struct Row {
    float x;
    uint64_t zero_point;
    uint32_t canonical, zero_point_added;
  };
  const Row rows[] = {
      {-0.0f, 0x00, 0x80, 0x00},  // -0 + +0 = +0
      {-0.0f, 0x80, 0x80, 0x80},  // -0 + -0 = -0
      {0.0f, 0x80, 0x00, 0x00},
      {-0x1p-20f, 0x00, 0x80, 0x80},  // the sum is not zero, and rounds to -0
      {-1, 0x00, 0xB8, 0xB8},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(AskFloat(row.x, 1, kFloat8E4M3FN, row.zero_point).code, row.canonical)
        << row.x;
    EXPECT_EQ(AskFloat(row.x, 1, kFloat8E4M3FN, row.zero_point, {}, added).code,
              row.zero_point_added)
        << row.x;
  }
}

TEST(Float8Target, MissingZeroPoint_IsAZeroThatMayBeAdded) {  // QL-20a, QL-30
  const QuantizeLinearReadings canonical;
  const QuantizeLinearReadings present{.zero_point_added = true};
  const QuantizeLinearReadings both{.zero_point_added = true,
                                    .missing_zero_point_added = true};
  struct Row {
    DataType y;
    float x;
    std::optional<uint64_t> zero_point;
    uint32_t canonical, present, both;
  };
  const Row rows[] = {
      {kFloat8E4M3FN, -0.0f, std::nullopt, 0x80, 0x80, 0x00},
      {kFloat8E4M3FN, -0.0f, 0x00, 0x80, 0x00, 0x00},
      {kFloat8E4M3FN, -0.0f, 0x80, 0x80, 0x80, 0x80},
      {kFloat8E4M3FN, -0x1p-20f, std::nullopt, 0x80, 0x80, 0x80},
      {kFloat8E5M2, -0.0f, std::nullopt, 0x80, 0x80, 0x00},
      {kFloat8E5M2FNUZ, -0.0f, std::nullopt, 0x00, 0x00, 0x00},
      {kFloat4E2M1, -0.0f, std::nullopt, 0x8, 0x8, 0x0},
      {kFloat4E2M1, -0.0f, 0x0, 0x8, 0x0, 0x0},
      {kFloat4E2M1, -0.2f, std::nullopt, 0x8, 0x8, 0x8},
  };
  for (const Row& row : rows) {
    const auto ask = [&](const QuantizeLinearReadings& readings) {
      return AskFloat(row.x, 1, row.y, row.zero_point, {}, readings).code;
    };
    EXPECT_EQ(ask(canonical), row.canonical) << DataTypeName(row.y) << " " << row.x;
    EXPECT_EQ(ask(present), row.present) << DataTypeName(row.y) << " " << row.x;
    EXPECT_EQ(ask(both), row.both) << DataTypeName(row.y) << " " << row.x;
  }
}

TEST(Float8Target, InfinityToFnuz_FollowsTheCastOfItsTime) {  // QL-22
  const QuantizeLinearReadings nan{.fnuz_infinity_nan = true};
  const QuantizeLinearReadings largest{.fnuz_infinity_largest = true};
  for (const int since : {19, 21, 23, 24, 25, 28}) {
    const auto ask = [since](float x, DataType y,
                             const QuantizeLinearReadings& readings) {
      return Ask({.since_version = since,
                  .x = FloatBits(x),
                  .scale = FloatBits(1),
                  .y_type = y,
                  .readings = readings})
          .code;
    };
    const bool old = since < 24;
    EXPECT_EQ(ask(INFINITY, kFloat8E4M3FNUZ, {}), old ? 0x80u : 0x7Fu) << since;
    EXPECT_EQ(ask(-INFINITY, kFloat8E5M2FNUZ, {}), old ? 0x80u : 0xFFu) << since;
    const QuantizeLinearReadings& other = old ? largest : nan;
    EXPECT_EQ(ask(INFINITY, kFloat8E4M3FNUZ, other), old ? 0x7Fu : 0x80u) << since;
    EXPECT_EQ(ask(-INFINITY, kFloat8E5M2FNUZ, other), old ? 0xFFu : 0x80u) << since;
    // Finite overflow saturates all the same, and the other formats have no such reading.
    for (const QuantizeLinearReadings& any : {QuantizeLinearReadings(), nan, largest}) {
      EXPECT_EQ(ask(1e30f, kFloat8E4M3FNUZ, any), 0x7Fu) << since;
      EXPECT_EQ(ask(INFINITY, kFloat8E4M3FN, any), 0x7Eu) << since;
    }
  }
}

TEST(Float8Target, ZeroPoint_IsAddedExactlyAndRoundedOnce) {  // QL-24
  struct Row {
    float x;
    double zero_point;
    double canonical, ignored, round_then_add;
  };
  const Row rows[] = {
      {1, 2, 3, 1, 3},
      {-2, 2, 0, -2, 0},  // +0
      // q = 1.0625 + 2^-20: above the tie of 1 and 1.125. With zp = 1:
      // 2.0625 + 2^-20: below the tie 2.125 of 2 and 2.25: 2.
      // Rounded first: 1.125 + 1 = 2.125: the tie: to even, 2.
      {1.0625f + 0x1p-20f, 1, 2, 1.125, 2},
      // q = 1.1875 + 2^-20 is 1.25 rounded; + 1 = 2.25. Once: 2.1875: 2.25.
      {1.1875f + 0x1p-20f, 1, 2.25, 1.25, 2.25},
      // q = 1.0625 (a tie: 1) + 16 = 17, a tie of 16 and 18: 16; once: 17.0625: 18.
      {1.0625f, 16, 18, 1, 16},
      {1000, -448, 448, 448, 0},  // once: 552 saturates; rounded first: 448 - 448
      {0x1p-20f, 1, 1, 0, 1},
  };
  for (const Row& row : rows) {
    const uint64_t zero_point = CodeOf(kFloat8E4M3FN, row.zero_point);
    const auto ask = [&](FloatZeroPoint reading) {
      return AskFloat(row.x, 1, kFloat8E4M3FN, zero_point, {},
                      {.float_zero_point = reading})
          .code;
    };
    EXPECT_EQ(ask(FloatZeroPoint::kCanonical), CodeOf(kFloat8E4M3FN, row.canonical))
        << row.x;
    EXPECT_EQ(ask(FloatZeroPoint::kIgnored), CodeOf(kFloat8E4M3FN, row.ignored)) << row.x;
    EXPECT_EQ(ask(FloatZeroPoint::kRoundThenAdd),
              CodeOf(kFloat8E4M3FN, row.round_then_add))
        << row.x;
  }
}

TEST(Float8Target, ZeroPointAddedInP_RoundsTheSumToP) {  // QL-24
  // q = 1 + 2^-23, zp = 16: the sum 17 + 2^-23 is above the tie 17: 18. In FLOAT
  // the sum is 17: to even, 16.
  const uint64_t x = FloatBits(1) + 1;
  Question question{.x = x,
                    .scale = FloatBits(1),
                    .y_type = kFloat8E4M3FN,
                    .zero_point = CodeOf(kFloat8E4M3FN, 16)};
  EXPECT_EQ(Ask(question).code, CodeOf(kFloat8E4M3FN, 18));
  question.readings.float_zero_point = FloatZeroPoint::kAddedInP;
  EXPECT_EQ(Ask(question).code, CodeOf(kFloat8E4M3FN, 16));
  // In DOUBLE the sum is exact, and above the tie.
  question.attributes.precision = 11;
  EXPECT_EQ(Ask(question).code, CodeOf(kFloat8E4M3FN, 18));
}

TEST(Float8Target, ExactQuotientAndZeroPoint_AreRoundedOnce) {  // QL-06, QL-24
  // 50331649 / 50331648 + 16 = 17 + 2e-8: above the tie 17: 18.
  const Question question{.x_type = kInt32,
                          .x = 50331649,
                          .scale_type = kInt32,
                          .scale = 50331648,
                          .y_type = kFloat8E4M3FN,
                          .zero_point = CodeOf(kFloat8E4M3FN, 16)};
  EXPECT_EQ(Ask(question).code, CodeOf(kFloat8E4M3FN, 18));
  // -2147483647 / 2147483646 + 1 = -4.7e-10: not zero, so it rounds to -0.
  const Question cancelling{.x_type = kInt32,
                            .x = static_cast<uint32_t>(-2147483647),
                            .scale_type = kInt32,
                            .scale = 2147483646,
                            .y_type = kFloat8E5M2,
                            .zero_point = CodeOf(kFloat8E5M2, 1)};
  EXPECT_EQ(Ask(cancelling).code, 0x80u);
}

TEST(Float8Target, SpecialZeroPoints_FollowIeee) {  // QL-24
  struct Row {
    float x;
    DataType y;
    uint64_t zero_point;
    uint32_t code;
  };
  const Row rows[] = {
      {1, kFloat8E4M3FN, 0x7F, 0x7F},  // NaN
      {1, kFloat8E4M3FNUZ, 0x80, 0x80},
      {1, kFloat8E5M2, 0x7C, 0x7B},          // 1 + Inf, saturated
      {-INFINITY, kFloat8E5M2, 0x7C, 0x7E},  // -Inf + Inf: NaN
      {NAN, kFloat8E5M2, 0x7C, 0x7E},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(AskFloat(row.x, 1, row.y, row.zero_point).code, row.code) << row.x;
  }
}

TEST(Float4Target, GridTiesAndSpecialValues) {  // QL-25, QL-26
  struct Row {
    float x;
    uint32_t code;
  };
  const Row rows[] = {
      {0.25f, 0x0},     {0.26f, 0x1},  {0.75f, 0x2},  // 0, 0.5, 1: ties to even
      {1.25f, 0x2},     {1.75f, 0x4},  {2.5f, 0x4},   // 1, 2, 2
      {3.5f, 0x6},      {5, 0x6},      {5.01f, 0x7},  // 4, 4, 6
      {7, 0x7},         {-1e30f, 0xF}, {INFINITY, 0x7},
      {-INFINITY, 0xF}, {-0.0f, 0x8},  {-0.2f, 0x8},
  };
  for (const Row& row : rows) {
    const ElementAnswer answer = AskFloat(row.x, 1, kFloat4E2M1);
    EXPECT_EQ(answer.code, row.code) << row.x;
    EXPECT_EQ(answer.freedom, Freedom::kNone);
  }
  const ElementAnswer nan = AskFloat(NAN, 1, kFloat4E2M1);
  EXPECT_EQ(nan.code, 0x7u);
  EXPECT_EQ(nan.freedom, Freedom::kAnyCode);
  const QuantizeLinearReadings dropped{.zero_sign_dropped = true};
  EXPECT_EQ(AskFloat(-0.2f, 1, kFloat4E2M1, std::nullopt, {}, dropped).code, 0x0u);
  EXPECT_EQ(AskFloat(-1, 1, kFloat4E2M1, std::nullopt, {}, dropped).code, 0xAu);
  // QL-25: the zero point as in QL-24. 1.25 + 1 = 2.25: 2; rounded first: 1 + 1.
  EXPECT_EQ(AskFloat(1.75f, 1, kFloat4E2M1, CodeOf(kFloat4E2M1, 1)).code,
            CodeOf(kFloat4E2M1, 3));
  EXPECT_EQ(AskFloat(NAN, 1, kFloat4E2M1, 0x2, {},
                     {.float_zero_point = FloatZeroPoint::kRoundThenAdd})
                .freedom,
            Freedom::kAnyCode);
}

TEST(Float6Target, GridTiesAndSaturation) {  // QL-27
  struct Row {
    float x;
    uint32_t e2m3, e3m2;
  };
  const Row rows[] = {
      {0.03125f, 0x00, 0x00},  // E3M2: a tie between 0 and the smallest subnormal
      {0.0625f, 0x00, 0x01},   // E2M3: the same
      {0.09375f, 0x01, 0x02},  // E3M2: a tie between the subnormals 1 and 2
      {0.125f, 0x01, 0x02},
      {0.1875f, 0x02, 0x03},  // E2M3: a tie between the
                              // subnormals 1 and 2
      {0.25f, 0x02, 0x04},    // E3M2: the least normal
      {0.9375f, 0x08, 0x0C},  // E2M3: a tie between the last subnormal and 1
      {1, 0x08, 0x0C},
      {1.125f, 0x09, 0x0C},  // E3M2: a tie between 1 and 1.25
      {5.25f, 0x1A, 0x15},   // E2M3: a tie between 5 and 5.5
      {7.25f, 0x1E, 0x17},   // E2M3: a tie between 7 and 7.5
      {7.5f, 0x1F, 0x18},    // E3M2: a tie between 7 and 8
      {7.75f, 0x1F, 0x18},
      {26, 0x1F, 0x1E},  // E3M2: a tie between 24 and 28
      {26.5f, 0x1F, 0x1F},
      {28, 0x1F, 0x1F},
      {30, 0x1F, 0x1F},
      {448, 0x1F, 0x1F},
      {3e38f, 0x1F, 0x1F},
      {INFINITY, 0x1F, 0x1F},
  };
  for (const Row& row : rows) {
    for (const auto& [y, code] :
         {std::pair(kFloat6E2M3, row.e2m3), {kFloat6E3M2, row.e3m2}}) {
      const ElementAnswer answer = AskFloat(row.x, 1, y);
      EXPECT_EQ(answer.code, code) << row.x << " " << DataTypeName(y);
      EXPECT_EQ(answer.freedom, Freedom::kNone);
      EXPECT_EQ(AskFloat(-row.x, 1, y).code, code | 0x20)
          << row.x << " " << DataTypeName(y);
    }
  }
  // The quotient overflows FLOAT; a tie that FLOAT16 or a float8 would lose.
  EXPECT_EQ(AskFloat(3e38f, 1e-30f, kFloat6E3M2).code, 0x1Fu);
  EXPECT_EQ(AskFloat(7.25f + 0x1p-20f, 1, kFloat6E2M3).code, 0x1Fu);
  EXPECT_EQ(AskFloat(26.5f, 1, kFloat6E3M2).code, 0x1Fu);
}

TEST(Float6Target, SaturateAttribute_IsIgnored) {  // QL-27
  for (const float x : {29.0f, 31.0f, 1e30f, INFINITY}) {
    for (const DataType y : {kFloat6E2M3, kFloat6E3M2}) {
      EXPECT_EQ(AskFloat(x, 1, y, std::nullopt, kNoSaturate).code, 0x1Fu) << x;
      EXPECT_EQ(AskFloat(-x, 1, y, std::nullopt, kNoSaturate).code, 0x3Fu) << x;
    }
  }
}

TEST(Float6Target, ZeroSignAndNan) {  // QL-28, QL-20a
  const QuantizeLinearReadings dropped{.zero_sign_dropped = true};
  const QuantizeLinearReadings added{.zero_point_added = true};
  for (const DataType y : {kFloat6E2M3, kFloat6E3M2}) {
    for (const float x : {-0.0f, -0x1p-6f}) {
      EXPECT_EQ(AskFloat(x, 1, y).code, 0x20u) << x;
      EXPECT_EQ(AskFloat(x, 1, y, std::nullopt, {}, dropped).code, 0x00u) << x;
    }
    EXPECT_EQ(AskFloat(-0.0f, 1, y, 0x00, {}, added).code, 0x00u);
    EXPECT_EQ(AskFloat(-0.0f, 1, y, 0x20, {}, added).code, 0x20u);
    EXPECT_EQ(AskFloat(-0x1p-6f, 1, y, 0x00, {}, added).code, 0x20u);
    EXPECT_EQ(AskFloat(-1, 1, y, std::nullopt, {}, dropped).code, CodeOf(y, -1));
    for (const QuantizeLinearReadings& readings :
         {QuantizeLinearReadings(), dropped, added}) {
      const ElementAnswer nan = AskFloat(NAN, 1, y, 0x00, {}, readings);
      EXPECT_EQ(nan.code, 0x20u);
      EXPECT_EQ(nan.freedom, Freedom::kAnyCode);
      EXPECT_EQ(nan.features & kFeatureZeroResult, 0);
    }
    EXPECT_EQ(AskFloat(0, 0, y).freedom, Freedom::kAnyCode);
  }
}

TEST(Float6Target, AZeroOfTheOtherSign_OffendsTheClauseOfZeros) {  // QL-28, QL-26
  const Operator& op = quantize_linear::GetOperator();
  const auto offended = [&](DataType y, uint32_t expected, uint64_t actual) {
    return op.ClauseOffendedAt(0, y, {.code = expected}, actual);
  };
  for (const DataType y : {kFloat6E2M3, kFloat6E3M2}) {
    EXPECT_EQ(offended(y, 0x00, 0x20), "QL-28");
    EXPECT_EQ(offended(y, 0x20, 0x00), "QL-28");
    EXPECT_EQ(offended(y, 0x00, 0x01), "QL-27");
    EXPECT_EQ(offended(y, 0x01, 0x21), "QL-27");
    EXPECT_EQ(offended(y, 0x20, 0x01), "QL-27");
  }
  EXPECT_EQ(offended(kFloat4E2M1, 0x0, 0x8), "QL-26");
  EXPECT_EQ(offended(kFloat4E2M1, 0x1, 0x9), "QL-25");
}

TEST(Float6Target, ZeroPoint_IsAddedExactlyAndRoundedOnce) {  // QL-27, QL-24
  const QuantizeLinearReadings ignored{.float_zero_point = FloatZeroPoint::kIgnored};
  const QuantizeLinearReadings first{.float_zero_point = FloatZeroPoint::kRoundThenAdd};
  // 1.3125 + 3 = 4.3125: 4.5; rounded first: 1.25 + 3 = 4.25, a tie to 4.
  EXPECT_EQ(AskFloat(1.3125f, 1, kFloat6E2M3, CodeOf(kFloat6E2M3, 3)).code,
            CodeOf(kFloat6E2M3, 4.5));
  EXPECT_EQ(AskFloat(1.3125f, 1, kFloat6E2M3, CodeOf(kFloat6E2M3, 3), {}, first).code,
            CodeOf(kFloat6E2M3, 4));
  EXPECT_EQ(AskFloat(1.375f, 1, kFloat6E3M2, CodeOf(kFloat6E3M2, 3), {}, ignored).code,
            CodeOf(kFloat6E3M2, 1.5));
  // 1.4375 + 6 = 7.4375: 7; rounded first: 1.5 + 6 = 7.5, a tie to 8.
  EXPECT_EQ(AskFloat(1.4375f, 1, kFloat6E3M2, CodeOf(kFloat6E3M2, 6), {}, first).code,
            CodeOf(kFloat6E3M2, 8));
  EXPECT_EQ(AskFloat(1.4375f, 1, kFloat6E3M2, CodeOf(kFloat6E3M2, 6)).code,
            CodeOf(kFloat6E3M2, 7));
  EXPECT_EQ(AskFloat(NAN, 1, kFloat6E3M2, 0x04, {}, first).freedom, Freedom::kAnyCode);
}

}  // namespace
}  // namespace qconform
