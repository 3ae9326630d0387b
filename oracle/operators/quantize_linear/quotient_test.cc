// QL-01 to QL-09: the quotient and its precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;
using Quotient = QuantizeLinearReadings::Quotient;

constexpr QuantizeLinearReadings With(Quotient quotient) {
  return {.quotient = quotient};
}

// With e the last place of 1 in a type: (1.5 + e) / (1 + e) = 1.5 - e/2 + e^2/2 - ...
// lies below 1.5, so exactly it rounds to 1. In the type itself the quotient's
// nearest value is 1.5, which is a tie and rounds to 2.
struct NearTie {
  DataType type;
  uint64_t x, scale;
};
constexpr NearTie kNearTies[] = {
    {kFloat, 0x3FC00001, 0x3F800001},  // e = 2^-23
    {kFloat16, 0x3E01, 0x3C01},        // e = 2^-10
    {kBfloat16, 0x3FC1, 0x3F81},       // e = 2^-7
};

TEST(Quotient, SameTypes_IsRoundedOnceToTheirType) {  // QL-01, QL-02
  for (const NearTie& row : kNearTies) {
    for (const int since : {10, 13, 19, 21, 23, 24, 25, 28}) {
      if (since < 19 && row.type != kFloat) continue;
      const ElementAnswer answer = Ask({.since_version = since,
                                        .x_type = row.type,
                                        .x = row.x,
                                        .scale_type = row.type,
                                        .scale = row.scale,
                                        .zero_point = 0});
      EXPECT_EQ(answer.code, 2u) << DataTypeName(row.type) << " " << since;
      EXPECT_TRUE(answer.features & kFeatureQuotientRounded);
      EXPECT_TRUE(answer.features & kFeatureTie);
      EXPECT_EQ(answer.tier, Tier::kRegular);
    }
  }
}

TEST(Quotient, F32QuotientReading_OnlyForHalfTypesSince19And21) {  // QL-04
  for (const NearTie& row : kNearTies) {
    for (const int since : {19, 21, 23}) {
      const ElementAnswer answer = Ask({.since_version = since,
                                        .x_type = row.type,
                                        .x = row.x,
                                        .scale_type = row.type,
                                        .scale = row.scale,
                                        .zero_point = 0,
                                        .readings = With(Quotient::kF32Quotient)});
      const bool applies = row.type != kFloat && since < 23;
      EXPECT_EQ(answer.code, applies ? 1u : 2u) << DataTypeName(row.type) << " " << since;
    }
  }
}

TEST(Quotient, FloatBefore23_MayBeDividedInDouble) {  // QL-02
  // 12 / 0x1.ce9b68p-5 = 212.5 + 4.6e-6: a tie in FLOAT, above it in DOUBLE.
  for (const int since : {10, 13, 19, 21, 23, 24, 25, 28}) {
    Question question{.since_version = since,
                      .x = CodeOf(kFloat, 12),
                      .scale = 0x3D674DB4,
                      .zero_point = 0};
    EXPECT_EQ(Ask(question).code, 212u) << since;
    question.readings = With(Quotient::kF64Division);
    EXPECT_EQ(Ask(question).code, since < 23 ? 213u : 212u) << since;
  }
}

TEST(Quotient, HalfTypesBefore23_MayBeDividedInDouble) {  // QL-04
  // 23792 / (1 + 3 * 2^-10) = 23722.5 + 4.9e-4, and FLOATs are 2^-9 apart there.
  for (const int since : {21, 23}) {
    Question question{.since_version = since,
                      .x_type = kFloat16,
                      .x = CodeOf(kFloat16, 23792),
                      .scale_type = kFloat16,
                      .scale = 0x3C03,
                      .y_type = kInt16};
    const uint32_t in_own_type = Ask(question).code;
    question.readings = With(Quotient::kF32Quotient);
    EXPECT_EQ(Ask(question).code, since < 23 ? 23722u : in_own_type) << since;
    question.readings = With(Quotient::kF64Division);
    EXPECT_EQ(Ask(question).code, since < 23 ? 23723u : in_own_type) << since;
  }
}

TEST(Quotient, Precision_DecidesWhereGiven) {  // QL-05
  struct Row {
    uint64_t x, scale;  // FLOAT
    int64_t precision;
    uint32_t code;
  };
  const Row rows[] = {
      {0x3FC00001, 0x3F800001, 0, 2},   // that of y_scale, FLOAT
      {0x3FC00001, 0x3F800001, 1, 2},   // FLOAT
      {0x3FC00001, 0x3F800001, 11, 1},  // DOUBLE: below the tie
      {0x3FC02000, 0x3F802000, 0, 1},   // e = 2^-10 in FLOAT: below the tie
      {0x3FC02000, 0x3F802000, 10, 2},  // FLOAT16: the tie
      {0x3FC10000, 0x3F810000, 10, 1},  // e = 2^-7 in FLOAT16: below it
      {0x3FC10000, 0x3F810000, 16, 2},  // BFLOAT16: the tie
  };
  for (const Row& row : rows) {
    EXPECT_EQ(
        Ask({.x = row.x, .scale = row.scale, .attributes = {.precision = row.precision}})
            .code,
        row.code)
        << row.x << " " << row.precision;
  }
}

