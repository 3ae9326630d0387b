// DQ-07, DQ-08, DQ-12: x of float8, FLOAT6 and FLOAT4E2M1.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/operators/dequantize_linear/testing/test_support.h"

namespace qconform::dequantize_linear {
namespace {

using enum DataType;
using Difference = Readings::Difference;
using Operands = Readings::Operands;

constexpr DataType kTypes[] = {kFloat8E4M3FN,   kFloat8E4M3FNUZ, kFloat8E5M2,
                               kFloat8E5M2FNUZ, kFloat4E2M1,     kFloat6E2M3,
                               kFloat6E3M2};

// The value of a code by the definition of a binary float; NaN and Inf by the tables of
// ONNX's technical pages.
double ValueOf(DataType type, uint64_t code) {
  struct Row {
    DataType type;
    int exponent_bits, mantissa_bits, bias;
  };
  constexpr Row kRows[] = {{kFloat8E4M3FN, 4, 3, 7}, {kFloat8E4M3FNUZ, 4, 3, 8},
                           {kFloat8E5M2, 5, 2, 15},  {kFloat8E5M2FNUZ, 5, 2, 16},
                           {kFloat4E2M1, 2, 1, 1},   {kFloat6E2M3, 2, 3, 1},
                           {kFloat6E3M2, 3, 2, 3}};
  for (const Row& row : kRows) {
    if (row.type != type) continue;
    const int bits = 1 + row.exponent_bits + row.mantissa_bits;
    const bool negative = (code >> (bits - 1)) != 0;
    const auto magnitude = static_cast<int>(code & ((1u << (bits - 1)) - 1));
    const bool is_fnuz = type == kFloat8E4M3FNUZ || type == kFloat8E5M2FNUZ;
    if (is_fnuz && negative && magnitude == 0) return std::nan("");
    if (type == kFloat8E4M3FN && magnitude == 0x7f) return std::nan("");
    if (type == kFloat8E5M2 && magnitude > 0x7c) return std::nan("");
    const double sign = negative ? -1 : 1;
    if (type == kFloat8E5M2 && magnitude == 0x7c) return sign * kInfinity;
    const int exponent = magnitude >> row.mantissa_bits;
    const int mantissa = magnitude & ((1 << row.mantissa_bits) - 1);
    const int hidden = exponent == 0 ? 0 : 1 << row.mantissa_bits;
    return sign * std::ldexp(hidden + mantissa,
                             std::max(exponent, 1) - row.bias - row.mantissa_bits);
  }
  return 0;
}

TEST(FloatX, AllCodes_AreTheirValueTimesTheScale) {  // DQ-07, DQ-12
  for (const DataType type : kTypes) {
    for (const float scale : {1.0f, 0.1f, -3.3f, 0x1p-130f, 1e37f}) {
      for (uint64_t code = 0; code < (uint64_t{1} << BitWidth(type)); ++code) {
        const ElementAnswer answer = Ask(
            {.types = {28, type, kFloat, kFloat}, .x = code, .scale = FloatBits(scale)});
        const double value = ValueOf(type, code);
        if (std::isnan(value)) {
          EXPECT_EQ(answer.freedom, Freedom::kAnyNan) << DataTypeName(type) << code;
          continue;
        }
        const auto y = static_cast<float>(value * static_cast<double>(scale));
        EXPECT_EQ(answer.code, FloatBits(y)) << DataTypeName(type) << " " << code;
      }
    }
  }
}

TEST(FloatX, SpecialValues_FollowIeee) {  // DQ-07
  const Types types{19, kFloat8E5M2, kFloat16, kFloat16};
  EXPECT_EQ(AskValues(types, kInfinity, 2).code, 0x7c00u);
  EXPECT_EQ(AskValues(types, kInfinity, -2).code, 0xfc00u);
  EXPECT_EQ(AskValues(types, kInfinity, 0).freedom, Freedom::kAnyNan);
  EXPECT_EQ(AskValues(types, 0, kInfinity).freedom, Freedom::kAnyNan);
  EXPECT_EQ(AskValues(types, kInfinity, 2).tier, Tier::kRegular);
  EXPECT_EQ(AskValues(types, std::nan(""), 2).freedom, Freedom::kAnyNan);
  // Without an offset no reading of DQ-08 makes it finite.
  for (const std::optional<double> zero_point : {std::optional<double>{}, {0}, {-0.0}}) {
    EXPECT_EQ(
        AskValues(types, -kInfinity, 2, zero_point, {.difference = Difference::kInXType})
            .code,
        0xfc00u);
  }
}

TEST(FloatX, SignOfZero) {  // DQ-07, DQ-12
  for (const DataType type : {kFloat8E4M3FN, kFloat8E5M2, kFloat4E2M1, kFloat6E2M3}) {
    const Types types{28, type, kFloat, kFloat};
    const auto code = [&](double x, double scale, std::optional<double> zero_point,
                          const Readings& readings = {}) {
      return AskValues(types, x, scale, zero_point, readings).code;
    };
    constexpr uint32_t kMinusZero = 0x80000000;
    EXPECT_EQ(code(-0.0, 2, {}), kMinusZero);
    EXPECT_EQ(code(-0.0, 2, 0), kMinusZero);
    EXPECT_EQ(code(-0.0, 2, -0.0), 0u);
    EXPECT_EQ(code(0, 2, -0.0), 0u);
    EXPECT_EQ(code(0, 2, 0), 0u);
    EXPECT_EQ(code(0, -2, {}), kMinusZero);
    EXPECT_EQ(code(-0.0, 2, -0.0, {.difference = Difference::kZeroPointIgnored}),
              kMinusZero);
    EXPECT_EQ(code(-0.0, 2, {}, {.zero_sign_dropped = true}), 0u);
    EXPECT_EQ(code(0, -2, {}, {.zero_sign_dropped = true}), 0u);
    EXPECT_EQ(code(-1, 0x1p-149, {}, {.zero_sign_dropped = true}), 0x80000001u);
  }
  // The FNUZ formats have one zero.
  EXPECT_EQ(AskValues({19, kFloat8E5M2FNUZ, kFloat, kFloat}, 0, 2).code, 0u);
  // A product that is rounded to zero.
  const Types half{19, kFloat8E5M2, kFloat16, kFloat16};
  EXPECT_EQ(AskValues(half, -0x1p-16, 0x1p-24).code, 0x8000u);
  EXPECT_EQ(AskValues(half, -0x1p-16, 0x1p-24, {}, {.zero_sign_dropped = true}).code, 0u);
}

TEST(FloatX, ZeroPoint_IsSubtractedExactly) {  // DQ-08
  const Types types{19, kFloat8E5M2, kFloat, kFloat};
  const double scale = 1 + 0x1p-22;
  const auto code = [&](const Readings& readings) {
    return AskValues(types, 57344, scale, 0x1p-16, readings).code;
  };
  EXPECT_EQ(code({}), CodeOf(kFloat, 57344.01171875));
  EXPECT_EQ(code({.difference = Difference::kInFloat}), CodeOf(kFloat, 57344.015625));
  EXPECT_EQ(code({.difference = Difference::kInP}), CodeOf(kFloat, 57344.015625));
  EXPECT_EQ(code({.difference = Difference::kZeroPointIgnored}),
            CodeOf(kFloat, 57344.015625));
  const ElementAnswer answer = AskValues(types, 2, 0.5, 1.5);
  EXPECT_EQ(answer.code, CodeOf(kFloat, 0.25));
  EXPECT_EQ(answer.features & kFeatureZeroPoint, kFeatureZeroPoint);
  // FLOAT4E2M1: 6 - -6.
  EXPECT_EQ(AskValues({23, kFloat4E2M1, kFloat, kFloat}, 6, 1, -6).code,
            CodeOf(kFloat, 12));
  // Since 23 a scale of another type brings DQ-04: the difference, 447.998046875, is
  // rounded to FLOAT16, 448.
  const Types other{23, kFloat8E4M3FN, kFloat, kFloat16};
  EXPECT_EQ(AskValues(other, 448, 1, 0x1p-9).code, CodeOf(kFloat16, 448));
}

TEST(FloatX, DifferenceInTheTypeOfX) {  // DQ-08
  const Types types{19, kFloat8E4M3FN, kFloat, kFloat};
  const Readings saturating{.difference = Difference::kInXType};
  const Readings overflowing{.difference = Difference::kInXTypeOverflowing};
  // 17.5 lies between 16 and 18.
  EXPECT_EQ(AskValues(types, 18, 1, 0.5, saturating).code, CodeOf(kFloat, 18));
  EXPECT_EQ(AskValues(types, 18, 1, 0.5).code, CodeOf(kFloat, 17.5));
  EXPECT_EQ(AskValues(types, 448, 1, -448, saturating).code, CodeOf(kFloat, 448));
  EXPECT_EQ(AskValues(types, 448, 1, -448, overflowing).freedom, Freedom::kAnyNan);
  const Types other{19, kFloat8E5M2, kFloat, kFloat};
  EXPECT_EQ(AskValues(other, 57344, 1, -57344, overflowing).code,
            CodeOf(kFloat, kInfinity));
  // An infinite difference saturates, too.
  EXPECT_EQ(AskValues(other, kInfinity, 1, 1, saturating).code, CodeOf(kFloat, 57344));
  EXPECT_EQ(AskValues(other, kInfinity, 1, 1, overflowing).code,
            CodeOf(kFloat, kInfinity));
}

TEST(FloatX, SpecialZeroPoints_FollowIeee) {  // DQ-08
  const Types types{19, kFloat8E5M2, kFloat, kFloat};
  EXPECT_EQ(AskValues(types, 1, 1, kInfinity).code, CodeOf(kFloat, -kInfinity));
  EXPECT_EQ(AskValues(types, kInfinity, 1, -kInfinity).code, CodeOf(kFloat, kInfinity));
  EXPECT_EQ(AskValues(types, kInfinity, 1, kInfinity).freedom, Freedom::kAnyNan);
  EXPECT_EQ(AskValues(types, 1, 1, std::nan("")).freedom, Freedom::kAnyNan);
  EXPECT_EQ(
      AskValues(types, 1, 1, std::nan(""), {.difference = Difference::kZeroPointIgnored})
          .code,
      CodeOf(kFloat, 1));
  EXPECT_EQ(AskValues(types, kInfinity, 1, 2).code, CodeOf(kFloat, kInfinity));
}

}  // namespace
}  // namespace qconform::dequantize_linear
