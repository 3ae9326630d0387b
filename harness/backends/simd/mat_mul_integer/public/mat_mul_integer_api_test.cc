#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness/backends/simd/core/testing/public_tensors.h"
#include "qconform/mat_mul_integer.h"

namespace qconform::kernels {
namespace {

template <typename T>
std::span<std::byte> Out(T& values) {
  return std::as_writable_bytes(std::span(values));
}

const std::array<int64_t, 2> kTwoByTwo = {2, 2};
const std::array<int64_t, 1> kTwo = {2};

TEST(MatMulIntegerApi, ZeroPointsOfRowsAndColumns_AreSubtracted) {
  const std::array<uint8_t, 4> a = {1, 2, 3, 4};
  const std::array<int8_t, 4> b = {-1, 5, 7, -128};
  const std::array<uint8_t, 2> a_zero_point = {1, 255};
  const std::array<int8_t, 2> b_zero_point = {-1, 127};
  std::array<int32_t, 4> y{};
  const Error error = MatMulInteger(
      In(Type::kUint8, kTwoByTwo, a), In(Type::kInt8, kTwoByTwo, b),
      In(Type::kUint8, kTwo, a_zero_point), In(Type::kInt8, kTwo, b_zero_point), Out(y));
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(y, (std::array<int32_t, 4>{8, -255, -252 * 0 - 251 * 8,
                                       -252 * (5 - 127) - 251 * (-128 - 127)}));
}

TEST(MatMulIntegerApi, AbsentZeroPoints_AreZero) {
  const std::array<uint8_t, 4> a = {255, 255, 0, 1};
  const std::array<uint8_t, 4> b = {255, 2, 255, 3};
  std::array<int32_t, 4> y{};
  const Error error = MatMulInteger(In(Type::kUint8, kTwoByTwo, a),
                                    In(Type::kUint8, kTwoByTwo, b), {}, {}, Out(y));
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(y, (std::array<int32_t, 4>{130050, 1275, 255, 3}));
}

TEST(MatMulIntegerApi, WhatIsNotAsTheHeaderSays_IsAnErrorWithNothingWritten) {
  const std::array<uint8_t, 4> a = {1, 2, 3, 4};
  const std::array<int64_t, 2> other = {4, 1};
  std::array<int32_t, 4> y = {7, 7, 7, 7};
  const Input in = In(Type::kUint8, kTwoByTwo, a);
  EXPECT_NE(MatMulInteger({Type::kFloat, kTwo, {}}, in, {}, {}, Out(y)).message, "");
  EXPECT_NE(MatMulInteger(in, In(Type::kUint8, other, a), {}, {}, Out(y)).message, "");
  EXPECT_NE(
      MatMulInteger(in, in, In(Type::kInt8, {}, std::array<int8_t, 1>{}), {}, Out(y))
          .message,
      "");
  EXPECT_NE(MatMulInteger(in, in, {}, {}, Out(y).first(12)).message, "");
  EXPECT_NE(MatMulInteger({Type::kUint8, kTwoByTwo, Out(y).first(4)}, in, {}, {}, Out(y))
                .message.find("overlap"),
            std::string::npos);
  EXPECT_EQ(y, (std::array<int32_t, 4>{7, 7, 7, 7}));
}

}  // namespace
}  // namespace qconform::kernels
