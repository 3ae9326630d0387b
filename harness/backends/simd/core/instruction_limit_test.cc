#include "harness/backends/simd/core/instruction_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "harness/backends/simd/core/targets.h"

namespace qconform::simd {
namespace {

constexpr size_t kElements = kInstructionLimitElements;

// Element i is value(i), an integer of at most 11 bits: every type holds it, BFLOAT16
// where it has 8.
template <typename Value>
std::vector<std::byte> ElementsOf(DataType type, Value value) {
  const size_t size = static_cast<size_t>(BitWidth(type)) / 8;
  std::vector<std::byte> x(kElements * size);
  for (size_t i = 0; i < kElements; ++i) {
    const int32_t integer = value(i);
    uint32_t code = std::bit_cast<uint32_t>(static_cast<float>(integer));
    if (type == DataType::kInt32) code = static_cast<uint32_t>(integer);
    if (type == DataType::kBfloat16) code >>= 16;
    if (type == DataType::kFloat16 && integer != 0) {
      code = (code >> 16 & 0x8000) | ((code & 0x7FFFFFFF) - (112u << 23)) >> 13;
    }
    std::memcpy(x.data() + i * size, &code, size);
  }
  return x;
}

// y, as bytes.
std::vector<uint8_t> LimitOf(const Target& target, DataType x_type, DataType y_type,
                             const std::vector<std::byte>& x, float factor) {
  struct alignas(64) Operand {
    std::array<std::byte, 4 * kElements> bytes;
  };
  const InstructionLimitFunction limit = InstructionLimit(target.bit, x_type, y_type);
  if (limit == nullptr) return {};
  const auto in = std::make_unique<Operand>();
  const auto out = std::make_unique<Operand>();
  std::copy(x.begin(), x.end(), in->bytes.begin());
  const size_t size = kElements * static_cast<size_t>(BitWidth(y_type)) / 8;
  std::fill(out->bytes.begin(), out->bytes.end(), std::byte{0xA5});
  limit(in->bytes.data(), factor, out->bytes.data());
  // Nothing is written behind y.
  EXPECT_TRUE(std::all_of(out->bytes.begin() + static_cast<std::ptrdiff_t>(size),
                          out->bytes.end(),
                          [](std::byte b) { return b == std::byte{0xA5}; }));
  std::vector<uint8_t> y(size);
  std::memcpy(y.data(), out->bytes.data(), size);
  return y;
}

constexpr DataType kTypesOfX[] = {DataType::kFloat, DataType::kFloat16,
                                  DataType::kBfloat16, DataType::kInt32};

// Every element is another one's neighbour: an order that is not x's shows.
TEST(InstructionLimit, EveryTypeAndWidth_IsRoundedAndPackedInOrder) {
  const auto value = [](size_t i) {
    return static_cast<int32_t>((i * 37 + i / 251) % 256);
  };
  int64_t compared = 0;
  for (const Target& target : SupportedTargets()) {
    for (const DataType x_type : kTypesOfX) {
      const auto x = ElementsOf(x_type, value);
      for (const auto& [y_type, factor] : {std::pair{DataType::kInt16, 1.0f},
                                           {DataType::kUint8, 1.0f},
                                           {DataType::kUint8, 0.25f},
                                           {DataType::kFloat6E2M3, 1 / 4.05f},
                                           {DataType::kInt4, 1 / 17.0f},
                                           {DataType::kFloat4E2M1, 1 / 17.0f},
                                           {DataType::kUint2, 1 / 85.0f}}) {
        const auto bits = static_cast<size_t>(BitWidth(y_type));
        const auto y = LimitOf(target, x_type, y_type, x, factor);
        ASSERT_EQ(y.size(), kElements * bits / 8) << target.name;
        std::vector<uint8_t> expected(y.size());
        for (size_t i = 0; i < kElements; ++i) {
          const float product = static_cast<float>(value(i)) * factor;
          const auto code = static_cast<unsigned>(std::nearbyint(product));
          for (size_t bit = 0; bit < bits; ++bit) {
            const size_t at = i * bits + bit;
            expected[at / 8] |= static_cast<uint8_t>((code >> bit & 1) << at % 8);
          }
        }
        EXPECT_EQ(y, expected) << target.name << " " << DataTypeName(x_type) << " "
                               << DataTypeName(y_type) << " by " << factor;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 28 * static_cast<int64_t>(SupportedTargets().size()));
}

TEST(InstructionLimit, OutOfRange_IsSaturatedByThePacks) {
  const auto value = [](size_t i) { return i % 2 == 0 ? 1024 : -1024; };
  for (const Target& target : SupportedTargets()) {
    for (const DataType x_type : kTypesOfX) {
      const auto x = ElementsOf(x_type, value);
      const auto bytes = LimitOf(target, x_type, DataType::kFloat8E5M2, x, 1);
      const auto words = LimitOf(target, x_type, DataType::kUint16, x, 64);
      ASSERT_EQ(bytes.size(), kElements) << target.name;
      ASSERT_EQ(words.size(), 2 * kElements) << target.name;
      for (size_t i = 0; i < kElements; ++i) {
        EXPECT_EQ(bytes[i], i % 2 == 0 ? 0xFF : 0) << target.name;
        EXPECT_EQ(words[2 * i] | words[2 * i + 1] << 8, i % 2 == 0 ? 0x7FFF : 0x8000)
            << target.name;
      }
    }
  }
}

TEST(InstructionLimit, WhatIsNoQuantizer_HasNone) {
  const int64_t best = SupportedTargets()[0].bit;
  EXPECT_NE(InstructionLimit(best, DataType::kFloat, DataType::kUint8), nullptr);
  EXPECT_EQ(InstructionLimit(best, DataType::kDouble, DataType::kUint8), nullptr);
  EXPECT_EQ(InstructionLimit(best, DataType::kFloat, DataType::kFloat), nullptr);
  EXPECT_EQ(InstructionLimit(0, DataType::kFloat, DataType::kUint8), nullptr);
}

}  // namespace
}  // namespace qconform::simd
