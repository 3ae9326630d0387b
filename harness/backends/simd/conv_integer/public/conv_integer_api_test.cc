#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness/backends/simd/core/testing/public_tensors.h"
#include "qconform/conv_integer.h"

namespace qconform::kernels {
namespace {

template <typename T>
std::span<std::byte> Out(T& values) {
  return std::as_writable_bytes(std::span(values));
}

const std::array<int64_t, 4> kX = {1, 1, 3, 3};
const std::array<int64_t, 4> kW = {1, 1, 2, 2};
constexpr std::array<uint8_t, 9> kInput = {2, 3, 4, 5, 6, 7, 8, 9, 10};
constexpr std::array<uint8_t, 4> kOnes = {1, 1, 1, 1};

TEST(ConvIntegerApi, PaddedPositions_ContributeNothing) {
  const std::array<int64_t, 4> pads = {1, 1, 1, 1};
  std::vector<int64_t> shape;
  const ConvolutionAttributes attributes = {.pads = pads};
  ASSERT_FALSE(ConvolutionOutputShape(kX, kW, attributes, shape));
  ASSERT_EQ(shape, (std::vector<int64_t>{1, 1, 4, 4}));
  std::array<int32_t, 16> y{};
  const Error error = ConvInteger(
      In(Type::kUint8, kX, kInput), In(Type::kUint8, kW, kOnes),
      In(Type::kUint8, {}, std::array<uint8_t, 1>{1}), {}, attributes, Out(y));
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(y, (std::array<int32_t, 16>{1, 3, 5, 3, 5, 12, 16, 9, 11, 24, 28, 15, 7, 15,
                                        17, 9}));
}

TEST(ConvIntegerApi, WhatIsNotAsTheHeaderSays_IsAnErrorWithNothingWritten) {
  std::array<int32_t, 4> y = {7, 7, 7, 7};
  const Input x = In(Type::kUint8, kX, kInput);
  const Input w = In(Type::kUint8, kW, kOnes);
  const std::array<int64_t, 2> strides = {1, 0};
  EXPECT_NE(ConvInteger(x, w, {}, {}, {.strides = strides}, Out(y)).message, "");
  EXPECT_NE(ConvInteger(x, w, {}, {}, {.group = 2}, Out(y)).message, "");
  EXPECT_NE(ConvInteger(x, w, {}, {}, {}, Out(y).first(12)).message, "");
  EXPECT_NE(ConvInteger({Type::kFloat, kX, {}}, w, {}, {}, {}, Out(y)).message, "");
  EXPECT_NE(ConvInteger(x, {Type::kUint8, kW, Out(y).first(4)}, {}, {}, {}, Out(y))
                .message.find("overlap"),
            std::string::npos);
  EXPECT_EQ(y, (std::array<int32_t, 4>{7, 7, 7, 7}));
}

}  // namespace
}  // namespace qconform::kernels
