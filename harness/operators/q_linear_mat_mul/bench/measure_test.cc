#include "harness/operators/q_linear_mat_mul/bench/measure.h"

#include <gtest/gtest.h>

#include "harness/backends/simd/limits/dot_product_peak.h"

namespace qconform::q_linear_mat_mul {
namespace {

// Writes one wrong element, and takes note of what it was given.
class FakePeer : public Peer {
 public:
  std::string name() const override { return "fake 1"; }

  Result<std::unique_ptr<PeerNode>> Prepare(const Model& model,
                                            std::span<const TensorView> inputs,
                                            const MutableTensorView& y,
                                            int threads) override {
    ++prepared;
    constants = model.initializers.size();
    fed = inputs.size();
    asked_threads = threads;
    class Node : public PeerNode {
     public:
      explicit Node(const MutableTensorView& y) : y_(y) {}
      Status Run() override {
        y_.data[0] = std::byte{1};
        return Ok();
      }

     private:
      MutableTensorView y_;
    };
    if (refuses) return Error{"no such kernel"};
    return std::unique_ptr<PeerNode>(std::make_unique<Node>(y));
  }

  bool refuses = false;
  int prepared = 0;
  size_t constants = 0;
  size_t fed = 0;
  int asked_threads = 0;
};

constexpr MatMulBenchRow kSmall = {DataType::kUint8, DataType::kInt8, 4, 5, 6};

TEST(MatMulBench_Test, StandardRows_AreThreePairsOfTypesInFourSizesAndOtherScalesAndY) {
  const auto rows = StandardMatMulRows();
  ASSERT_EQ(rows.size(), 15u);
  EXPECT_EQ(rows[2].m, 1024);
  EXPECT_EQ(rows[11].k, 4096);
  EXPECT_EQ(rows[12].Size(), "512,512,512 vectors");
  EXPECT_EQ(rows[13].Size(), "512,512,512 ties");
  EXPECT_EQ(rows[14].Size(), "512,512,512 to FLOAT8E4M3FN");
}

TEST(MatMulBench_Test, EveryKindOfRow_IsOneThatTheKernelsTake) {
  for (MatMulBenchRow row : StandardMatMulRows()) {
    row.m = 4, row.n = 5, row.k = 6;
    const auto result = BenchQLinearMatMul(row, nullptr, {.threads = 1, .seconds = 0});
    EXPECT_TRUE(result) << row.Size() << ": " << result.error().message;
  }
}

TEST(MatMulBench_Test, Peer_IsGivenConstantsAndMeasured) {
  FakePeer peer;
  const auto result = BenchQLinearMatMul(kSmall, &peer, {.threads = 1, .seconds = 0.001});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(peer.prepared, 1);
  EXPECT_EQ(peer.constants, 7u);
  EXPECT_EQ(peer.fed, 1u);
  EXPECT_EQ(peer.asked_threads, 1);
  EXPECT_GT(result->ours, 0);
  EXPECT_GT(result->peer, 0);
  EXPECT_GT(result->ratio, 0);
  EXPECT_GT(result->differing, 0);
  EXPECT_EQ(result->peak > 0, simd::MeasureDotProductPeak() > 0);
}

TEST(MatMulBench_Test, PeerThatRefuses_LeavesANoteAndNoRatio) {
  FakePeer peer;
  peer.refuses = true;
  const auto result = BenchQLinearMatMul(kSmall, &peer, {.threads = 1, .seconds = 0.001});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->note, "no such kernel");
  EXPECT_EQ(result->ratio, 0);
  EXPECT_GT(result->ours, 0);
}

}  // namespace
}  // namespace qconform::q_linear_mat_mul