TEST(Quotient, Int32OverFloat_ConvertsXFirst) {  // QL-03
  // FLOATs are 4 apart at 5 * 10^7, so x = 50331651 becomes 50331652; y_scale is
  // 2^25 + 4 = 33554436. The FLOATs below 1.5 are 2^-23 = 1.19e-7 apart:
  //   converted:   50331652 / 33554436 = 1.5 - 5.96046e-8: 1.5, a tie: 2
  //   unconverted: 50331651 / 33554436 = 1.5 - 8.94e-8: 1.5 - 2^-23: 1
  //   in DOUBLE:   below 1.5: 1
  const Question question{.since_version = 13,
                          .x_type = kInt32,
                          .x = 50331651,
                          .scale = 0x4C000001,
                          .zero_point = 0};
  Question reading = question;
  EXPECT_EQ(Ask(question).code, 2u);
  reading.readings = With(Quotient::kF64Division);
  EXPECT_EQ(Ask(reading).code, 1u);
  reading.readings = With(Quotient::kUnconvertedOperands);
  EXPECT_EQ(Ask(reading).code, 1u);
  // Since 23 DOUBLE is a deviation, but unconverted operands are QL-09's.
  reading.since_version = 23;
  EXPECT_EQ(Ask(reading).code, 1u);
  reading.readings = With(Quotient::kF64Division);
  EXPECT_EQ(Ask(reading).code, 2u);
}

TEST(Quotient, Int32OverFloat8E8M0_MayBeDividedInDouble) {  // QL-07
  // x = 206.5 * 2^17 + 1; FLOATs are 2 apart there, and a tie to even rounds it down, so
  //   in FLOAT:  206.5, a tie: 206
  //   in DOUBLE: above 206.5: 207
  Question question{.since_version = 24,
                    .x_type = kInt32,
                    .x = 27066369,
                    .scale_type = kFloat8E8M0,
                    .scale = 127 + 17,
                    .y_type = kInt16};
  EXPECT_EQ(Ask(question).code, 206u);
  question.readings = With(Quotient::kF64Division);
  EXPECT_EQ(Ask(question).code, 207u);
  // With `precision` P is decided (QL-05).
  question.attributes.precision = 1;
  EXPECT_EQ(Ask(question).code, 206u);
}

TEST(Quotient, Int32OverInt32_IsExact) {  // QL-06
  struct Row {
    int32_t x, scale;
    DataType y;
    uint32_t code;
  };
  const Row rows[] = {
      {7, 2, kInt8, 4},                  // 3.5, tie to even
      {5, 2, kInt8, 2},                  // 2.5, tie to even
      {-7, 2, kInt8, 0xFC},              // -3.5 to -4, not truncated to -3
      {3, 2, kUint8, 2},                 // 1.5; an integer division would say 1
      {50000001, 100000000, kUint8, 1},  // above 0.5; in FLOAT it is 0.5: 0
      {2147483647, 1, kUint8, 255},
      {-2147483647 - 1, 1, kInt16, 0x8000},
      {1, 0, kUint8, 255},   // +Inf
      {-1, 0, kInt8, 0x80},  // -Inf
      {-7, -2, kInt8, 4},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Ask({.since_version = 21,
                   .x_type = kInt32,
                   .x = static_cast<uint32_t>(row.x),
                   .scale_type = kInt32,
                   .scale = static_cast<uint32_t>(row.scale),
                   .y_type = row.y})
                  .code,
              row.code)
        << row.x << " / " << row.scale;
  }
  const ElementAnswer nan =
      Ask({.x_type = kInt32, .x = 0, .scale_type = kInt32, .scale = 0});
  EXPECT_EQ(nan.freedom, Freedom::kAnyCode);
  EXPECT_EQ(Ask({.x_type = kInt32,
                 .x = 50000001,
                 .scale_type = kInt32,
                 .scale = 100000000,
                 .readings = With(Quotient::kF32Quotient)})
                .code,
            0u);
}

