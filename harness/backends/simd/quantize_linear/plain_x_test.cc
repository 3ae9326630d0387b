// x that is loaded without the rounding to P that no code depends on (WhatIsRounded): by
// scales at its bounds, against the oracle, on every target.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "harness/backends/simd/quantize_linear/job.h"
#include "harness/backends/simd/quantize_linear/testing/judge.h"
#include "harness/backends/simd/quantize_linear/testing/questions.h"

namespace qconform::simd {
namespace {

struct YType {
  DataType y = DataType::kUint8;
  bool saturate = true;
};

std::vector<YType> YTypes() {
  using enum DataType;
  return {{kUint8},
          {kInt8},
          {kInt16},
          {kInt4},
          {kUint2},
          {kFloat8E4M3FN},
          {kFloat8E4M3FN, false},
          {kFloat8E4M3FNUZ},
          {kFloat8E4M3FNUZ, false},
          {kFloat8E5M2},
          {kFloat8E5M2, false},
          {kFloat8E5M2FNUZ},
          {kFloat6E2M3},
          {kFloat6E3M2},
          {kFloat4E2M1}};
}

template <typename T>
void Fill(const std::vector<T>& values, Tensor& tensor) {
  ASSERT_EQ(tensor.data.size(), values.size() * sizeof(T));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
}

// Asks for all of x by one scale and, in rows, by scales of which one stands apart.
template <typename T>
void Ask(DataType x_type, DataType scale_type, const YType& type, const std::vector<T>& x,
         uint16_t scale, uint16_t apart, Judge& judge) {
  Random random(1);
  const auto n = static_cast<int64_t>(x.size());
  const Variant variant = {28,           x_type, scale_type, type.y, DataType::kUndefined,
                           type.saturate};
  QuantizeLinearQuestion one = MakeQuestion(variant, {{n}, {}, 0, 0, false, 1}, random);
  Fill(x, one.x);
  Fill(std::vector<uint16_t>{scale}, one.y_scale);
  judge.Ask(one);
  QuantizeLinearQuestion some =
      MakeQuestion(variant, {{n / 64, 64}, {64}, 1, 0, false, 64}, random);
  Fill(x, some.x);
  std::vector<uint16_t> scales(64, scale);
  scales[scale % 64] = apart;
  Fill(scales, some.y_scale);
  judge.Ask(some);
}

constexpr IntegerRange Only(uint16_t bits) { return {bits, bits}; }

// The least bits of a scale for which it holds, and the greatest; 0 where there are none.
template <typename Holds>
std::pair<uint16_t, uint16_t> Bounds(Holds holds) {
  uint16_t least = 0;
  uint16_t most = 0;
  for (uint16_t bits = 1; bits < 0x7C00; ++bits) {
    if (!holds(bits)) continue;
    if (least == 0) least = bits;
    most = bits;
  }
  return {least, most};
}

TEST(QuantizeLinear, Bfloat16ByFloat16ScalesAtTheBounds_IsTheOracles) {
  std::vector<uint16_t> x(1 << 16);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint16_t>(i);
  Judge judge;
  for (const YType& type : YTypes()) {
    const CodeFormat format = *FormatOfCodes(type.y, type.saturate);
    const auto rounded = [&](uint16_t bits) {
      return WhatIsRounded(DataType::kBfloat16, DataType::kFloat16, Only(bits), format);
    };
    const auto [least, most] =
        Bounds([&](uint16_t bits) { return rounded(bits) == RoundedX::kNone; });
    const auto [least_of_some, most_of_some] =
        Bounds([&](uint16_t bits) { return rounded(bits) != RoundedX::kAll; });
    EXPECT_EQ(least_of_some, 1);
    // No scale is small enough and great enough for the range of these.
    const bool is_wide = type.y == DataType::kFloat8E5M2FNUZ ||
                         (type.y == DataType::kFloat8E5M2 && !type.saturate);
    EXPECT_EQ(most == 0, is_wide);
    for (const int bits :
         {1, least - 1, +least, most - 1, +most, most + 1, most_of_some - 1,
          +most_of_some, most_of_some + 1, 0x3C00, 0x7BFF}) {
      for (const uint16_t apart : {most, most_of_some}) {
        Ask(DataType::kBfloat16, DataType::kFloat16, type, x,
            static_cast<uint16_t>(std::max(bits, 1)), apart, judge);
      }
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

TEST(QuantizeLinear, Int32ByBfloat16ScalesAtTheBounds_IsTheOracles) {
  // Neighbours of midpoints of BFLOAT16, with and without bits that FLOAT has not.
  std::vector<int32_t> x;
  for (int power = 8; power < 31; ++power) {
    for (uint32_t part = 256; part < 512; part += 3) {
      for (const int64_t beside : {-1, 0, 1, 70}) {
        const auto value = static_cast<int32_t>((int64_t{part} << power >> 8) + beside);
        x.push_back(value);
        x.push_back(-value);
      }
    }
  }
  x.resize(x.size() / 64 * 64);
  Judge judge;
  for (const YType& type : YTypes()) {
    const CodeFormat format = *FormatOfCodes(type.y, type.saturate);
    const auto [least, most] = Bounds([&](uint16_t bits) {
      return WhatIsRounded(DataType::kInt32, DataType::kBfloat16, Only(bits), format) ==
             RoundedX::kNone;
    });
    EXPECT_EQ(least, 1);
    for (const int bits : {0x3F80, most - 1, +most, most + 1, most + 2, most + 130}) {
      Ask(DataType::kInt32, DataType::kBfloat16, type, x, static_cast<uint16_t>(bits),
          static_cast<uint16_t>(most + 130), judge);
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

// A zero point that is added to the quotient brings back what was beyond all codes.
TEST(QuantizeLinear, PlainXAndFloatZeroPoints_AreTheOracles) {
  struct Row {
    DataType x = DataType::kBfloat16;
    DataType scale = DataType::kFloat16;
    int32_t x_bits = 0;
    uint16_t scale_bits = 0;
    uint8_t zero_point = 0;
  };
  using enum DataType;
  const std::vector<Row> rows = {
      {kBfloat16, kFloat16, 0x4780, 0x5880, 0xFE},  // 65536 / 144 - 448
      {kBfloat16, kFloat16, 0x36FF, 0x2000, 0x01},  // (2^-17 - 2^-25) / 2^-7 + 2^-9
      // (2^24 + 2^16 + 1) / 36864 - 448
      {kInt32, kBfloat16, (1 << 24) + (1 << 16) + 1, 0x4710, 0xFE},
  };
  Random random(1);
  Judge judge;
  for (const Row& row : rows) {
    QuantizeLinearQuestion question = MakeQuestion({25, row.x, row.scale, kFloat8E4M3FN},
                                                   {{70}, {}, 0, 0, true, 1}, random);
    const size_t size = question.x.data.size() / 70;
    for (size_t i = 0; i < 70; ++i) {
      std::memcpy(question.x.data.data() + i * size, &row.x_bits, size);
    }
    Fill(std::vector<uint16_t>{row.scale_bits}, question.y_scale);
    Fill(std::vector<uint8_t>{row.zero_point}, *question.y_zero_point);
    judge.Ask(question);
  }
  EXPECT_EQ(judge.failures(), 0);
}

}  // namespace
}  // namespace qconform::simd
