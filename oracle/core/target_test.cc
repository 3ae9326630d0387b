#include "oracle/core/target.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

using enum DataType;

// A value as numerator / 2^shift.
Unrounded Value(int64_t numerator, int shift) {
  return {.value_class = numerator == 0 ? ValueClass::kZero : ValueClass::kFinite,
          .negative = numerator < 0,
          .significand = static_cast<Uint128>(numerator < 0 ? -numerator : numerator),
          .exponent = -shift};
}

ElementAnswer Round(const Unrounded& value, uint64_t zero_point,
                    const TargetParameters& parameters, DataType precision = kUndefined) {
  const Target target(kInt8, parameters, precision);
  ElementAnswer answer;
  target.Round(value, target.PrepareZeroPoint(zero_point), answer);
  return answer;
}

// 2.5 and an odd zero point: 2 + 1 by rounding first, 3.5 -> 4 by adding first.
TEST(Target, ZeroPointBeforeRounding_MovesTies) {
  const TargetParameters first{.zero_point_before_rounding = true};
  EXPECT_EQ(Round(Value(5, 1), 1, {}).code, 3u);
  EXPECT_EQ(Round(Value(5, 1), 1, first).code, 4u);
  EXPECT_EQ(Round(Value(5, 1), 2, {}).code, 4u);
  EXPECT_EQ(Round(Value(5, 1), 2, first).code, 4u);
  EXPECT_TRUE(Round(Value(5, 1), 1, first).features & kFeatureTie);
  // -0.5 + 1 = 0.5 -> 0; away from 0: 1.
  EXPECT_EQ(Round(Value(-1, 1), 1, first).code, 0u);
  EXPECT_EQ(
      Round(Value(-1, 1), 1,
            {.rounding = RoundingMode::kNearestAway, .zero_point_before_rounding = true})
          .code,
      1u);
  // 200 + 100 saturates, and so does -200 + 100 not.
  EXPECT_EQ(Round(Value(200, 0), 100, first).code, 127u);
  EXPECT_EQ(Round(Value(-200, 0), 100, first).code, 0x9Cu);  // -100
}

// 0.5 - 2^-26 + 8 is 8.5 - 2^-26: FLOAT makes it 8.5, a tie, to 8; exactly it goes to 8,
// too. With 9 FLOAT makes it 9.5, to 10; exactly it is 9.
TEST(Target, ZeroPointBeforeRounding_IsAddedInP) {
  const TargetParameters first{.zero_point_before_rounding = true};
  const Unrounded below_half = Value((int64_t{1} << 25) - 1, 26);
  EXPECT_EQ(Round(below_half, 9, first).code, 9u);
  EXPECT_EQ(Round(below_half, 9, first, kFloat).code, 10u);
  EXPECT_EQ(Round(below_half, 9, first, kDouble).code, 9u);
  EXPECT_EQ(Round(below_half, 9, {}, kFloat).code, 9u);
}

TEST(Target, TiesUp_GoToTheLargerValue) {
  const TargetParameters up{.rounding = RoundingMode::kNearestUp};
  EXPECT_EQ(Round(Value(5, 1), 0, up).code, 3u);
  EXPECT_EQ(Round(Value(-5, 1), 0, up).code, 0xFEu);  // -2
}

}  // namespace
}  // namespace qconform
