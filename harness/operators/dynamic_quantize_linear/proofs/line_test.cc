#include "harness/operators/dynamic_quantize_linear/proofs/line.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <utility>

#include "harness/backends/registry/registry.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"
#include "oracle/formats/codes.h"

namespace qconform::dynamic_quantize_linear {
namespace {

const std::atomic<bool> kNeverStop{false};

SweepOutcome Sweep(const Proof& proof) {
  auto outcome = RunSweep(proof.plan, {.jobs = 2}, kNeverStop);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : SweepOutcome();
}

// Another asker's answers, but for one bit of y where x has this code, or of the scale.
class OffAtOneX : public ModelAsker {
 public:
  OffAtOneX(std::unique_ptr<ModelAsker> asker, std::optional<uint64_t> x)
      : asker_(std::move(asker)), x_(x) {}

  Status Prepare(const Model& model) override { return asker_->Prepare(model); }
  std::span<std::byte> FirstInput(size_t bytes) override {
    return asker_->FirstInput(bytes);
  }
  Result<std::vector<std::byte>> Run(std::span<const TensorView> inputs) override {
    auto outputs = asker_->Run(inputs);
    if (!outputs) return outputs;
    const auto x = ReadCodes(inputs[0]);
    if (!x_) (*outputs)[x.size()] ^= std::byte{1};
    for (size_t i = 2; i < x.size(); ++i) {
      if (x_ == x[i]) (*outputs)[i] ^= std::byte{1};
    }
    return outputs;
  }

 private:
  const std::unique_ptr<ModelAsker> asker_;
  const std::optional<uint64_t> x_;
};

class ProveDynamicLine : public testing::Test {
 protected:
  ProveDynamicLine() : backend_(*MakeBackend("oracle", {})) {}

  MakeModelAsker Askers() { return AskersOf(*backend_); }
  MakeModelAsker WrongAskers(std::optional<uint64_t> x) {
    return [make = Askers(), x] { return std::make_unique<OffAtOneX>(make(), x); };
  }

  const std::unique_ptr<Backend> backend_;
};

// Subnormal ends, so that there are few x: 70001 of them from 0 on, 301 from -0 on.
constexpr Line kLine{.max = 70000, .min = 0x80000000 + 300};

TEST_F(ProveDynamicLine, VisitsEachXOnce) {
  const auto proof = ProveLine(kLine, Askers());
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_EQ(proof->expected_inputs, 70302u);
  const SweepOutcome right = Sweep(*proof);
  EXPECT_EQ(right.totals.inputs, 70302u);
  EXPECT_EQ(right.totals.mismatches, 0u);

  for (const uint64_t x : {uint64_t{0}, uint64_t{69999}, uint64_t{0x80000001}}) {
    const SweepOutcome wrong = Sweep(*ProveLine(kLine, WrongAskers(x)));
    EXPECT_EQ(wrong.totals.mismatches, 1u);
    ASSERT_EQ(wrong.totals.first.size(), 1u);
    EXPECT_EQ(wrong.totals.first.front().x, x);
    EXPECT_FALSE(Explains(kLine, wrong.totals.first.front()));
    const StoredCase made = MismatchCase(kLine, wrong.totals.first.front());
    EXPECT_EQ(ReadCodes(made.inputs.front().view()),
              (std::vector<uint64_t>{kLine.max, kLine.min, x}));
  }
}

TEST_F(ProveDynamicLine, ComparesTheScaleOfEachModel) {
  const SweepOutcome wrong = Sweep(*ProveLine(kLine, WrongAskers({})));
  EXPECT_EQ(wrong.totals.mismatches, 2u);  // models of 65536 x, and of the rest
}

TEST_F(ProveDynamicLine, Readings) {
  EXPECT_EQ(OtherReadings(kLine).size(), 8u);
  const Line fused{.max = 0x401f767c,
                   .min = 0xc03de5c1,
                   .readings = {.scale = Readings::Scale::kFusedRange}};
  EXPECT_EQ(ReadingOf(fused), "DYN-01:fused_range");
  const SweepMismatch scale{.x = fused.max, .expected = 0x3caf5d7b, .actual = 0x3caf5d7c};
  EXPECT_TRUE(Explains(fused, scale));
  Line canonical = fused;
  canonical.readings = {};
  EXPECT_FALSE(Explains(canonical, scale));
}

TEST_F(ProveDynamicLine, OtherRangesAreErrors) {
  EXPECT_FALSE(ProveLine({.max = 0x80000001}, Askers()));
  EXPECT_FALSE(ProveLine({.max = 1, .min = 2}, Askers()));
  EXPECT_FALSE(ProveLine({.max = 0x7f800000}, Askers()));
  EXPECT_FALSE(ProveLine({.max = 1, .min = 0xffc00000}, Askers()));
}

}  // namespace
}  // namespace qconform::dynamic_quantize_linear