TEST(Quotient, Float16OverInt32_ReadingsDiffer) {  // QL-06
  // FLOAT16 holds no 2049: it becomes 2048. 1.375 is a tie of FLOAT8E5M2:
  //   exact:           2816 / 2049 = 1.37433: below it: 1.25
  //   x_type_division: 2816 / 2048 = 1.375: to even, 1.5
  const Question question{.x_type = kFloat16,
                          .x = CodeOf(kFloat16, 2816),
                          .scale_type = kInt32,
                          .scale = 2049,
                          .y_type = kFloat8E5M2};
  Question reading = question;
  EXPECT_EQ(Ask(question).code, CodeOf(kFloat8E5M2, 1.25));
  reading.readings = With(Quotient::kXTypeDivision);
  EXPECT_EQ(Ask(reading).code, CodeOf(kFloat8E5M2, 1.5));
  reading.readings = With(Quotient::kXTypeDivisionUnconverted);
  EXPECT_EQ(Ask(reading).code, CodeOf(kFloat8E5M2, 1.25));
  reading.readings = With(Quotient::kF32Quotient);
  EXPECT_EQ(Ask(reading).code, CodeOf(kFloat8E5M2, 1.25));
}

TEST(Quotient, Float8E8M0Scale_IsAPowerOfTwo) {  // QL-07
  struct Row {
    double x;
    uint64_t scale;
    DataType y;
    uint64_t code;
  };
  const Row rows[] = {
      {1.25, 126, kInt8, 2},     // / 2^-1 = 2.5
      {1.25, 127, kInt8, 1},     // / 1
      {0x1p-127, 0, kInt8, 1},   // / 2^-127, the smallest
      {0x1p127, 254, kInt8, 1},  // / 2^127, the largest
      {-3, 128, kInt8, 0xFE},    // / 2 = -1.5
      {1, 0, kUint8, 255},       // 2^127
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Ask({.since_version = 24,
                   .x = CodeOf(kFloat, row.x),
                   .scale_type = kFloat8E8M0,
                   .scale = row.scale,
                   .y_type = row.y})
                  .code,
              row.code)
        << row.x << " " << row.scale;
  }
  const ElementAnswer nan = Ask({.x = CodeOf(kFloat, 1),
                                 .scale_type = kFloat8E8M0,
                                 .scale = 0xFF,
                                 .y_type = kFloat8E4M3FN});
  EXPECT_EQ(nan.code, 0x7Fu);
  EXPECT_EQ(nan.tier, Tier::kDegenerateScale);
}

TEST(Quotient, Float8E8M0Scale_XTypeDivisionOverflowsInFloat16) {  // QL-07
  // 2^16 is Inf in FLOAT16: x / Inf = 0, where FLOAT has 65504 / 2^16 = 0.9995.
  Question question{.x_type = kFloat16,
                    .x = 0x7BFF,
                    .scale_type = kFloat8E8M0,
                    .scale = 127 + 16,
                    .y_type = kUint8};
  EXPECT_EQ(Ask(question).code, 1u);
  EXPECT_EQ(Ask(question).tier, Tier::kConversionRange);  // contested by that reading
  question.readings = With(Quotient::kXTypeDivision);
  EXPECT_EQ(Ask(question).code, 0u);
  question.readings = With(Quotient::kXTypeDivisionUnconverted);
  EXPECT_EQ(Ask(question).code, 1u);
}

TEST(Quotient, UnknownPrecision_ActsAsNone) {  // QL-08
  for (const int64_t precision : {2, 6, 17, 99}) {
    EXPECT_EQ(Ask({.x = 0x3FC00001,
                   .scale = 0x3F800001,
                   .attributes = {.precision = precision}})
                  .code,
              2u);
  }
}

TEST(Quotient, OperandsOfOtherTypes_AreConvertedToP) {  // QL-09
  // FLOAT x = 1.5 + 3 * 2^-12 = 1.50073..., y_scale = 1 + 2^-10 in FLOAT16, whose
  // places are 2^-10 apart here:
  //   converted:   1.5009765625 / 1.0009765625 = 1.4995122: 1.5, a tie: 2
  //   unconverted: 1.5007324... / 1.0009765625 = 1.4992683: 1.4990234375: 1
  Question question{
      .x = FloatBits(1.5f + 3 * 0x1p-12f), .scale_type = kFloat16, .scale = 0x3C01};
  EXPECT_EQ(Ask(question).code, 2u);
  question.readings = With(Quotient::kUnconvertedOperands);
  EXPECT_EQ(Ask(question).code, 1u);
}

TEST(Quotient, ConversionOutOfRange_IsInfinityOrZero) {  // QL-09, G-02
  // FLOAT 65520 is Inf in FLOAT16; 65519 is 65504, over 2^8: 255.875 -> 256 -> 255.
  Question question{.x = FloatBits(65520), .scale_type = kFloat16, .scale = 0x5C00};
  question.y_type = kUint16;
  EXPECT_EQ(Ask(question).code, 65535u);
  EXPECT_EQ(Ask(question).tier, Tier::kConversionRange);
  question.x = FloatBits(65519);
  EXPECT_EQ(Ask(question).code, 256u);
  EXPECT_EQ(Ask(question).tier, Tier::kRegular);
  // 2^-25 becomes 0 in FLOAT16.
  question.x = FloatBits(0x1p-25f);
  EXPECT_EQ(Ask(question).code, 0u);
  EXPECT_EQ(Ask(question).tier, Tier::kConversionRange);
}

