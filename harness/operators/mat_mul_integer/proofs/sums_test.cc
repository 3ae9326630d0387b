#include "harness/operators/mat_mul_integer/proofs/sums.h"

#include <gtest/gtest.h>

#include <atomic>
#include <utility>

#include "harness/backends/registry/registry.h"
#include "harness/integer_sums/testing/in_16_bits.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"

namespace qconform::mat_mul_integer {
namespace {

using enum DataType;
using integer_sums::In16Bits;
using integer_sums::Kind;
using integer_sums::Sums;

const std::atomic<bool> kNeverStop{false};

// The first chunk only: 256 rows by 2^16 columns.
SweepOutcome SweepFirst(Proof proof) {
  proof.plan.chunks = 1;
  auto outcome = RunSweep(proof.plan, {.jobs = 1}, kNeverStop);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : SweepOutcome();
}

class ProveSums : public testing::Test {
 protected:
  ProveSums() : backend_(*MakeBackend("oracle", {})) {}

  MakeModelAsker Askers() { return AskersOf(*backend_); }
  MakeModelAsker WrongAskers() {
    return [make = Askers()] { return std::make_unique<In16Bits>(make()); };
  }

  const std::unique_ptr<Backend> backend_;
  const integer_sums::SumsOperator op_ = SumsOfProduct();
};

TEST_F(ProveSums, Products_VisitEachDifferenceByEachDifference) {
  const Sums sums{.a = kUint8, .b = kInt8};
  const auto proof = Prove(op_, Kind::kProducts, sums, Askers());
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_EQ(proof->expected_inputs, uint64_t{1} << 32);
  EXPECT_EQ(proof->plan.chunks, 256);
  const SweepOutcome right = SweepFirst(*proof);
  EXPECT_EQ(right.totals.inputs, 256u << 16);
  EXPECT_EQ(right.totals.mismatches, 0u);

  // With an a_zero_point of 0, products are beyond 16 bits where b's difference has more
  // than seven bits.
  const SweepOutcome wrong =
      SweepFirst(*Prove(op_, Kind::kProducts, sums, WrongAskers()));
  EXPECT_GT(wrong.totals.mismatches, 0u);
  ASSERT_FALSE(wrong.totals.first.empty());
  const SweepMismatch& first = wrong.totals.first.front();
  const StoredCase made = MismatchCase(op_, Kind::kProducts, sums, first);
  EXPECT_EQ(made.model.outputs.front().shape, (Shape{1, 1}));
  ASSERT_EQ(made.inputs.size(), 4u);
  const int a =
      static_cast<int>(made.inputs[0].data[0]) - static_cast<int>(made.inputs[2].data[0]);
  const int b = static_cast<int8_t>(made.inputs[1].data[0]) -
                static_cast<int8_t>(made.inputs[3].data[0]);
  EXPECT_EQ(static_cast<int32_t>(first.expected), a * b);
  EXPECT_TRUE(a * b > 32767 || a * b < -32768);
}

TEST_F(ProveSums, Pairs_VisitEachPairByEachPair) {
  const Sums sums{.a = kUint8, .b = kInt8, .a_zero_point = 255, .b_zero_point = 3};
  const auto proof = Prove(op_, Kind::kPairs, sums, Askers());
  ASSERT_TRUE(proof) << proof.error().message;
  const SweepOutcome right = SweepFirst(*proof);
  EXPECT_EQ(right.totals.inputs, 256u << 16);
  EXPECT_EQ(right.totals.mismatches, 0u);

  const SweepOutcome wrong = SweepFirst(*Prove(op_, Kind::kPairs, sums, WrongAskers()));
  ASSERT_FALSE(wrong.totals.first.empty());
  const SweepMismatch& first = wrong.totals.first.front();
  const StoredCase made = MismatchCase(op_, Kind::kPairs, sums, first);
  const std::vector<Tensor>& inputs = made.inputs;
  int sum = 0;
  for (size_t k = 0; k < 2; ++k) {
    sum += (static_cast<int>(inputs[0].data[k]) - 255) *
           (static_cast<int8_t>(inputs[1].data[k]) - 3);
  }
  EXPECT_EQ(static_cast<int32_t>(first.expected), sum);
  EXPECT_NE(made.why.find("found by a sweep"), std::string::npos);
}

}  // namespace
}  // namespace qconform::mat_mul_integer
