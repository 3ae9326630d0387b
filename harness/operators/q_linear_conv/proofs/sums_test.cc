#include "harness/operators/q_linear_conv/proofs/sums.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>

#include "harness/backends/registry/registry.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"

namespace qconform::q_linear_conv {
namespace {

using enum DataType;

const std::atomic<bool> kNeverStop{false};
const requantization::AccumulatorsOperator kOperator = SumsOfConvolution();

requantization::AccumulatorsQuestion SumsOf(float x, float w, float y, DataType type,
                                            uint64_t zero_point) {
  requantization::AccumulatorsQuestion question{.op = &kOperator};
  question.sums = {.y = type,
                   .a_scale = std::bit_cast<uint32_t>(x),
                   .b_scale = std::bit_cast<uint32_t>(w),
                   .y_scale = std::bit_cast<uint32_t>(y),
                   .y_zero_point = zero_point};
  return By(question, kOperator.readings(kFloat, type).front());
}

// Each reading of QC-01 and QC-04 is monotone: its intervals are what the oracle's models
// answer at both sides of every boundary.
TEST(ProveConvAccumulators, BoundariesReachABackendAsBiases) {
  const auto backend = MakeBackend("oracle", {});
  ASSERT_TRUE(backend);
  for (const DataType y : {kUint8, kInt8}) {
    const auto question = SumsOf(0.02f, 0.01f, 0.3f, y, 117);
    const auto proof = ProveAccumulatorBoundaries(question, AskersOf(**backend));
    ASSERT_TRUE(proof);
    auto outcome = RunSweep(proof->plan, {.jobs = 2}, kNeverStop);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_GT(outcome->totals.inputs, 400u);
    EXPECT_EQ(outcome->totals.inputs, proof->expected_inputs);
    EXPECT_EQ(outcome->totals.mismatches, 0u);
  }
}

TEST(ProveConvAccumulators, ReadingsAreNamed) {
  const auto readings = kOperator.readings(kFloat, kInt8);
  EXPECT_EQ(readings.size(), 60u);
  EXPECT_EQ(readings.front().name, "");
  EXPECT_EQ(readings[1].name, "QC-04:f32_multiplier_ab_first");
  // 2.5 away from 0, and to even.
  auto question = SumsOf(1, 1, 2, kInt8, 0);
  EXPECT_EQ(AnswerForSum(question.sums, 5).code, 2u);
  question = By(question, readings[12]);
  EXPECT_EQ(question.reading, "QC-01:ties_away");
  EXPECT_EQ(AnswerForSum(question.sums, 5).code, 3u);
}

TEST(ProveConvAccumulators, AChunkOfTheKernels) {
  const auto proof = ProveAccumulators(SumsOf(0.02f, 0.01f, 0.3f, kUint8, 117), "");
  ASSERT_TRUE(proof) << proof.error().message;
  auto outcome = RunSweep(proof->plan, {.last = 1, .jobs = 2}, kNeverStop);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->totals.inputs, uint64_t{1} << 24);
  EXPECT_EQ(outcome->totals.mismatches, 0u);
}

}  // namespace
}  // namespace qconform::q_linear_conv
