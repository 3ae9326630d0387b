#include "oracle/graphs/wide_sum.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(GraphWideSum, CancelsOverTheWholeRange) {
  WideSum sum;
  sum.Add(false, 1, 383);
  sum.Add(true, 3, -447);
  sum.Add(true, 1, 383);
  const Unrounded value = sum.Value();
  EXPECT_EQ(value.value_class, ValueClass::kFinite);
  EXPECT_TRUE(value.negative);
  EXPECT_FALSE(value.sticky);
  EXPECT_EQ(TopBit(value.significand) + value.exponent, -446);
  sum.Add(false, 3, -447);
  EXPECT_EQ(sum.Value().value_class, ValueClass::kZero);
}

TEST(GraphWideSum, IsStickyBeyond128Digits) {
  WideSum sum;
  sum.Add(false, 1, 200);
  sum.Add(false, 1, 100);
  EXPECT_FALSE(sum.Value().sticky);
  sum.Add(false, 1, 0);
  const Unrounded value = sum.Value();
  EXPECT_TRUE(value.sticky);
  EXPECT_EQ(TopBit(value.significand), 127);
  EXPECT_EQ(value.exponent, 200 - 127);
  EXPECT_TRUE((value.significand >> 27) & 1);
}

TEST(GraphWideSum, BorrowsAndCarriesThroughWords) {
  WideSum sum;
  for (int i = 0; i < 64; ++i) sum.Add(i % 2 == 1, (Uint128{1} << 127) + 5, 3 * i - 100);
  for (int i = 0; i < 64; ++i) sum.Add(i % 2 == 0, (Uint128{1} << 127) + 5, 3 * i - 100);
  EXPECT_EQ(sum.Value().value_class, ValueClass::kZero);
}

}  // namespace
}  // namespace qconform
