#include "oracle/operators/quantize_linear/thresholds.h"

#include <gtest/gtest.h>

#include <random>

#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;

TEST(LineOrder, AllFloat16Codes_RoundTripInOrder) {
  const NumberFormat& format = FormatOf(kFloat16);
  int visited = 0;
  for (uint64_t code = 0; code < 65536; ++code) {
    if (IsNan(format, code)) continue;
    ++visited;
    ASSERT_EQ(LineCode(kFloat16, LineOrder(kFloat16, code)), code);
    const uint64_t next = LineCode(kFloat16, LineOrder(kFloat16, code) + 1);
    if (code == 0x8000) {
      ASSERT_EQ(next, 0u);  // +0 comes after -0
    } else if (code == 0x8001) {
      ASSERT_EQ(next, 0x8000u);
    } else if (code != 0x7C00) {
      ASSERT_EQ(next, NextUp(format, code));
    }
  }
  EXPECT_EQ(visited, 65536 - 2046);
  EXPECT_EQ(LineOrder(kInt32, 0x80000000), -2147483648LL);
  EXPECT_EQ(LineCode(kInt32, -1), 0xFFFFFFFFu);
}

struct LineRow {
  const char* what;
  QuantizeLinearLine line;
};

// Every 16-bit x is asked directly.
TEST(Thresholds, AllX_HaveTheAnswerOfTheirInterval) {
  const LineRow rows[] = {
      {"FLOAT16 to UINT8",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kUint8,
        .scale = 0x3555,
        .zero_point = 128}},
      {"negative scale",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kInt8,
        .scale = 0xB555,
        .zero_point = 3}},
      {"scale 0",
       {.since_version = 21, .x = kFloat16, .y_scale = kFloat16, .y = kInt8, .scale = 0}},
      {"scale Inf",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kFloat8E4M3FN,
        .scale = 0x7C00}},
      {"scale NaN",
       {.since_version = 21,
        .x = kBfloat16,
        .y_scale = kBfloat16,
        .y = kInt4,
        .scale = 0x7FC0}},
      {"subnormal scale",
       {.since_version = 21,
        .x = kBfloat16,
        .y_scale = kBfloat16,
        .y = kInt16,
        .scale = 0x0003}},
      {"E4M3FN, NaN beyond",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kFloat8E4M3FN,
        .scale = 0x3C00,
        .saturate = 0}},
      {"FNUZ, one NaN on both sides",
       {.since_version = 21,
        .x = kBfloat16,
        .y_scale = kBfloat16,
        .y = kFloat8E5M2FNUZ,
        .scale = 0x3F80,
        .saturate = 0}},
      {"E5M2, zero point Inf",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kFloat8E5M2,
        .scale = 0x3C00,
        .zero_point = 0x7C}},
      {"E4M3FN, large zero point",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kFloat8E4M3FN,
        .scale = 0x3C00,
        .zero_point = 0xFE,
        .saturate = 0}},
      {"round_then_add",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kFloat8E4M3FN,
        .scale = 0x3A00,
        .zero_point = 0x4A,
        .readings = {.float_zero_point = FloatZeroPoint::kRoundThenAdd}}},
      {"-0 dropped by the zero point",
       {.since_version = 21,
        .x = kFloat16,
        .y_scale = kFloat16,
        .y = kFloat8E5M2,
        .scale = 0x3C00,
        .zero_point = 0,
        .readings = {.zero_point_added = true}}},
      {"FLOAT4E2M1, mixed types",
       {.since_version = 25,
        .x = kFloat16,
        .y_scale = kFloat,
        .y = kFloat4E2M1,
        .scale = 0x3F8CCCCD,
        .zero_point = 0x3}},
      {"FLOAT6E2M3, mixed types",
       {.since_version = 28,
        .x = kFloat16,
        .y_scale = kFloat,
        .y = kFloat6E2M3,
        .scale = 0x3F8CCCCD,
        .zero_point = 0x23}},
      {"FLOAT6E3M2, -0 dropped",
       {.since_version = 28,
        .x = kBfloat16,
        .y_scale = kBfloat16,
        .y = kFloat6E3M2,
        .scale = 0x3F8C,
        .readings = {.zero_sign_dropped = true}}},
      {"precision FLOAT16 of BFLOAT16",
       {.since_version = 25,
        .x = kBfloat16,
        .y_scale = kFloat,
        .y = kUint4,
        .scale = 0x3F8CCCCD,
        .precision = 10}},
      {"FLOAT8E8M0",
       {.since_version = 25,
        .x = kFloat16,
        .y_scale = kFloat8E8M0,
        .y = kInt2,
        .scale = 125}},
  };
  int64_t visited = 0;
  for (const LineRow& row : rows) {
    const QuantizeLinearLine& line = row.line;
    const Result<Thresholds> thresholds = FindThresholds(line);
    ASSERT_TRUE(thresholds.ok());
    const NumberFormat& format = FormatOf(line.x);
    const auto ask = [&](uint64_t x) {
      return Ask({.since_version = line.since_version,
                  .x_type = line.x,
                  .x = x,
                  .scale_type = line.y_scale,
                  .scale = line.scale,
                  .y_type = line.y,
                  .zero_point = line.zero_point,
                  .attributes = {.saturate = line.saturate, .precision = line.precision},
                  .readings = line.readings});
    };
    // From -Inf up, without gaps.
    int64_t place = LineOrder(line.x, Infinity(format, true));
    for (const ThresholdInterval& interval : thresholds->intervals) {
      ASSERT_EQ(LineOrder(line.x, interval.first), place) << row.what;
      for (; place <= LineOrder(line.x, interval.last); ++place, ++visited) {
        const ElementAnswer answer = ask(LineCode(line.x, place));
        ASSERT_EQ(answer.code, interval.y) << row.what << " " << LineCode(line.x, place);
        ASSERT_EQ(answer.freedom, interval.freedom) << row.what;
      }
    }
    ASSERT_EQ(place, LineOrder(line.x, Infinity(format, false)) + 1) << row.what;
    for (size_t i = 1; i < thresholds->intervals.size(); ++i) {
      const ThresholdInterval& one = thresholds->intervals[i - 1];
      const ThresholdInterval& other = thresholds->intervals[i];
      ASSERT_TRUE(one.y != other.y || one.freedom != other.freedom) << row.what;
    }
    ASSERT_TRUE(thresholds->nan.has_value());
    ASSERT_EQ(thresholds->nan->code, ask(CanonicalNan(format)).code) << row.what;
  }
  EXPECT_EQ(visited, 12 * (65536 - 2046) + 5 * (65536 - 254));
}

