#include "harness/operators/mat_mul_integer/bench/measure.h"

#include <gtest/gtest.h>

namespace qconform::mat_mul_integer {
namespace {

TEST(MatMulIntegerBench, StandardRows_AreThreePairsOfTypesInFourSizesAndVectors) {
  const auto rows = StandardMatMulIntegerRows();
  ASSERT_EQ(rows.size(), 13u);
  EXPECT_EQ(rows[2].Size(), "1024,1024,1024");
  EXPECT_EQ(rows[11].k, 4096);
  EXPECT_EQ(rows[12].Size(), "512,512,512 vectors");
  EXPECT_EQ(rows[1].Operations(), 2.0 * 512 * 512 * 512);
}

TEST(MatMulIntegerBench, EveryKindOfRow_IsOneThatTheKernelsTake) {
  for (MatMulIntegerBenchRow row : StandardMatMulIntegerRows()) {
    row.m = 4, row.n = 5, row.k = 6;
    const auto result = BenchMatMulInteger(row, nullptr, {.threads = 1, .seconds = 0});
    ASSERT_TRUE(result) << row.Size() << ": " << result.error().message;
    EXPECT_GT(result->turns.ours, 0);
    EXPECT_EQ(result->turns.ratio, 0);
  }
}

}  // namespace
}  // namespace qconform::mat_mul_integer
