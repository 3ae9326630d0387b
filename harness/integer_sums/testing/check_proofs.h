// What the tests of every operator's proofs of sums check.
#ifndef QCONFORM_HARNESS_INTEGER_SUMS_TESTING_CHECK_PROOFS_H_
#define QCONFORM_HARNESS_INTEGER_SUMS_TESTING_CHECK_PROOFS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/integer_sums/sums_proofs.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"

namespace qconform::integer_sums {

// Another asker's INT32 answers, saturated to 16 bits.
class In16Bits : public ModelAsker {
 public:
  explicit In16Bits(std::unique_ptr<ModelAsker> asker) : asker_(std::move(asker)) {}

  Status Prepare(const Model& model) override { return asker_->Prepare(model); }
  std::span<std::byte> FirstInput(size_t bytes) override {
    return asker_->FirstInput(bytes);
  }
  Result<std::vector<std::byte>> Run(std::span<const TensorView> inputs) override {
    auto y = asker_->Run(inputs);
    if (!y) return y;
    for (size_t at = 0; at < y->size(); at += 4) {
      int32_t value = 0;
      std::memcpy(&value, y->data() + at, 4);
      value = std::clamp(value, -32768, 32767);
      std::memcpy(y->data() + at, &value, 4);
    }
    return y;
  }

 private:
  const std::unique_ptr<ModelAsker> asker_;
};

// The first chunk only.
inline SweepOutcome SweepFirst(Proof proof) {
  static const std::atomic<bool> kNeverStop{false};
  proof.plan.chunks = 1;
  auto outcome = RunSweep(proof.plan, {.jobs = 1}, kNeverStop);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : SweepOutcome();
}

// A right backend has no mismatch, sums of 16 bits have some, and the case of one of
// these has the terms of its sum.
inline void CheckProof(const SumsOperator& op, Kind kind, Backend& right_backend) {
  Sums sums{.a = DataType::kUint8, .b = DataType::kInt8};
  if (kind == Kind::kPairs) sums.a_zero_point = 255, sums.b_zero_point = 3;
  const MakeModelAsker askers = AskersOf(right_backend);
  const auto proof = Prove(op, kind, sums, askers);
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_EQ(proof->expected_inputs, uint64_t{1} << 32);
  EXPECT_EQ(proof->plan.chunks, 256);
  const SweepOutcome right = SweepFirst(*proof);
  EXPECT_EQ(right.totals.inputs, 256u << 16);
  EXPECT_EQ(right.totals.mismatches, 0u);

  const SweepOutcome wrong = SweepFirst(
      *Prove(op, kind, sums, [askers] { return std::make_unique<In16Bits>(askers()); }));
  ASSERT_FALSE(wrong.totals.first.empty());
  const SweepMismatch& first = wrong.totals.first.front();
  const StoredCase made = MismatchCase(op, kind, sums, first);
  EXPECT_NE(made.why.find("found by a sweep"), std::string::npos);
  const std::vector<Tensor>& inputs = made.inputs;
  ASSERT_EQ(inputs.size(), 4u);
  EXPECT_EQ(ElementCount(made.model.outputs.front().shape), 1);
  const int a_zero_point = static_cast<int>(inputs[2].data[0]);
  const int b_zero_point = static_cast<int8_t>(inputs[3].data[0]);
  int sum = 0;
  for (size_t k = 0; k < inputs[0].data.size(); ++k) {
    sum += (static_cast<int>(inputs[0].data[k]) - a_zero_point) *
           (static_cast<int8_t>(inputs[1].data[k]) - b_zero_point);
  }
  EXPECT_EQ(static_cast<int32_t>(first.expected), sum);
  EXPECT_TRUE(sum > 32767 || sum < -32768);
}

// The chunks ask each line of A with each line of B exactly once, in blocks of 16.
inline void CheckLines(const SumsOperator& op, Kind kind) {
  constexpr uint64_t kBlocks = kLines / 16;
  std::vector<uint8_t> visits(kBlocks * kBlocks);
  for (int64_t chunk = 0; chunk < 256; ++chunk) {
    for (int64_t model = 0; model < op.models_per_chunk(kind); ++model) {
      const Lines lines = op.lines(kind, chunk, model);
      for (uint64_t a = 0; a < lines.a.count; a += 16) {
        for (uint64_t b = 0; b < lines.b.count; b += 16) {
          ++visits[(lines.a.first + a) / 16 * kBlocks + (lines.b.first + b) / 16];
        }
      }
    }
  }
  EXPECT_EQ(std::ranges::count(visits, 1), std::ssize(visits));
}

}  // namespace qconform::integer_sums

#endif  // QCONFORM_HARNESS_INTEGER_SUMS_TESTING_CHECK_PROOFS_H_