TEST(Thresholds, FloatAndInt32_NeighboursOfEachThreshold) {
  std::mt19937_64 random(53);
  const LineRow rows[] = {
      {"FLOAT to UINT8",
       {.since_version = 13,
        .y = kUint8,
        .scale = FloatBits(0.0371f),
        .zero_point = 100}},
      {"FLOAT to INT16",
       {.since_version = 21,
        .y = kInt16,
        .scale = FloatBits(0.0371f),
        .zero_point = 0x8000}},
      {"FLOAT to E4M3FN",
       {.since_version = 21, .y = kFloat8E4M3FN, .scale = FloatBits(3.3f)}},
      {"INT32 over FLOAT",
       {.since_version = 13,
        .x = kInt32,
        .y = kInt8,
        .scale = FloatBits(1e7f),
        .zero_point = 5}},
      {"INT32 over INT32",
       {.since_version = 21,
        .x = kInt32,
        .y_scale = kInt32,
        .y = kInt8,
        .scale = 12345677}},
  };
  for (const LineRow& row : rows) {
    const QuantizeLinearLine& line = row.line;
    const Result<Thresholds> thresholds = FindThresholds(line);
    ASSERT_TRUE(thresholds.ok());
    EXPECT_EQ(thresholds->nan.has_value(), line.x != kInt32);
    int64_t covered = 0;
    for (const ThresholdInterval& interval : thresholds->intervals) {
      const int64_t first = LineOrder(line.x, interval.first);
      const int64_t last = LineOrder(line.x, interval.last);
      covered += last - first + 1;
      const int64_t inside =
          first +
          static_cast<int64_t>(random() % static_cast<uint64_t>(last - first + 1));
      for (const int64_t place : {first, inside, last}) {
        const ElementAnswer answer = Ask({.since_version = line.since_version,
                                          .x_type = line.x,
                                          .x = LineCode(line.x, place),
                                          .scale_type = line.y_scale,
                                          .scale = line.scale,
                                          .y_type = line.y,
                                          .zero_point = line.zero_point});
        ASSERT_EQ(answer.code, interval.y) << row.what << " " << place;
      }
    }
    // All codes of INT32; all of FLOAT but 2 * (2^23 - 1) NaN.
    EXPECT_EQ(covered,
              line.x == kInt32 ? int64_t{1} << 32 : (int64_t{1} << 32) - 0x00FFFFFE);
  }
}

TEST(Thresholds, OfAnotherType_AreAnError) {
  EXPECT_FALSE(FindThresholds({.since_version = 25, .x = kInt8}).ok());
}

}  // namespace
}  // namespace qconform
