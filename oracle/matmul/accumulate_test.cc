// Operands of a product that are given as lines of integers.
#include "oracle/matmul/accumulate.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(MatMulAccumulator, LinesOfIntegers) {
  // Rows (1, -2), (0, 300); columns (5, 7), (-1, 0).
  const MatMulOperand a({1, -2, 0, 300}, 2, {0, 1});
  const MatMulOperand b({5, 7, -1, 0}, 2, {1, 1});
  EXPECT_TRUE(a.is_integer());
  EXPECT_FALSE(a.has_zero_point(0));
  EXPECT_TRUE(a.has_zero_point(1));
  EXPECT_EQ(a.largest().significand, 300u);
  EXPECT_EQ(a.smallest().significand, 1u);
  const MatMulAccumulator accumulate(a, b, /*with_magnitude=*/true);
  const Accumulated first = accumulate(0, 0);
  EXPECT_TRUE(first.units == 5 - 14);
  EXPECT_TRUE(first.magnitude == 5 + 14);
  EXPECT_EQ(first.exponent, 0);
  EXPECT_TRUE(accumulate(1, 0).units == 2100);
  EXPECT_TRUE(accumulate(0, 1).units == -1);
  EXPECT_EQ(accumulate(1, 1).value_class, ValueClass::kZero);
}

}  // namespace
}  // namespace qconform
