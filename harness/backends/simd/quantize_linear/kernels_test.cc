#include "harness/backends/simd/quantize_linear/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::simd {
namespace {

TEST(Kernels, EachTarget_HasKernelsOfItsOwn) {
  for (const Target& target : CompiledTargets()) {
    ASSERT_NE(KernelsOf(target.bit), nullptr) << target.name;
    EXPECT_EQ(KernelsOf(target.bit)->target, target.bit) << target.name;
  }
}

// Packed bit by bit. Higher bits of a code are ignored.
TEST(Kernels, PackedCodes_AreAStreamOfBits_WithNothingAround) {
  constexpr size_t kMost = 600;
  constexpr auto kUnwritten = uint8_t{0xA5};
  std::vector<uint8_t> codes(kMost);
  for (size_t i = 0; i < kMost; ++i) codes[i] = static_cast<uint8_t>(i * 151 + i / 7);
  for (const Target& target : SupportedTargets()) {
    const Kernels& kernels = *KernelsOf(target.bit);
    for (const int bits : {2, 4, 6}) {
      for (size_t n = 0; n <= kMost; ++n) {
        const size_t bytes = (n * static_cast<size_t>(bits) + 7) / 8;
        const size_t offset = 1 + n % 67;
        std::vector<uint8_t> expected(kMost + 128, kUnwritten);
        std::vector<uint8_t> actual = expected;
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(offset), bytes,
                    uint8_t{0});
        for (size_t i = 0; i < n * static_cast<size_t>(bits); ++i) {
          const int bit = codes[i / static_cast<size_t>(bits)] >> i % bits & 1;
          expected[offset + i / 8] |= static_cast<uint8_t>(bit << i % 8);
        }
        // Operands end where their memory does, for tools that look at that.
        const std::vector<uint8_t> of_n(codes.begin(),
                                        codes.begin() + static_cast<std::ptrdiff_t>(n));
        kernels.pack(bits, of_n.data(), n, actual.data() + offset);
        ASSERT_EQ(actual, expected) << target.name << " " << bits << " bits, " << n;
      }
    }
  }
}

TEST(Kernels, ForcedTargetThatCannotRun_IsAnErrorAndWritesNothing) {
  const std::vector<Target> supported = SupportedTargets();
  for (const Target& target : CompiledTargets()) {
    if (std::find(supported.begin(), supported.end(), target) != supported.end())
      continue;
    float x = 1;
    float scale = 1;
    std::byte y{7};
    QuantizeLinearArgs args;
    args.x = {DataType::kFloat, {}, std::as_bytes(std::span(&x, 1))};
    args.y_scale = {DataType::kFloat, {}, std::as_bytes(std::span(&scale, 1))};
    EXPECT_FALSE(QuantizeLinear(args, {DataType::kUint8, {}, std::span(&y, 1)},
                                {.target = target.bit}));
    EXPECT_EQ(y, std::byte{7});
  }
}

}  // namespace
}  // namespace qconform::simd
