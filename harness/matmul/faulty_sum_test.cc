#include "harness/matmul/faulty_sum.h"

#include <gtest/gtest.h>

#include <vector>

namespace qconform {
namespace {

using Kind = FaultySum::Kind;

int64_t Sum(const std::vector<int16_t>& a, const std::vector<int16_t>& b,
            const FaultySum& mistakes, int64_t a_zero_point = 0,
            int64_t b_zero_point = 0) {
  return SumOf({a, b, a_zero_point, b_zero_point}, mistakes);
}

TEST(FaultySum, WithoutMistakes_IsExact) {
  EXPECT_EQ(Sum({1, 2, 3}, {4, 5, 6}, {}), 32);
  EXPECT_EQ(Sum({1, 2, 3}, {4, 5, 6}, {}, 1, 2), 11);  // 0*2 + 1*3 + 2*4
  EXPECT_EQ(Sum({}, {}, {}), 0);
}

TEST(FaultySum, Codes_Saturate) {
  // 255 * 127 twice is 64770; the corrections are those of the exact differences.
  EXPECT_EQ(Sum({255, 255, 1}, {127, 127, 3}, {.kind = Kind::kPairsSaturate16}), 32770);
  EXPECT_EQ(Sum({255, 255}, {127, 127}, {.kind = Kind::kPairsSaturate16}, 255, 0),
            32767 - 64770);
  const std::vector<int16_t> many(33030, 255);
  EXPECT_EQ(Sum(many, many, {.kind = Kind::kCodesSaturate32}), INT32_MAX);
}

TEST(FaultySum, Differences_Narrow) {
  EXPECT_EQ(Sum({255, 1}, {255, 1}, {.kind = Kind::kWrap16}), 65025 - 65536 + 1);
  EXPECT_EQ(Sum({255, -1}, {255, 1}, {.kind = Kind::kSaturate16}), 32766);
  const std::vector<int16_t> many(256, 255);  // 256 * 65025 = 16646400
  EXPECT_EQ(Sum(many, many, {.kind = Kind::kWrap24}), 16646400 - 16777216);
  EXPECT_EQ(Sum(many, many, {.kind = Kind::kOutputSaturates16}), 32767);
  EXPECT_EQ(Sum(many, many, {.kind = Kind::kFloat16}), INT32_MAX);
  EXPECT_EQ(Sum({128, 1}, {2, 1}, {.kind = Kind::kBfloat16}), 256);  // 257 ties to 256
  EXPECT_EQ(Sum({1, 1}, {-2048, -1}, {.kind = Kind::kFloat16}), -2048);
}

TEST(FaultySum, Float_RoundsEachStepOrTheSum) {
  std::vector<int16_t> a(261, 255);
  std::vector<int16_t> b(261, 255);  // 258 * 65025 = 16776450, 766 below 2^24
  a[258] = a[259] = a[260] = 1;
  b[258] = 255;
  b[259] = 512;  // 16777217: a tie, down to 2^24
  b[260] = 1;    // and again
  EXPECT_EQ(Sum(a, b, {}), 16777218);
  EXPECT_EQ(Sum(a, b, {.kind = Kind::kThroughFloat}), 16777218);
  EXPECT_EQ(Sum(a, b, {.kind = Kind::kFloat}), 16777216);
}

TEST(FaultySum, Tails_AreLostOrNotCorrected) {
  const std::vector<int16_t> a = {1, 2, 3, 4, 5};
  const std::vector<int16_t> b = {1, 1, 1, 1, 10};
  EXPECT_EQ(Sum(a, b, {.lost_tail = 4}), 10);
  EXPECT_EQ(Sum(a, b, {.lost_last = true}), 10);
  EXPECT_EQ(Sum(a, b, {.uncorrected_tail = 4}, 1, 0), 6 + 50);
}

TEST(FaultySum, CrossTerm) {
  const std::vector<int16_t> five(5, 0);  // 5 * 2 * 3 = 30
  EXPECT_EQ(Sum(five, five, {}, 2, 3), 30);
  EXPECT_EQ(Sum(five, five, {.no_cross_term = true}, 2, 3), 0);
  EXPECT_EQ(Sum(five, five, {.cross_term_subtracted = true}, 2, 3), -30);
  EXPECT_EQ(Sum(five, five, {.padded_cross_term = 4}, 2, 3), 48);
}

}  // namespace
}  // namespace qconform
