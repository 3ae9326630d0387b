#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/backends/simd/core/testing/public_tensors.h"
#include "qconform/quantize_linear.h"

namespace qconform::kernels {
namespace {

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

// Four codes of 6 bits are three bytes, the first code in the lowest bits.
TEST(PublicApi, Float6_GivesAStreamOfBits) {
  const std::array<float, 5> x = {1, -2.5f, 3, 100, 0.5f};
  const std::array<int64_t, 1> shape = {5};
  const std::array<int64_t, 0> scalar{};
  const auto quantized = [&](Type type) {
    std::vector<std::byte> y(ByteSize(type, 5), std::byte{0xFF});
    const Error error = QuantizeLinear(In(Type::kFloat, shape, x),
                                       In(Type::kFloat, scalar, std::array<float, 1>{1}),
                                       std::nullopt, type, {}, y);
    EXPECT_FALSE(error) << error.message;
    return y;
  };
  const auto bytes = [](auto... values) {
    return std::vector{static_cast<std::byte>(values)...};
  };
  // 0x08, 0x32, 0x14, 0x1F (7.5) and 0x04.
  EXPECT_EQ(quantized(Type::kFloat6E2M3), bytes(0x88, 0x4C, 0x7D, 0x04));
  // 0x0C, 0x31, 0x12, 0x1F (28) and 0x08.
  EXPECT_EQ(quantized(Type::kFloat6E3M2), bytes(0x4C, 0x2C, 0x7D, 0x08));
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
  EXPECT_NE(error.message.find("y_scale of shape [3]"), std::string::npos)
      << error.message;
  EXPECT_EQ(y, std::vector<std::byte>(2, std::byte{0x5A}));
  const std::array<int64_t, 0> none{};
  const Error small = QuantizeLinear(
      In(Type::kFloat, shape, x), In(Type::kFloat, none, std::array<float, 1>{1}),
      std::nullopt, Type::kUint8, {}, std::span(y).first(1));
  EXPECT_TRUE(small);
}

TEST(PublicApi, ShapesBeyondAllMemory_AreAnError) {
  for (const int64_t size :
       {int64_t{1} << 61, int64_t{1} << 62, (int64_t{1} << 58) + 1}) {
    const std::array<int64_t, 1> shape = {size};
    const std::array<int64_t, 0> scalar{};
    const Error error = QuantizeLinear({Type::kFloat, shape, {}},
                                       In(Type::kFloat, scalar, std::array<float, 1>{1}),
                                       std::nullopt, Type::kUint8, {}, {});
    EXPECT_NE(error.message.find(std::to_string(size)), std::string::npos)
        << error.message;
  }
}

TEST(PublicApi, ZeroPoint_IsAdded) {
  const std::array<float, 2> x = {1, 2};
  const std::array<int64_t, 1> shape = {2};
  const std::array<int64_t, 0> scalar{};
  std::vector<std::byte> y(2);
  const Error error = QuantizeLinear(
      In(Type::kFloat, shape, x), In(Type::kFloat, scalar, std::array<float, 1>{1}),
      In(Type::kInt8, scalar, std::array<int8_t, 1>{-100}), Type::kInt8, {}, y);
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(y, (std::vector<std::byte>{std::byte{0x9D}, std::byte{0x9E}}));
}

TEST(PublicApi, Saturate_DecidesWhatOverflowBecomes) {
  const std::array<float, 1> x = {1000};
  const std::array<int64_t, 0> scalar{};
  for (const bool saturate : {true, false}) {
    std::vector<std::byte> y(1);
    QuantizeLinearAttributes attributes;
    attributes.saturate = saturate;
    const Error error = QuantizeLinear(In(Type::kFloat, scalar, x),
                                       In(Type::kFloat, scalar, std::array<float, 1>{1}),
                                       std::nullopt, Type::kFloat8E4M3FN, attributes, y);
    EXPECT_FALSE(error) << error.message;
    EXPECT_EQ(y[0], saturate ? std::byte{0x7E} : std::byte{0x7F});  // 448 or NaN
  }
}

// 5 / 0x1.fffffep+0 is above 2.5 in FLOAT, and 2.5 in BFLOAT16: a tie.
TEST(PublicApi, Precision_IsThatOfTheDivision) {
  const std::array<float, 1> x = {5};
  const std::array<float, 1> scale = {0x1.fffffep+0f};
  const std::array<int64_t, 0> scalar{};
  for (const auto& [precision, code] :
       {std::pair{Type::kUndefined, 3}, {Type::kFloat, 3}, {Type::kBfloat16, 2}}) {
    std::vector<std::byte> y(1);
    QuantizeLinearAttributes attributes;
    attributes.precision = precision;
    const Error error =
        QuantizeLinear(In(Type::kFloat, scalar, x), In(Type::kFloat, scalar, scale),
                       std::nullopt, Type::kUint8, attributes, y);
    EXPECT_FALSE(error) << error.message;
    EXPECT_EQ(y[0], std::byte(code)) << static_cast<int>(precision);
  }
}

// Each with one byte, or one dimension, that is not as the others ask.
TEST(PublicApi, OperandOfAWrongSizeOrShape_IsAnErrorWithNothingWritten) {
  const std::vector<float> values(24, 1);
  const std::vector<int8_t> zeros(24);
  struct Row {
    const char* what;
    Shape x, scale, zero_point;
    size_t x_bytes, scale_bytes, zero_point_bytes, y_bytes;
    QuantizeLinearAttributes attributes;
  };
  const QuantizeLinearAttributes blocks{.axis = 1, .block_size = 2};
  const Row rows[] = {
      {"right", {2, 4}, {2, 2}, {2, 2}, 32, 16, 4, 8, blocks},
      {"short x", {2, 4}, {2, 2}, {2, 2}, 31, 16, 4, 8, blocks},
      {"long x", {2, 4}, {2, 2}, {2, 2}, 33, 16, 4, 8, blocks},
      {"short y_scale", {2, 4}, {2, 2}, {2, 2}, 32, 15, 4, 8, blocks},
      {"long y_scale", {2, 4}, {2, 2}, {2, 2}, 32, 17, 4, 8, blocks},
      {"short y_zero_point", {2, 4}, {2, 2}, {2, 2}, 32, 16, 3, 8, blocks},
      {"long y_zero_point", {2, 4}, {2, 2}, {2, 2}, 32, 16, 5, 8, blocks},
      {"short y", {2, 4}, {2, 2}, {2, 2}, 32, 16, 4, 7, blocks},
      {"long y", {2, 4}, {2, 2}, {2, 2}, 32, 16, 4, 9, blocks},
      {"y_zero_point of another shape", {2, 4}, {2, 2}, {4}, 32, 16, 4, 8, blocks},
      {"a block too few", {2, 5}, {2, 2}, {2, 2}, 40, 16, 4, 10, blocks},
      {"a row too many", {2, 4}, {3, 2}, {3, 2}, 32, 24, 6, 8, blocks},
      {"y_scale of another rank", {2, 4}, {2, 2, 1}, {2, 2, 1}, 32, 16, 4, 8, blocks},
      {"blocks without a size", {2, 4}, {2, 2}, {2, 2}, 32, 16, 4, 8, {.axis = 1}},
      {"axis behind the last", {2, 4}, {2}, {2}, 32, 8, 2, 8, {.axis = 2}},
      {"axis before the first", {2, 4}, {2}, {2}, 32, 8, 2, 8, {.axis = -3}},
  };
  for (const Row& row : rows) {
    const auto input = [](Type type, const Shape& shape, const auto& from, size_t bytes) {
      return Input{type, shape, std::as_bytes(std::span(from)).first(bytes)};
    };
    std::vector<std::byte> y(row.y_bytes, std::byte{0x5A});
    const Error error =
        QuantizeLinear(input(Type::kFloat, row.x, values, row.x_bytes),
                       input(Type::kFloat, row.scale, values, row.scale_bytes),
                       input(Type::kInt8, row.zero_point, zeros, row.zero_point_bytes),
                       Type::kInt8, row.attributes, y);
    const bool right = std::string_view(row.what) == "right";
    EXPECT_EQ(!error, right) << row.what << ": " << error.message;
    EXPECT_EQ(y == std::vector<std::byte>(row.y_bytes, std::byte{0x5A}), !right)
        << row.what;
  }
}

TEST(PublicApi, ZeroPointOfAnotherTypeThanY_IsAnError) {
  const std::array<int64_t, 0> scalar{};
  std::vector<std::byte> y(1, std::byte{0x5A});
  EXPECT_TRUE(QuantizeLinear(In(Type::kFloat, scalar, std::array<float, 1>{1}),
                             In(Type::kFloat, scalar, std::array<float, 1>{1}),
                             In(Type::kUint8, scalar, std::array<uint8_t, 1>{0}),
                             Type::kInt8, {}, y));
  EXPECT_EQ(y[0], std::byte{0x5A});
}

TEST(PublicApi, WrongTypes_AreToldInWordsOfTheHeader) {
  const std::vector<std::byte> bytes(64);
  const std::array<int64_t, 1> shape = {8};
  std::vector<std::byte> y(64, std::byte{0x5A});
  const auto message = [&](Type x, Type y_scale, Type y_zero_point, Type y_type,
                           Type precision) {
    const auto in = [&](Type type) {
      return Input{type, shape, std::span(bytes).first(ByteSize(type, 8))};
    };
    return QuantizeLinear(in(x), in(y_scale), in(y_zero_point), y_type,
                          {.axis = 0, .precision = precision},
                          std::span(y).first(ByteSize(y_type, 8)))
        .message;
  };
  using enum Type;
  EXPECT_EQ(message(kFloat, kFloat, kUint8, kUint8, kDouble), "");
  const std::array<std::string, 9> wrong = {
      message(kUint8, kFloat, kUint8, kUint8, kUndefined),
      message(kUndefined, kFloat, kUint8, kUint8, kUndefined),
      message(kFloat, kDouble, kUint8, kUint8, kUndefined),
      message(kFloat, kFloat, kInt8, kUint8, kUndefined),
      message(kFloat, kFloat, kUndefined, kUint8, kUndefined),
      message(kFloat, kFloat, kUndefined, kUndefined, kUndefined),
      message(kFloat, kFloat, kFloat, kFloat, kUndefined),
      message(kFloat, kFloat, kUint8, kUint8, kInt32),
      message(kFloat, kFloat, kUint8, kUint8, static_cast<Type>(999))};
  const std::array<std::string, 9> parts = {"x of type UINT8",
                                            "x of type UNDEFINED",
                                            "y_scale of type DOUBLE",
                                            "y_zero_point",
                                            "y_zero_point",
                                            "y_type UNDEFINED",
                                            "y_type FLOAT",
                                            "precision INT32: FLOAT, ",
                                            "precision "};
  for (size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(wrong[i].find(parts[i]), 0u) << wrong[i];
    EXPECT_EQ(wrong[i].find("since_version"), std::string::npos) << wrong[i];
    EXPECT_EQ(wrong[i].find("output_dtype"), std::string::npos) << wrong[i];
  }
}

TEST(PublicApi, YThatOverlapsAnOperand_IsAnErrorWithNothingWritten) {
  std::vector<std::byte> memory(64, std::byte{0x3F});
  const std::vector<std::byte> before = memory;
  const std::array<int64_t, 1> shape = {4};
  // y's 4 bytes begin at byte `at`; `given` is at 16.
  const auto overlaps = [&](int given, size_t at) {
    const std::vector<float> elsewhere(4, 1.0f);
    const std::array<std::byte, 4> zero_points{};
    Input x = In(Type::kFloat, shape, elsewhere);
    Input scale = x;
    Input zero_point = In(Type::kUint8, shape, zero_points);
    Input& input = given == 0 ? x : given == 1 ? scale : zero_point;
    input.data = std::span<const std::byte>(memory).subspan(16, input.data.size());
    const Error error = QuantizeLinear(x, scale, zero_point, Type::kUint8, {.axis = 0},
                                       std::span(memory).subspan(at, 4));
    const bool refused = error.message.find("overlap") != std::string::npos;
    EXPECT_EQ(refused, static_cast<bool>(error)) << error.message;
    EXPECT_TRUE(!refused || memory == before) << given << " at " << at;
    memory = before;
    return refused;
  };
  for (const int given : {0, 1, 2}) {
    const size_t bytes = given == 2 ? 4 : 16;
    for (size_t at = 0; at <= 40; ++at) {
      EXPECT_EQ(overlaps(given, at), at > 12 && at < 16 + bytes) << given << " at " << at;
    }
  }
}

TEST(PublicApi, EmptyX_HasDimensionsOfAnySize) {
  constexpr auto kMost = std::numeric_limits<int64_t>::max();
  const std::array<int64_t, 3> shape = {int64_t{1} << 62, kMost, 0};
  const std::array<int64_t, 3> negative = {0, kMost, -1};
  const std::array<int64_t, 2> product_of_none = {int64_t{1} << 32, int64_t{1} << 32};
  const std::array<int64_t, 0> scalar{};
  const Input scale = In(Type::kFloat, scalar, std::array<float, 1>{1});
  const auto quantize = [&](std::span<const int64_t> x, const Input& by) {
    return QuantizeLinear({Type::kFloat, x, {}}, by, std::nullopt, Type::kUint8,
                          {.axis = 2, .block_size = 3}, {});
  };
  EXPECT_EQ(quantize(shape, scale).message, "");
  EXPECT_EQ(quantize(shape, {Type::kFloat, shape, {}}).message, "");
  EXPECT_TRUE(quantize(negative, scale));
  EXPECT_TRUE(quantize(product_of_none, scale));
}

TEST(PublicApi, InstructionSet_IsNamed) { EXPECT_GT(InstructionSet().size(), 2u); }

}  // namespace
}  // namespace qconform::kernels
