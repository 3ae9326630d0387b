#include <gtest/gtest.h>

#include "harness/backends/simd/limits/instruction_loop.h"
#include "harness/backends/simd/limits/parallel_limit.h"

namespace qconform::simd {
namespace {

TEST(LeastTogether, Helpers_LoseARoundTrip) {
  EXPECT_EQ(LeastTogether({}, 1), 0);
  EXPECT_EQ(LeastTogether({8}, 1), 8);
  EXPECT_EQ(LeastTogether({8, 8}, 0), 4);
  EXPECT_EQ(LeastTogether({8, 8}, 2), 5);         // 5 of 8, and 3 of 8 in 5 - 2
  EXPECT_EQ(LeastTogether({8, 8, 8, 8}, 4), 5);   // 5, and thrice 1
  EXPECT_EQ(LeastTogether({8, 4}, 6), 20.0 / 3);  // a helper twice as fast
  EXPECT_EQ(LeastTogether({8, 8}, 9), 8);         // it is done before they hear of it
}

TEST(LineRoundTrip, OfOneThread_IsNone) { EXPECT_EQ(LineRoundTrip(1), 0); }

TEST(InstructionLoop, WhatHasNone_IsAnError) {
  const Tensor x = Tensor::Zeros(DataType::kFloat, {4096});
  auto loop = InstructionLoop::Of(0, x, DataType::kInt4);
  ASSERT_TRUE(loop) << loop.error().message;
  EXPECT_GT(loop->Time(), 0);
  EXPECT_FALSE(InstructionLoop::Of(0, x, DataType::kFloat));
  EXPECT_FALSE(
      InstructionLoop::Of(0, Tensor::Zeros(DataType::kFloat, {4095}), DataType::kInt4));
  EXPECT_FALSE(InstructionLoop::Of(3, x, DataType::kInt4));  // no target's bit
}

}  // namespace
}  // namespace qconform::simd
