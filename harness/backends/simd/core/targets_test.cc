#include "harness/backends/simd/core/targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace qconform::simd {
namespace {

TEST(Targets, SupportedTarget_IsFoundByNameAndBit) {
  const std::vector<Target> supported = SupportedTargets();
  ASSERT_FALSE(supported.empty());
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
    EXPECT_THAT(FindTarget(target.bit).error().message, testing::HasSubstr("cannot run"));
  }
}

}  // namespace
}  // namespace qconform::simd
