#include "harness/operators/dynamic_quantize_linear/bench/measure.h"

#include <gtest/gtest.h>

namespace qconform::dynamic_quantize_linear {
namespace {

TEST(DynamicQuantizeBench, AnySize_IsMeasured) {
  EXPECT_EQ(StandardSizes().back(), 1 << 26);
  const auto result =
      BenchDynamicQuantizeLinear(1000, nullptr, {.threads = 1, .seconds = 0});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GT(result->turns.ours, 0);
  EXPECT_EQ(result->turns.ratio, 0);
}

}  // namespace
}  // namespace qconform::dynamic_quantize_linear
