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
