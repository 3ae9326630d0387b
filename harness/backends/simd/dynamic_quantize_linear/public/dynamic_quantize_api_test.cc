#include <gtest/gtest.h>

#include <array>
#include <string>

#include "harness/backends/simd/core/testing/public_tensors.h"
#include "qconform/dynamic_quantize_linear.h"

namespace qconform::kernels {
namespace {

TEST(DynamicQuantizeApi, ValuesOfBothSigns_HaveAZeroPointInTheMiddle) {
  const std::array<int64_t, 1> shape = {6};
  const std::array<float, 6> x = {0, 2, -3, -2.5F, 1.34F, 0.5F};
  std::array<std::byte, 6> y{};
  float scale = 0;
  uint8_t zero_point = 0;
  const Error error =
      DynamicQuantizeLinear(In(Type::kFloat, shape, x), y, scale, zero_point);
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(scale, 5.0F / 255.0F);
  EXPECT_EQ(zero_point, 153);
  constexpr std::array<uint8_t, 6> kExpected = {153, 255, 0, 26, 221, 179};
  for (size_t i = 0; i < y.size(); ++i) {
    EXPECT_EQ(std::to_integer<int>(y[i]), kExpected[i]) << i;
  }
}

TEST(DynamicQuantizeApi, WhatIsNotAsTheHeaderSays_IsAnErrorWithNothingWritten) {
  const std::array<int64_t, 1> shape = {2};
  std::array<float, 2> x = {1, 2};
  std::array<std::byte, 3> y{};
  float scale = 7;
  uint8_t zero_point = 7;
  const auto in = In(Type::kFloat, shape, x);
  EXPECT_TRUE(DynamicQuantizeLinear(in, y, scale, zero_point));
  EXPECT_TRUE(DynamicQuantizeLinear({Type::kInt32, shape, in.data}, std::span(y).first(2),
                                    scale, zero_point));
  EXPECT_NE(DynamicQuantizeLinear(in, std::as_writable_bytes(std::span(x)).first(2),
                                  scale, zero_point)
                .message.find("overlap"),
            std::string::npos);
  EXPECT_EQ(scale, 7);
  EXPECT_EQ(zero_point, 7);
}

}  // namespace
}  // namespace qconform::kernels
