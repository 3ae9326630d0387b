#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "qconform/quantize_linear.h"

namespace qconform::kernels {
namespace {

template <typename T>
Input In(Type type, std::span<const int64_t> shape, const T& values) {
  return {type, shape, std::as_bytes(std::span(values))};
}

TEST(PublicApi, PerAxisWithZeroPoints_GivesPackedCodes) {
  const std::array<float, 6> x = {1, -2.5f, 3, 100, 0.5f, -100};
  const std::array<int64_t, 2> shape = {2, 3};
  const std::array<float, 3> scale = {1, 0.5f, 2};
  const std::array<int64_t, 1> scale_shape = {3};
  std::vector<std::byte> y(ByteSize(Type::kInt4, 6));
  EXPECT_EQ(y.size(), 3u);
  const Error error = QuantizeLinear(
      In(Type::kFloat, shape, x), In(Type::kFloat, scale_shape, scale), std::nullopt,
      Type::kInt4, {.axis = 1, .precision = Type::kUndefined}, y);
  EXPECT_FALSE(error) << error.message;
  // 1, -5, 2 (of 1.5) and 7, 1, -8.
  EXPECT_EQ(y,
            (std::vector<std::byte>{std::byte{0xB1}, std::byte{0x72}, std::byte{0x81}}));
}

TEST(PublicApi, OperandsThatContradictEachOther_AreAnErrorWithNothingWritten) {
  const std::array<float, 2> x = {1, 2};
  const std::array<int64_t, 1> shape = {2};
  const std::array<float, 3> scale = {1, 1, 1};
  const std::array<int64_t, 1> scale_shape = {3};
  std::vector<std::byte> y(2, std::byte{0x5A});
  const Error error =
      QuantizeLinear(In(Type::kFloat, shape, x), In(Type::kFloat, scale_shape, scale),
                     std::nullopt, Type::kUint8, {}, y);
  EXPECT_TRUE(error);
  EXPECT_NE(error.message.find("QL-3"), std::string::npos) << error.message;
  EXPECT_EQ(y, std::vector<std::byte>(2, std::byte{0x5A}));
  const std::array<int64_t, 0> none{};
  const Error small = QuantizeLinear(
      In(Type::kFloat, shape, x), In(Type::kFloat, none, std::array<float, 1>{1}),
      std::nullopt, Type::kUint8, {}, std::span(y).first(1));
  EXPECT_TRUE(small);
}

TEST(PublicApi, InstructionSet_IsNamed) { EXPECT_GT(InstructionSet().size(), 2u); }

}  // namespace
}  // namespace qconform::kernels
