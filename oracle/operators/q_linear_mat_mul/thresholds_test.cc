// From sums to codes.
#include "oracle/requantization/thresholds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "oracle/operators/q_linear_mat_mul/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;

TEST(SumThresholds, EachSum_HasTheAnswerOfItsInterval) {  // MM-02, MM-03, MM-12
  const RequantizedSums rows[] = {
      {.scale = kFloat,
       .y = kUint8,
       .a_scale = FloatBits(0.37f),
       .b_scale = FloatBits(0.011f),
       .y_scale = FloatBits(1.7f),
       .y_zero_point = 100},
      // v is below the smallest value up to sums of 2^20: zeros of both signs.
      {.scale = kFloat,
       .y = kFloat8E4M3FN,
       .a_scale = FloatBits(0x1p-30f),
       .b_scale = FloatBits(1),
       .y_scale = FloatBits(1),
       .y_zero_point = 0},
      {.scale = kFloat,
       .y = kInt8,
       .a_scale = FloatBits(1),
       .b_scale = FloatBits(1),
       .y_scale = 0,  // x/0, and 0/0
       .y_zero_point = 3},
  };
  for (const RequantizedSums& row : rows) {
    int64_t next = std::numeric_limits<int32_t>::min();
    int evaluated = 0;
    for (const SumInterval& interval : FindSumThresholds(row)) {
      ASSERT_EQ(interval.first, next);
      next = int64_t{interval.last} + 1;
      for (const int64_t sum :
           {int64_t{interval.first}, (int64_t{interval.first} + interval.last) / 2,
            int64_t{interval.last}}) {
        const ElementAnswer answer = AnswerForSum(row, static_cast<int32_t>(sum));
        ASSERT_EQ(answer.code, interval.y) << sum;
        ASSERT_EQ(answer.freedom, interval.freedom) << sum;
        ASSERT_EQ(answer.zero_sign_is_free, interval.zero_sign_is_free) << sum;
        if (std::abs(sum) > 1'000'000) continue;
        MatMulTensors tensors = ProductOf(sum, row.y);
        tensors.a_scale = ScalarCode(row.scale, row.a_scale);
        tensors.b_scale = ScalarCode(row.scale, row.b_scale);
        tensors.y_scale = ScalarCode(row.scale, row.y_scale);
        tensors.y_zero_point = ScalarCode(row.y, row.y_zero_point);
        ASSERT_EQ(Evaluate(tensors).elements[0].code, answer.code) << sum;
        ++evaluated;
      }
    }
    EXPECT_EQ(next, int64_t{1} << 31);  // all sums, each once
    EXPECT_GT(evaluated, 0);
  }
}

}  // namespace
}  // namespace qconform
