#include "harness/operators/conv_integer/proofs/sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "harness/backends/registry/registry.h"
#include "harness/integer_sums/testing/in_16_bits.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"

namespace qconform::conv_integer {
namespace {

using enum DataType;
using integer_sums::In16Bits;
using integer_sums::Kind;
using integer_sums::Sums;

const std::atomic<bool> kNeverStop{false};

SweepOutcome SweepFirst(Proof proof) {
  proof.plan.chunks = 1;
  auto outcome = RunSweep(proof.plan, {.jobs = 1}, kNeverStop);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : SweepOutcome();
}

class ProveConvIntegerSums : public testing::Test {
 protected:
  ProveConvIntegerSums() : backend_(*MakeBackend("simd", {})) {}

  MakeModelAsker Askers() { return AskersOf(*backend_); }
  MakeModelAsker WrongAskers() {
    return [make = Askers()] { return std::make_unique<In16Bits>(make()); };
  }

  const std::unique_ptr<Backend> backend_;
  const integer_sums::SumsOperator op_ = SumsOfConvolution();
};

// The chunks ask each line of x with each line of w exactly once.
TEST(ConvIntegerSums, Chunks_DivideAllLines) {
  const integer_sums::SumsOperator op = SumsOfConvolution();
  for (const Kind kind : {Kind::kProducts, Kind::kPairs}) {
    // Blocks of 256 lines of x by 16 of w, each of which may come once.
    std::vector<int> visits(size_t{256} * 4096);
    for (int64_t chunk = 0; chunk < 256; ++chunk) {
      for (int64_t model = 0; model < op.models_per_chunk(kind); ++model) {
        const integer_sums::Lines lines = op.lines(kind, chunk, model);
        for (uint64_t a = 0; a < lines.a.count; a += 256) {
          for (uint64_t b = 0; b < lines.b.count; b += 16) {
            ++visits[(lines.a.first + a) / 256 * 4096 + (lines.b.first + b) / 16];
          }
        }
      }
    }
    EXPECT_EQ(std::ranges::count(visits, 1), std::ssize(visits));
  }
}

TEST_F(ProveConvIntegerSums, Products_HaveAZeroPointForEachChannel) {
  const Sums sums{.a = kUint8, .b = kInt8};
  const auto proof = Prove(op_, Kind::kProducts, sums, Askers());
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_EQ(proof->expected_inputs, uint64_t{1} << 32);
  const SweepOutcome right = SweepFirst(*proof);
  EXPECT_EQ(right.totals.inputs, 256u << 16);
  EXPECT_EQ(right.totals.mismatches, 0u);

  // With an x_zero_point of 0, products are beyond 16 bits where w's difference has more
  // than seven bits.
  const SweepOutcome wrong =
      SweepFirst(*Prove(op_, Kind::kProducts, sums, WrongAskers()));
  ASSERT_FALSE(wrong.totals.first.empty());
  const SweepMismatch& first = wrong.totals.first.front();
  const StoredCase made = MismatchCase(op_, Kind::kProducts, sums, first);
  EXPECT_EQ(made.model.outputs.front().shape, (Shape{1, 1, 1}));
  ASSERT_EQ(made.inputs.size(), 4u);
  const int x =
      static_cast<int>(made.inputs[0].data[0]) - static_cast<int>(made.inputs[2].data[0]);
  const int w = static_cast<int8_t>(made.inputs[1].data[0]) -
                static_cast<int8_t>(made.inputs[3].data[0]);
  EXPECT_EQ(static_cast<int32_t>(first.expected), x * w);
  EXPECT_TRUE(x * w > 32767 || x * w < -32768);
}

TEST_F(ProveConvIntegerSums, Pairs_AreKernelsOfTwo) {
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
}  // namespace qconform::conv_integer
