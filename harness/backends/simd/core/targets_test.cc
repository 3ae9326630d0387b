#include "harness/backends/simd/core/targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::simd {
namespace {

TEST(Targets, EachTarget_HasKernelsOfItsOwn) {
  const std::vector<Target> supported = SupportedTargets();
  ASSERT_FALSE(supported.empty());
  for (const Target& target : CompiledTargets()) {
    ASSERT_NE(KernelsOf(target.bit), nullptr) << target.name;
    EXPECT_EQ(KernelsOf(target.bit)->target, target.bit) << target.name;
  }
  for (const Target& target : supported) {
    EXPECT_EQ(*FindTarget(target.name), target);
    EXPECT_EQ(*FindTarget(target.bit), target);
  }
  EXPECT_EQ(*FindTarget(0), supported.front());
}

TEST(Targets, ForcedTargetThatIsNotThere_IsAnError) {
  EXPECT_THAT(FindTarget("AVX9").error().message, testing::HasSubstr("AVX9"));
  for (const Target& target : CompiledTargets()) {
    const auto supported = SupportedTargets();
    if (std::find(supported.begin(), supported.end(), target) != supported.end())
      continue;
    EXPECT_THAT(FindTarget(target.name).error().message,
                testing::HasSubstr("cannot run"));
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
