#include "harness/operators/dequantize_linear/bench/measure.h"

#include <gtest/gtest.h>

namespace qconform::dequantize_linear {
namespace {

TEST(BenchDequantizeLinear, EveryRow_HasTimes) {
  for (const bool zero_point : {false, true}) {
    for (DequantizeBenchRow row : StandardDequantizeRows()) {
      row.zero_point = zero_point && row.x != DataType::kInt32;
      const auto result =
          BenchDequantizeLinear(row, nullptr, {.elements = 1 << 14, .seconds = 0.001});
      ASSERT_TRUE(result) << row.Name() << ": " << result.error().message;
      EXPECT_EQ(result->name, row.Name());
      EXPECT_GT(result->ns_per_element, 0);
      EXPECT_GT(result->of_limit, 0);
      EXPECT_EQ(result->ratio, 0);
    }
  }
}

TEST(BenchDequantizeLinear, ElementsThatAreNoWholeRows_AreAnError) {
  EXPECT_FALSE(BenchDequantizeLinear({}, nullptr, {.elements = 4097}));
}

}  // namespace
}  // namespace qconform::dequantize_linear
