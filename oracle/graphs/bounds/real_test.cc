#include "oracle/graphs/bounds/real.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

using enum Direction;

TEST(GraphReal, ArithmeticIsExactWhereItFits) {
  const Real third{false, 3, -2};  // 0.75
  EXPECT_EQ(Compare(Add(third, RealOf(-1), kDown), Real{true, 1, -2}), 0);
  EXPECT_EQ(Compare(Multiply(third, RealOf(-8), kUp), RealOf(-6)), 0);
  EXPECT_EQ(Compare(Divide(RealOf(6), RealOf(-4), kUp), Real{true, 3, -1}), 0);
  EXPECT_TRUE(Subtract(third, third, kDown).is_zero());
}

TEST(GraphReal, WhatDoesNotFitIsRoundedOutwards) {
  const Real one = RealOf(1);
  const Real tiny = PowerOfTwo(-300);
  EXPECT_EQ(Compare(Add(one, tiny, kDown), one), 0);
  EXPECT_GT(Compare(Add(one, tiny, kUp), one), 0);
  EXPECT_LT(Compare(Subtract(one, tiny, kDown), one), 0);
  EXPECT_EQ(Compare(Subtract(one, tiny, kUp), one), 0);
  for (const bool negative : {false, true}) {
    const Real value{negative, 10, 0};
    const Real low = Divide(value, RealOf(3), kDown);
    const Real high = Divide(value, RealOf(3), kUp);
    EXPECT_LT(Compare(low, high), 0);
    // low * 3 < value < high * 3
    EXPECT_LT(Compare(Multiply(low, RealOf(3), kUp), value), 0);
    EXPECT_GT(Compare(Multiply(high, RealOf(3), kDown), value), 0);
  }
}

TEST(GraphReal, LongProductsAreRoundedOutwards) {
  const Real a{false, (Uint128{1} << 100) + 1, -100};
  const Real square_low = Multiply(a, a, kDown);
  const Real square_high = Multiply(a, a, kUp);
  EXPECT_LT(Compare(square_low, square_high), 0);
  // (1 + 2^-100)^2 = 1 + 2^-99 + 2^-200
  const Real near = Add(RealOf(1), PowerOfTwo(-99), kDown);
  EXPECT_EQ(Compare(square_low, near), 0);
  EXPECT_GT(Compare(square_high, near), 0);
  EXPECT_LT(Compare(Multiply(Negated(a), a, kDown), Negated(near)), 0);
}

TEST(GraphReal, IntervalsHoldAllResults) {
  const RealInterval a{RealOf(-2), RealOf(3)};
  const RealInterval b{RealOf(-5), RealOf(-4)};
  const RealInterval product = Multiply(a, b);
  EXPECT_EQ(Compare(product.low, RealOf(-15)), 0);
  EXPECT_EQ(Compare(product.high, RealOf(10)), 0);
  const RealInterval quotient = Divide(a, b);
  EXPECT_LE(Compare(quotient.low, Real{true, 3, -2}), 0);
  EXPECT_EQ(Compare(quotient.high, Real{false, 1, -1}), 0);
  EXPECT_EQ(Compare(Negated(a).low, RealOf(-3)), 0);
}

}  // namespace
}  // namespace qconform
