// Coverage of the questions, and cells whose cases could not have failed.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "harness/backends/operands.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/compare/oracle_model.h"
#include "harness/runner/cell_judge.h"
#include "harness/runner/runner.h"
#include "oracle/formats/codes.h"
#include "reports/order.h"

namespace qconform {
namespace {

TEST(Coverage, Standard_CountsWhatMakesQuestionsHard) {
  auto cells = SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/*"});
  ASSERT_TRUE(cells.ok());
  const auto backend = MakeOracleBackend();
  RunRequest request;
  request.cells = *cells;
  const std::atomic<bool> stop{false};
  int seen = 0;
  const auto done = RunCells(
      *backend, request,
      [&](CellRecord record) {
        ++seen;
        EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell;
        for (const char* feature :
             {"tie", "near_tie", "saturated_low", "saturated_high", "subnormal",
              "degenerate", "tail", "nan", "infinity"}) {
          EXPECT_GT(record.coverage[feature], 0) << feature << " in " << record.cell;
        }
        EXPECT_GT(record.free, 0) << record.cell;  // QL-12
        EXPECT_EQ(record.coverage["last_partial_block"] > 0,
                  record.granularity == "blocked");
      },
      stop);
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(seen, 3);
}

// Reports know the tiers by name alone, and have no column for one that they do not know.
TEST(Tiers, OfTheOracle_AreThoseOfReports) {
  ASSERT_EQ(KnownTiers().size(), size_t{kTierCount});
  for (size_t i = 0; i < kTierCount; ++i) {
    EXPECT_EQ(KnownTiers()[i], TierName(static_cast<Tier>(i)));
  }
}

TEST(AxisOf, IsCountedFromTheFront_AndOneWhereLeftOut) {
  Node node;
  EXPECT_EQ(AxisOf(node, 3), 1);
  node.attributes = {{"axis", int64_t{-1}}};
  EXPECT_EQ(AxisOf(node, 3), 2);
  node.attributes = {{"axis", int64_t{0}}};
  EXPECT_EQ(AxisOf(node, 3), 0);
  EXPECT_EQ(IntegerAttributeOr(node, "block_size", 7), 7);
  node.attributes = {{"block_size", 1.5F}};  // of another kind counts for nothing
  EXPECT_EQ(IntegerAttributeOr(node, "block_size", 7), 7);
}

// The verdict of a cell that was asked x = k + offset over a scale of 1, for `count` k.
CellRecord JudgeOneCase(int64_t count, uint64_t offset_bits) {
  CaseKey key;
  const auto cells = SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor"});
  EXPECT_TRUE(cells.ok());
  key = CasesOf((*cells)[0].cell, (*cells)[0].versions, Level::kSmoke).front();
  auto made = MakeCase(key, 1);
  EXPECT_TRUE(made.ok());
  auto op_case = std::make_shared<OpCase>(*std::move(made));
  const auto put = [&](size_t operand, Tensor tensor) {
    op_case->model.inputs[operand].shape = tensor.shape;
    op_case->inputs[operand] = tensor;
    op_case->operands[operand] = std::move(tensor);
  };
  Tensor x = Tensor::Zeros(DataType::kFloat, {count});
  // 1.5, or 1.0: the first is a tie, the second is not even rounded.
  for (int64_t i = 0; i < count; ++i) WriteCode(x.mutable_view(), i, offset_bits);
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  WriteCode(scale.mutable_view(), 0, 0x3f800000);
  put(0, std::move(x));
  put(1, std::move(scale));
  put(2, Tensor::Zeros(DataType::kInt8, {}));
  op_case->model.outputs[0].shape = {count};
  const std::vector<TensorView> views = ViewsOf(op_case->inputs);
  const auto oracle = OracleModel::Create(op_case->model);
  EXPECT_TRUE(oracle.ok());
  auto evaluated = oracle->Evaluate(views);
  EXPECT_TRUE(evaluated.ok()) << evaluated.error().message;
  const auto answer = std::make_shared<const Answer>(*std::move(evaluated));
  Outputs outputs;
  outputs.push_back(PackAnswer(*answer));
  CellJudge judge(key.cell, {"oracle", {}, 1});
  judge.Add(op_case, answer, std::move(outputs));
  return judge.Finish(/*sampled=*/false);
}

constexpr uint64_t kOne = 0x3f800000;
constexpr uint64_t kOneAndAHalf = 0x3fc00000;

TEST(Coverage, NoTie_IsMistrusted) {
  const CellRecord record = JudgeOneCase(17, kOne);
  EXPECT_EQ(record.verdict, Verdict::kMistrusted);
  EXPECT_EQ(record.reason, "no regular element was rounded at or next to a tie");
}

TEST(Coverage, RoundedFarFromATie_IsMistrusted) {
  const CellRecord record = JudgeOneCase(17, 0x3fa00000);  // 1.25
  EXPECT_EQ(record.verdict, Verdict::kMistrusted);
  EXPECT_EQ(record.reason, "no regular element was rounded at or next to a tie");
}

TEST(Coverage, NoTail_IsMistrusted) {
  const CellRecord record = JudgeOneCase(32, kOneAndAHalf);
  EXPECT_EQ(record.verdict, Verdict::kMistrusted);
  EXPECT_EQ(record.reason, "no element lies behind the last whole vector");
}

TEST(Coverage, TiesAndATail_AreTrusted) {
  CellRecord record = JudgeOneCase(33, kOneAndAHalf);
  EXPECT_EQ(record.verdict, Verdict::kConformant) << record.reason;
  EXPECT_EQ(record.coverage["tail"], 1);
  EXPECT_EQ(record.coverage["tie"], 33);
}

}  // namespace
}  // namespace qconform
