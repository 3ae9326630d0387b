#include "harness/operators/q_linear_conv/bench/measure.h"

#include <gtest/gtest.h>

namespace qconform::q_linear_conv {
namespace {

TEST(QLinearConvBench, EveryShape_IsOneThatTheKernelsTake) {
  for (const ConvolutionCorpus& corpus : ConvolutionCorpora()) {
    for (ConvolutionShape shape : corpus.shapes) {
      shape.size = shape.stride == 1 ? 7 : 14;
      const auto result = BenchQLinearConv(shape, nullptr, {.threads = 1, .seconds = 0});
      ASSERT_TRUE(result) << NameOf(shape) << ": " << result.error().message;
      EXPECT_GT(result->turns.ours, 0);
    }
  }
}

}  // namespace
}  // namespace qconform::q_linear_conv
