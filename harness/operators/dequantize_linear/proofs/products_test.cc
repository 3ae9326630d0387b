#include "harness/operators/dequantize_linear/proofs/products.h"

#include <gtest/gtest.h>

#include <atomic>
#include <utility>

#include "harness/backends/registry/registry.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"
#include "oracle/formats/codes.h"

namespace qconform::dequantize_linear {
namespace {

using enum DataType;

const std::atomic<bool> kNeverStop{false};

SweepOutcome Sweep(const Proof& proof) {
  auto outcome = RunSweep(proof.plan, {.jobs = 2}, kNeverStop);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : SweepOutcome();
}

// Another asker's answers, but for one bit of the elements whose scale has this code.
class OffAtOneScale : public ModelAsker {
 public:
  OffAtOneScale(std::unique_ptr<ModelAsker> asker, uint64_t scale)
      : asker_(std::move(asker)), scale_(scale) {}

  Status Prepare(const Model& model) override { return asker_->Prepare(model); }
  std::span<std::byte> FirstInput(size_t bytes) override {
    return asker_->FirstInput(bytes);
  }
  Result<std::vector<std::byte>> Run(std::span<const TensorView> inputs) override {
    auto y = asker_->Run(inputs);
    if (!y) return y;
    const auto scales = ReadCodes(inputs[1]);
    const size_t count = ReadCodes(inputs[0]).size();
    const size_t size = y->size() / count;
    for (size_t i = 0; i < count; ++i) {
      if (scales[scales.size() == 1 ? 0 : i] == scale_) (*y)[i * size] ^= std::byte{1};
    }
    return y;
  }

 private:
  const std::unique_ptr<ModelAsker> asker_;
  const uint64_t scale_;
};

class ProveProducts : public testing::Test {
 protected:
  ProveProducts() : backend_(*MakeBackend("oracle", {})) {}

  MakeModelAsker Askers() { return AskersOf(*backend_); }
  MakeModelAsker WrongAskers(uint64_t scale) {
    return [make = Askers(), scale] {
      return std::make_unique<OffAtOneScale>(make(), scale);
    };
  }

  const std::unique_ptr<Backend> backend_;
};

TEST_F(ProveProducts, Lines_VisitEachCodeByEachScaleOnce) {
  const Products products{.types = {28, kInt4, kFloat8E8M0, kFloat}, .zero_point = 0x9};
  const auto proof = ProveLines(products, Askers());
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_EQ(proof->expected_inputs, 16u * 256u);
  const SweepOutcome right = Sweep(*proof);
  EXPECT_EQ(right.totals.inputs, proof->expected_inputs);
  EXPECT_EQ(right.totals.oracle_evaluations, proof->expected_inputs);
  EXPECT_EQ(right.totals.mismatches, 0u);

  const SweepOutcome wrong = Sweep(*ProveLines(products, WrongAskers(0x80)));
  EXPECT_EQ(wrong.totals.inputs, proof->expected_inputs);
  EXPECT_EQ(wrong.totals.mismatches, 16u);
  ASSERT_FALSE(wrong.totals.first.empty());
  const SweepMismatch& first = wrong.totals.first.front();
  EXPECT_EQ(first.scale, 0x80u);
  EXPECT_EQ(first.zero_point, 0x9u);
  EXPECT_FALSE(Explains(products, first));
  const StoredCase shown = MismatchCase(products, first);
  ASSERT_EQ(shown.inputs.size(), 3u);
  EXPECT_EQ(ReadCode(shown.inputs[0].view(), 0), first.x);
  EXPECT_EQ(ReadCode(shown.inputs[1].view(), 0), 0x80u);
  EXPECT_EQ(ReadCode(shown.inputs[2].view(), 0), 0x9u);
}

TEST_F(ProveProducts, LineOfOneCode) {
  Products products{.types = {21, kInt16, kBfloat16, kBfloat16}, .x = 0x7fff};
  const auto proof = ProveLines(products, Askers());
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->expected_inputs, 1u << 16);
  EXPECT_EQ(Sweep(*proof).totals.mismatches, 0u);
  products.x.reset();
  EXPECT_FALSE(ProveLines(products, Askers()));
}

TEST_F(ProveProducts, Planes_VisitEachCodeByEachScaleOnce) {
  for (const DataType x : {kUint2, kFloat4E2M1}) {
    const Products products{.types = {28, x, kFloat16, kFloat16}};
    const auto proof = ProvePlane(products, Askers());
    ASSERT_TRUE(proof) << proof.error().message;
    const uint64_t codes = uint64_t{1} << BitWidth(x);
    const SweepOutcome right = Sweep(*proof);
    EXPECT_EQ(right.totals.inputs, codes << 16);
    EXPECT_EQ(right.totals.mismatches, 0u);
    EXPECT_EQ(Sweep(*ProvePlane(products, WrongAskers(0x3c01))).totals.mismatches, codes);
  }
  EXPECT_FALSE(ProvePlane({.types = {28, kInt32, kFloat16, kFloat16}}, Askers()));
  EXPECT_FALSE(ProvePlane({.types = {28, kInt8, kFloat, kFloat}}, Askers()));
}

TEST_F(ProveProducts, OtherReadings_ExplainTheirAnswers) {
  const Products products{.types = {21, kInt16, kFloat16, kFloat16}};
  const auto others = OtherReadings(products);
  EXPECT_EQ(others.size(), 5u);
  // DQ-03: 21097 * 0.0224609375 is 473.75 at once, 474 by difference_in_p.
  const SweepMismatch mismatch{.x = 21097, .scale = 0x25c0, .actual = 0x5f68};
  EXPECT_FALSE(Explains(products, mismatch));
  int explain = 0;
  for (const Products& other : others) {
    if (!Explains(other, mismatch)) continue;
    ++explain;
    EXPECT_NE(ReadingOf(other).find("DQ-03:difference_in_p"), std::string::npos);
  }
  EXPECT_EQ(explain, 2);
}

}  // namespace
}  // namespace qconform::dequantize_linear
