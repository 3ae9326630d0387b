#include <gtest/gtest.h>

#include <array>
#include <string>

#include "harness/backends/simd/core/testing/public_tensors.h"
#include "qconform/q_linear_conv.h"

namespace qconform::kernels {
namespace {

const std::array<int64_t, 3> kX = {1, 2, 3};
const std::array<int64_t, 3> kW = {2, 1, 1};
const std::array<int64_t, 1> kTwo = {2};
const std::array<uint8_t, 6> kInput = {10, 11, 12, 20, 21, 22};
const std::array<int8_t, 2> kWeights = {3, -5};
const std::array<float, 2> kWeightScales = {0.5F, 2.0F};
const std::array<int8_t, 2> kWeightZeros = {1, -1};
const std::array<float, 1> kOne = {1};
const std::array<uint8_t, 1> kTen = {10};
const std::array<int32_t, 2> kBias = {1, -1};

Quantization WeightsQuantization() {
  return {In(Type::kFloat, kTwo, kWeightScales), In(Type::kInt8, kTwo, kWeightZeros)};
}

Quantization PerTensor() {
  return {In(Type::kFloat, {}, kOne), In(Type::kUint8, {}, kTen)};
}

TEST(QLinearConvApi, ChannelsOfGroups_HaveTheirOwnScales) {
  std::array<std::byte, 6> y{};
  const Error error = QLinearConv(
      In(Type::kUint8, kX, kInput), PerTensor(), In(Type::kInt8, kW, kWeights),
      WeightsQuantization(), PerTensor(), In(Type::kInt32, kTwo, kBias), {.group = 2}, y);
  EXPECT_FALSE(error) << error.message;
  // (x - 10) * 2 + 1, halved, ties to even; and 2 * ((x - 10) * -4 - 1), below 0.
  constexpr std::array<int, 6> kExpected = {10, 12, 12, 0, 0, 0};
  for (size_t i = 0; i < y.size(); ++i) {
    EXPECT_EQ(std::to_integer<int>(y[i]), kExpected[i]) << i;
  }
}

TEST(QLinearConvApi, WhatIsNotAsTheHeaderSays_IsAnErrorWithNothingWritten) {
  std::array<std::byte, 6> y{};
  const Input x = In(Type::kUint8, kX, kInput);
  const Input w = In(Type::kInt8, kW, kWeights);
  EXPECT_NE(QLinearConv(x, PerTensor(), w, PerTensor(), PerTensor(), {}, {.group = 2}, y)
                .message,
            "");
  EXPECT_NE(QLinearConv(x, PerTensor(), w, WeightsQuantization(), PerTensor(), {}, {}, y)
                .message,
            "");
  EXPECT_NE(QLinearConv(x, PerTensor(), w, WeightsQuantization(), PerTensor(), {},
                        {.group = 2}, std::span(y).first(5))
                .message,
            "");
  EXPECT_EQ(y, (std::array<std::byte, 6>{}));
}

}  // namespace
}  // namespace qconform::kernels
