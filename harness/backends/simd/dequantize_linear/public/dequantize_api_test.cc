#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness/backends/simd/core/testing/public_tensors.h"
#include "qconform/dequantize_linear.h"

namespace qconform::kernels {
namespace {

const std::array<int64_t, 0> kScalar{};

template <typename T>
std::span<std::byte> Out(T& values) {
  return std::as_writable_bytes(std::span(values));
}

TEST(DequantizeApi, BlocksWithZeroPoints_GiveFloats) {
  const std::array<uint8_t, 8> x = {9, 9, 9, 9, 9, 9, 9, 9};
  const std::array<int64_t, 2> shape = {1, 8};
  const std::array<float, 4> scale = {1, 2, 3, 4};
  const std::array<uint8_t, 4> zero_point = {1, 2, 3, 4};
  const std::array<int64_t, 2> scale_shape = {1, 4};
  std::array<float, 8> y{};
  const Error error =
      DequantizeLinear(In(Type::kUint8, shape, x), In(Type::kFloat, scale_shape, scale),
                       In(Type::kUint8, scale_shape, zero_point), Type::kFloat,
                       {.axis = 1, .block_size = 2}, Out(y));
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(y, (std::array<float, 8>{8, 8, 14, 14, 18, 18, 20, 20}));
}

TEST(DequantizeApi, PackedCodes_AreReadFromTheLowestBits) {
  const std::array<uint8_t, 2> x = {0x8F, 0xF7};  // -1, -8, 7; the last is unused
  const std::array<int64_t, 1> shape = {3};
  std::array<float, 3> y{};
  const Error error = DequantizeLinear(
      In(Type::kInt4, shape, x), In(Type::kFloat, kScalar, std::array<float, 1>{0.5f}),
      std::nullopt, Type::kFloat, {}, Out(y));
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(y, (std::array<float, 3>{-0.5f, -4, 3.5f}));
}

TEST(DequantizeApi, ScaleOfAnotherTypeThanY_IsRoundedFirst) {
  std::array<uint16_t, 1> y{};
  const Error error = DequantizeLinear(
      In(Type::kUint8, kScalar, std::array<uint8_t, 1>{105}),
      In(Type::kFloat, kScalar, std::array<float, 1>{0.22390933334827423f}), std::nullopt,
      Type::kFloat16, {}, Out(y));
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(y[0], 0x4DE0);  // 23.5
}

TEST(DequantizeApi, EmptyX_IsNoError) {
  const std::array<int64_t, 2> shape = {0, 3};
  EXPECT_FALSE(DequantizeLinear({Type::kUint8, shape, {}},
                                In(Type::kFloat, kScalar, std::array<float, 1>{1}),
                                std::nullopt, Type::kFloat, {}, {}));
}

TEST(DequantizeApi, WhatIsNotAsTheHeaderSays_IsAnErrorWithNothingWritten) {
  const std::vector<std::byte> bytes(64);
  const std::array<int64_t, 1> four = {4};
  const std::array<int64_t, 1> three = {3};
  std::vector<std::byte> y(16, std::byte{0x5A});
  const auto before = y;
  using enum Type;
  const auto message = [&](Type x, Type x_scale, std::span<const int64_t> scale_shape,
                           Type x_zero_point, Type y_type, size_t y_bytes) {
    const auto in = [&](Type type, std::span<const int64_t> shape) {
      const int64_t n = shape.empty() ? 1 : shape[0];
      return Input{type, shape, std::span(bytes).first(ByteSize(type, n))};
    };
    const Error error = DequantizeLinear(in(x, four), in(x_scale, scale_shape),
                                         in(x_zero_point, scale_shape), y_type,
                                         {.axis = 0}, std::span(y).first(y_bytes));
    EXPECT_TRUE(!error || y == before);
    return error.message;
  };
  EXPECT_TRUE(message(kFloat, kFloat, kScalar, kFloat, kFloat, 16).starts_with("x: "));
  EXPECT_TRUE(
      message(kInt8, kDouble, kScalar, kInt8, kFloat, 16).starts_with("x_scale: "));
  EXPECT_TRUE(message(kInt8, kFloat, kScalar, kInt8, kInt8, 4).starts_with("y_type: "));
  EXPECT_TRUE(
      message(kInt8, kFloat, kScalar, kUint8, kFloat, 16).starts_with("x_zero_point: "));
  EXPECT_NE(message(kInt8, kFloat, three, kInt8, kFloat, 16).find("x_scale of shape [3]"),
            std::string::npos);
  EXPECT_NE(message(kInt8, kFloat, kScalar, kInt8, kFloat, 15), "");
  EXPECT_EQ(message(kInt8, kFloat, four, kInt8, kFloat, 16), "");
}

TEST(DequantizeApi, YThatOverlapsX_IsAnError) {
  std::array<float, 4> memory{};
  const std::array<int64_t, 1> shape = {4};
  const Error error = DequantizeLinear({Type::kUint8, shape, Out(memory).first(4)},
                                       In(Type::kFloat, kScalar, std::array<float, 1>{1}),
                                       std::nullopt, Type::kFloat, {}, Out(memory));
  EXPECT_NE(error.message.find("overlap"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace qconform::kernels
