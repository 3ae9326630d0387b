#include "harness/operators/quantize_linear/bench/measure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/lattice/lattice.h"
#include "harness/operators/quantize_linear/bench/table.h"
#include "oracle/formats/codes.h"

namespace qconform::quantize_linear {
namespace {

// A peer that writes nothing.
class Idle : public Peer {
 public:
  std::string name() const override { return "idle 1"; }
  Result<std::unique_ptr<PeerNode>> Prepare(const Model& model,
                                            std::span<const TensorView> inputs,
                                            const MutableTensorView& y, int) override {
    class Node : public PeerNode {
     public:
      Status Run() override { return Ok(); }
    };
    if (y.type == DataType::kInt4) return Error{"no kernel"};
    EXPECT_EQ(model.inputs.size(), inputs.size());
    return std::unique_ptr<PeerNode>(std::make_unique<Node>());
  }
};

TEST(BenchQuantizeLinear, Row_HasTimesRatioAndDifferences) {
  Idle idle;
  const QuantizeBenchRow row = {DataType::kFloat, DataType::kFloat, DataType::kUint8,
                                BenchLayout::kLastAxis};
  const auto result =
      BenchQuantizeLinear(row, &idle, {.elements = 1 << 14, .seconds = 0.01});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NEAR(result->gigabytes_per_second * result->ns_per_element, 5, 1e-9);
  EXPECT_GT(result->ns_per_element, 0);
  EXPECT_GT(result->limit_ns_per_element, 0);
  EXPECT_GT(result->of_limit, 0);
  EXPECT_GT(result->instruction_limit_ns_per_element, 0);
  EXPECT_GT(result->of_instruction_limit, 0);
  EXPECT_GT(result->ratio, 0);
  EXPECT_GT(result->differing_bytes, 1000);
  EXPECT_EQ(result->speedup, 0);  // of one thread there is none
  EXPECT_EQ(row.Name(), "FLOAT-FLOAT-UINT8 per_axis last");
}

TEST(BenchQuantizeLinear, RowThatThePeerDeclines_HasNoRatioAndItsWords) {
  Idle idle;
  const auto result =
      BenchQuantizeLinear({DataType::kFloat, DataType::kFloat, DataType::kInt4}, &idle,
                          {.elements = 1 << 13, .threads = 2, .seconds = 0.01});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->ratio, 0);
  EXPECT_EQ(result->note, "no kernel");
  EXPECT_GT(result->speedup, 0);
  EXPECT_GT(result->limit_speedup, 0);
  EXPECT_GT(result->register_speedup, 0);
}

TEST(BenchQuantizeLinear, MostThatThreadsGain_IsOfRowsThatCanBeCut) {
  QuantizeBenchOptions options = {.elements = 1 << 14, .threads = 3, .seconds = 0.01};
  const auto uneven = BenchQuantizeLinear({}, nullptr, options);  // of four rows
  ASSERT_TRUE(uneven) << uneven.error().message;
  EXPECT_EQ(uneven->most_speedup, 0);
  options.threads = 2;
  for (int i = 0; i < 20; ++i) {
    const auto even = BenchQuantizeLinear({}, nullptr, options);
    ASSERT_TRUE(even) << even.error().message;
    if (even->most_speedup > 0) return;
  }
  GTEST_SKIP() << "no two threads ran at the same time";
}

TEST(BenchQuantizeLinear, EveryRow_IsOneThatTheKernelsTake) {
  const std::vector<QuantizeBenchRow> all = AllQuantizeRows();
  const bool has_float6 =
      std::ranges::any_of(CellsOf("QuantizeLinear"),
                          [](const Cell& cell) { return cell.since_version == 28; });
  EXPECT_EQ(all.size(), 5u * (has_float6 ? 300 : 260));
  for (const auto& rows : {StandardQuantizeRows(), all}) {
    for (size_t i = 0; i<rows.size(); i += rows.size()> 100 ? 37 : 1) {
      const auto result =
          BenchQuantizeLinear(rows[i], nullptr, {.elements = 1 << 13, .seconds = 0});
      EXPECT_TRUE(result) << rows[i].Name() << ": " << result.error().message;
    }
  }
  EXPECT_FALSE(BenchQuantizeLinear({}, nullptr, {.elements = 1000}));
}

// Threads of a peer that spin would take the cores of ours.
TEST(BenchQuantizeLinear, PeerWithSeveralThreads_IsThereInItsOwnTurnsAlone) {
  struct Counting : Idle {
    struct Node : PeerNode {
      explicit Node(Counting& counts) : all(counts) {
        all.most = std::max(all.most, ++all.alive);
      }
      ~Node() override { --all.alive; }
      Status Run() override { return Ok(); }
      Counting& all;
    };
    Result<std::unique_ptr<PeerNode>> Prepare(const Model&, std::span<const TensorView>,
                                              const MutableTensorView&, int) override {
      ++prepared;
      return std::unique_ptr<PeerNode>(std::make_unique<Node>(*this));
    }
    int prepared = 0, alive = 0, most = 0;
  };
  for (const int threads : {1, 2}) {
    Counting peer;
    const auto result = BenchQuantizeLinear(
        {}, &peer, {.elements = 1 << 13, .threads = threads, .seconds = 0.01});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(peer.prepared, threads == 1 ? 1 : 16);  // 15 turns
    EXPECT_EQ(peer.most, 1);
    EXPECT_EQ(peer.alive, 0);
  }
}

TEST(QuantizeBenchText, Row_HasBothLimits) {
  QuantizeBenchResult result;
  result.limit_ns_per_element = 0.25;
  result.of_limit = 0.5;
  result.instruction_limit_ns_per_element = 0.125;
  result.of_instruction_limit = 0.75;
  const std::string text = QuantizeBenchText({result}, {}, "AVX2", "");
  for (const char* const member : {"\"limit_ns_per_element\": 0.25", "\"of_limit\": 0.5",
                                   "\"instruction_limit_ns_per_element\": 0.125",
                                   "\"of_instruction_limit\": 0.75"}) {
    EXPECT_NE(text.find(member), std::string::npos) << member << " in " << text;
  }
}

TEST(QuantizeBenchText, SeveralThreads_HaveSpeedups) {
  QuantizeBenchResult result;
  result.speedup = 1.5;
  result.limit_speedup = 1.75;
  result.register_speedup = 2;
  const std::string unmeasured = QuantizeBenchText({result}, {}, "AVX2", "");
  EXPECT_EQ(unmeasured.find("most_speedup"), std::string::npos) << unmeasured;
  result.most_speedup = 1.625;
  const std::string text = QuantizeBenchText({result}, {}, "AVX2", "");
  for (const char* const member :
       {"\"speedup\": 1.5", "\"limit_speedup\": 1.75", "\"register_speedup\": 2.0",
        "\"most_speedup\": 1.625"}) {
    EXPECT_NE(text.find(member), std::string::npos) << member << " in " << text;
  }
}

TEST(BenchQuantizeLinear, RowWithZeroPoints_HasOneForEachScale) {
  struct Keeping : Idle {
    Result<std::unique_ptr<PeerNode>> Prepare(const Model& model,
                                              std::span<const TensorView> inputs,
                                              const MutableTensorView& y,
                                              int threads) override {
      kept = model;
      return Idle::Prepare(model, inputs, y, threads);
    }
    Model kept;
  };
  for (const DataType y :
       {DataType::kUint2, DataType::kInt4, DataType::kFloat6E2M3, DataType::kUint8,
        DataType::kInt16, DataType::kFloat8E5M2FNUZ}) {
    QuantizeBenchRow row = {DataType::kFloat, DataType::kFloat, y,
                            BenchLayout::kLastAxis};
    row.zero_point = true;
    Keeping peer;
    const auto result =
        BenchQuantizeLinear(row, &peer, {.elements = 1 << 13, .seconds = 0.01});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(row.Name().ends_with(" per_axis last zero_point")) << row.Name();
    EXPECT_EQ(peer.kept.node.inputs.size(), 3u);
    ASSERT_EQ(peer.kept.initializers.size(), 2u);
    const Tensor& zero_point = peer.kept.initializers[1].tensor;
    EXPECT_EQ(zero_point.type, y);
    EXPECT_EQ(zero_point.shape, peer.kept.initializers[0].tensor.shape);
    for (int64_t i = 0; i < 4096; ++i) ASSERT_NE(ReadCode(zero_point.view(), i), 0u) << i;
  }
}

}  // namespace
}  // namespace qconform::quantize_linear
