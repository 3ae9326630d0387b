#include "harness/requantization/accumulators.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <vector>

#include "harness/backends/registry/registry.h"
#include "harness/operators/q_linear_mat_mul/proofs/sums.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"

namespace qconform::q_linear_mat_mul {
namespace {

using enum DataType;

const std::atomic<bool> kNeverStop{false};

SweepOutcome Sweep(const Proof& proof, SweepOptions options = {}) {
  options.jobs = 2;
  auto outcome = RunSweep(proof.plan, options, kNeverStop);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : SweepOutcome();
}

const requantization::AccumulatorsOperator kOperator = SumsOfProducts();

requantization::AccumulatorsQuestion SumsOf(float a, float b, float y, DataType type,
                                            uint64_t zero_point) {
  requantization::AccumulatorsQuestion question{.op = &kOperator};
  question.sums = {.y = type,
                   .a_scale = std::bit_cast<uint32_t>(a),
                   .b_scale = std::bit_cast<uint32_t>(b),
                   .y_scale = std::bit_cast<uint32_t>(y),
                   .y_zero_point = zero_point};
  return By(question, kOperator.readings(kFloat, type).front());
}

TEST(ProveAccumulators, ChunksOfEveryWayAreRight) {
  const std::vector<requantization::AccumulatorsQuestion> questions = {
      SumsOf(0.02f, 0.01f, 0.3f, kUint8, 117),  // fused
      SumsOf(0.5f, 0.25f, 4.0f, kInt8, 0x83),   // exact factor, ties
      SumsOf(-0.02f, 0.001f, 0.3f, kInt8, 5),   // negative
      SumsOf(0.02f, 0.01f, 30.0f, kFloat8E4M3FN, 0),
      SumsOf(0.02f, 1e-38f, 30.0f, kUint8, 9)};  // degenerate
  for (const auto& sums : questions) {
    const auto proof = ProveAccumulators(sums, "");
    ASSERT_TRUE(proof) << proof.error().message;
    const bool slow = proof->ran.ends_with("exact");
    for (const int64_t chunk : {0, 128, 255}) {
      if (slow && chunk != 0) continue;
      const SweepOutcome outcome = Sweep(*proof, {.first = chunk, .last = chunk + 1});
      EXPECT_EQ(outcome.totals.inputs, uint64_t{1} << 24);
      EXPECT_EQ(outcome.totals.mismatches, 0u) << proof->ran << " " << chunk;
    }
  }
}

TEST(ProveAccumulators, BoundariesReachABackendAsOperands) {
  const auto backend = MakeBackend("oracle", {});
  ASSERT_TRUE(backend);
  const auto proof = ProveAccumulatorBoundaries(SumsOf(0.02f, 0.01f, 0.3f, kUint8, 117),
                                                AskersOf(**backend));
  ASSERT_TRUE(proof);
  const SweepOutcome outcome = Sweep(*proof, {.last = 1});
  EXPECT_GT(outcome.totals.inputs, 400u);
  EXPECT_EQ(outcome.totals.mismatches, 0u);
}

}  // namespace
}  // namespace qconform::q_linear_mat_mul