// The nearest FLOAT16 (or BFLOAT16) of a float, ties to even, by scaling and
// the machine's own rounding to integer.
double RoundToHalf(double value, int digits, int smallest_exponent, double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), smallest_exponent);
  const double unit = std::ldexp(1.0, exponent - (digits - 1));
  const double rounded = std::nearbyint(value / unit) * unit;
  return std::fabs(rounded) > largest ? std::copysign(INFINITY, value) : rounded;
}

uint32_t ExpectedInteger(double quotient, int zero_point, int smallest, int largest) {
  if (std::isnan(quotient)) return static_cast<uint32_t>(smallest) & 0xFF;
  const double rounded = std::nearbyint(quotient) + zero_point;
  const double clamped =
      std::min(std::max(rounded, double{1} * smallest), double{1} * largest);
  return static_cast<uint32_t>(static_cast<int>(clamped)) & 0xFF;
}

TEST(Quotient, RandomFloats_AgreeWithTheMachinesDivision) {  // QL-01, QL-10
  std::mt19937_64 random(42);
  int64_t visited = 0;
  for (int round = 0; round < 400; ++round) {
    const auto scale = FloatFromBits(static_cast<uint32_t>(random()));
    const auto zero_point = static_cast<int>(random() % 256) - 128;
    std::vector<double> x;
    for (int i = 0; i < 512; ++i) {
      const auto bits = static_cast<uint32_t>(random());
      const auto near =
          static_cast<float>(scale * (static_cast<double>(random() % 600) - 299.5));
      x.push_back(i % 2 == 0 ? FloatFromBits(bits)
                             : FloatFromBits(FloatBits(near) +
                                             static_cast<uint32_t>(random() % 3) - 1));
    }
    const Tensor x_tensor = TensorOf(kFloat, {512}, x);
    const Tensor scale_tensor = ScalarCode(kFloat, FloatBits(scale));
    const Tensor zero_tensor = ScalarCode(kInt8, static_cast<uint8_t>(zero_point));
    const Result<Answer> answer =
        EvaluateQuantizeLinear({.since_version = 13,
                                .x = x_tensor.view(),
                                .y_scale = scale_tensor.view(),
                                .y_zero_point = zero_tensor.view(),
                                .attributes = {}});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    for (size_t i = 0; i < x.size(); ++i, ++visited) {
      const float quotient = static_cast<float>(x[i]) / scale;
      ASSERT_EQ(answer->elements[i].code,
                ExpectedInteger(quotient, zero_point, -128, 127))
          << x[i] << " / " << scale << " + " << zero_point;
    }
  }
  EXPECT_EQ(visited, 400 * 512);
}

TEST(Quotient, AllFloat16X_AgreeWithASimpleEvaluation) {  // QL-01
  const double scales[] = {1, 0x1.004p0, 0x1.558p-3, 0x1.ffcp5, -0x1.2p1, 0x1p-24, 65504};
  int64_t visited = 0;
  for (const double scale : scales) {
    Tensor x = Tensor::Zeros(kFloat16, {65536});
    for (int64_t i = 0; i < 65536; ++i) {
      WriteCode(x.mutable_view(), i, static_cast<uint64_t>(i));
    }
    const Tensor scale_tensor = TensorOf(kFloat16, {}, {scale});
    const Tensor zero_point = ScalarCode(kInt8, 3);
    const Result<Answer> answer =
        EvaluateQuantizeLinear({.since_version = 25,
                                .x = x.view(),
                                .y_scale = scale_tensor.view(),
                                .y_zero_point = zero_point.view(),
                                .attributes = {}});
    ASSERT_TRUE(answer.ok());
    for (uint64_t code = 0; code < 65536; ++code, ++visited) {
      const ExactValue value = Decode(FormatOf(kFloat16), code);
      double operand = std::ldexp(static_cast<double>(value.significand), value.exponent);
      if (value.value_class == ValueClass::kInfinity) operand = INFINITY;
      if (value.value_class == ValueClass::kNan) operand = NAN;
      if (value.negative) operand = -operand;
      // A double quotient of 11-bit operands is never so near a tie that its
      // own rounding could move it across.
      const double quotient = RoundToHalf(operand / scale, 11, -14, 65504);
      ASSERT_EQ(answer->elements[code].code, ExpectedInteger(quotient, 3, -128, 127))
          << operand << " / " << scale;
    }
  }
  EXPECT_EQ(visited, 7 * 65536);
}

}  // namespace
}  // namespace qconform
