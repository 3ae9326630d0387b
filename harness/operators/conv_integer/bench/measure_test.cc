#include "harness/operators/conv_integer/bench/measure.h"

#include <gtest/gtest.h>

namespace qconform::conv_integer {
namespace {

TEST(ConvIntegerBench, EveryShape_IsOneThatTheKernelsTake) {
  for (const ConvolutionCorpus& corpus : ConvolutionCorpora()) {
    for (ConvolutionShape shape : corpus.shapes) {
      shape.size = shape.stride == 1 ? 7 : 14;
      const auto result = BenchConvInteger(shape, nullptr, {.threads = 1, .seconds = 0});
      ASSERT_TRUE(result) << NameOf(shape) << ": " << result.error().message;
      EXPECT_GT(result->turns.ours, 0);
    }
  }
}

}  // namespace
}  // namespace qconform::conv_integer
