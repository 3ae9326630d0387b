// Coverage of the questions, and cells whose cases could not have failed.
#include "harness/runner/judge/cell_coverage.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "cases/model/attributes.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/judge/cell_judge.h"
#include "harness/runner/runner.h"
#include "oracle/formats/codes.h"
#include "reports/record/order.h"

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
  ASSERT_TRUE(done);
  EXPECT_EQ(seen, 3);
}

// Reports know the tiers only by name, and have no column for a tier that they do not
// know.
TEST(Tiers, OfTheOracle_AreThoseOfReports) {
  ASSERT_EQ(KnownTiers().size(), size_t{kTierCount});
  for (size_t i = 0; i < kTierCount; ++i) {
    EXPECT_EQ(KnownTiers()[i], TierName(static_cast<Tier>(i)));
  }
}

TEST(IntegerAttributeOr, OfAnotherKind_CountsForNothing) {
  Node node;
  EXPECT_EQ(IntegerAttributeOr(node, "block_size", 7), 7);
  node.attributes = {{"block_size", 1.5F}};
  EXPECT_EQ(IntegerAttributeOr(node, "block_size", 7), 7);
}

// The verdict of a cell that was asked only one case: every x has these bits, and every
// scale is 1.
CellRecord JudgeOneCase(const char* cell, Shape x_shape, Shape scale_shape,
                        std::vector<Attribute> attributes, uint64_t x_bits) {
  const auto cells = SelectCells({cell});
  EXPECT_TRUE(cells.ok());
  const CaseKey key =
      CasesOf((*cells)[0].cell, (*cells)[0].versions, Level::kSmoke).front();
  auto made = MakeCase(key, 1);
  EXPECT_TRUE(made.ok());
  auto op_case = std::make_shared<OpCase>(*std::move(made));
  const auto put = [&](size_t operand, Tensor tensor, uint64_t code) {
    const int64_t count = *ElementCount(tensor.shape);
    for (int64_t i = 0; i < count; ++i) WriteCode(tensor.mutable_view(), i, code);
    op_case->model.inputs[operand].shape = tensor.shape;
    op_case->inputs[operand] = tensor;
    op_case->operands[operand] = std::move(tensor);
  };
  op_case->model.node.attributes = std::move(attributes);
  op_case->model.outputs[0].shape = x_shape;
  put(0, Tensor::Zeros(DataType::kFloat, std::move(x_shape)), x_bits);
  put(1, Tensor::Zeros(DataType::kFloat, scale_shape), 0x3f800000);
  put(2, Tensor::Zeros(DataType::kInt8, std::move(scale_shape)), 0);
  const std::vector<TensorView> views = ViewsOf(op_case->inputs);
  const auto oracle = OracleModel::Create(op_case->model);
  EXPECT_TRUE(oracle.ok());
  auto evaluated = oracle->Evaluate(views);
  EXPECT_TRUE(evaluated.ok()) << evaluated.error().message;
  const auto answer = std::make_shared<const CaseAnswer>(*std::move(evaluated));
  CellJudge judge(key.cell, {"oracle", {}, 1});
  judge.Add(op_case, answer, PackAnswer(*answer));
  return judge.Finish().value();
}

CellRecord JudgePerTensor(int64_t count, uint64_t x_bits) {
  return JudgeOneCase("QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor", {count}, {}, {},
                      x_bits);
}

// Of [rows, 3], in blocks of 2 rows.
CellRecord JudgeBlocked(int64_t rows, uint64_t x_bits) {
  return JudgeOneCase("QuantizeLinear/21/FLOAT-FLOAT-INT8/blocked", {rows, 3},
                      {(rows + 1) / 2, 3},
                      {{"axis", int64_t{0}}, {"block_size", int64_t{2}}}, x_bits);
}

constexpr uint64_t kOne = 0x3f800000;
constexpr uint64_t kOneAndAHalf = 0x3fc00000;

TEST(Coverage, NoTie_IsMistrusted) {
  const CellRecord record = JudgePerTensor(17, kOne);
  EXPECT_EQ(record.verdict, Verdict::kMistrusted);
  EXPECT_EQ(record.reason, "no regular element was rounded at or next to a tie");
}

TEST(Coverage, RoundedFarFromATie_IsMistrusted) {
  const CellRecord record = JudgePerTensor(17, 0x3fa00000);  // 1.25
  EXPECT_EQ(record.verdict, Verdict::kMistrusted);
  EXPECT_EQ(record.reason, "no regular element was rounded at or next to a tie");
}

TEST(Coverage, NoTail_IsMistrusted) {
  const CellRecord record = JudgePerTensor(32, kOneAndAHalf);
  EXPECT_EQ(record.verdict, Verdict::kMistrusted);
  EXPECT_EQ(record.reason, "no element lies behind the last whole vector");
}

TEST(Coverage, TiesAndATail_AreTrusted) {
  CellRecord record = JudgePerTensor(33, kOneAndAHalf);
  EXPECT_EQ(record.verdict, Verdict::kConformant) << record.reason;
  EXPECT_EQ(record.coverage["tail"], 1);
  EXPECT_EQ(record.coverage["tie"], 33);
}

TEST(Coverage, BlocksThatAreAllWhole_AreMistrusted) {
  CellRecord record = JudgeBlocked(6, kOneAndAHalf);
  EXPECT_EQ(record.verdict, Verdict::kMistrusted);
  EXPECT_EQ(record.reason, "no last block is partial");
  EXPECT_EQ(record.coverage.count("last_partial_block"), 0u);
}

TEST(Coverage, ALastBlockThatIsPartial_IsTrusted) {
  CellRecord record = JudgeBlocked(7, kOneAndAHalf);
  EXPECT_EQ(record.verdict, Verdict::kConformant) << record.reason;
  EXPECT_EQ(record.coverage["last_partial_block"], 3);
}

// y and one scale for each block of 4 columns, as a quantizer that finds its scales has.
CaseAnswer WithScales(int64_t rows, int64_t columns) {
  const ElementAnswer tie{.features = kFeatureTie | kFeatureInexact};
  const auto output = [&](DataType type, const Shape& shape) {
    const auto count = static_cast<size_t>(*ElementCount(shape));
    return Answer{type, shape, std::vector<ElementAnswer>(count, tie)};
  };
  return CaseAnswer({output(DataType::kUint8, {rows, columns}),
                     output(DataType::kFloat, {rows, (columns + 3) / 4})},
                    {"y", "y_scale"});
}

Dimensions DimensionsOfScales(int64_t rows, int64_t columns) {
  return {{.name = "m", .size = rows, .operands = {{0, 0}}, .outputs = {{0, 0}, {1, 0}}},
          {.name = "n",
           .size = columns,
           .operands = {{0, 1}},
           .outputs = {{0, 1}, {1, 1, 4}}}};
}

TEST(Coverage, BlocksAlongAnOutput_HaveAPartialOne) {
  CellCoverage whole;
  whole.Add(true, DimensionsOfScales(3, 4), WithScales(3, 4));
  EXPECT_EQ(whole.WhyMistrusted(), "no last block is partial");
  CellCoverage partial;
  partial.Add(true, DimensionsOfScales(3, 7), WithScales(3, 7));
  EXPECT_EQ(partial.WhyMistrusted(), "");
  // Three columns of y and one of the scales, in three rows.
  EXPECT_EQ(partial.counts().at("last_partial_block"), 12);
}

TEST(Coverage, CellsWithoutRounding_NeedNoTie) {
  CaseAnswer exact = WithScales(3, 7);
  for (ElementAnswer& element : exact.elements) element.features = 0;
  CellCoverage coverage;
  coverage.Add(false, {}, exact);
  EXPECT_EQ(coverage.WhyMistrusted(), "");
  // One model that rounds is enough to ask for a tie.
  coverage.Add(true, {}, exact);
  coverage.Add(false, {}, exact);
  EXPECT_EQ(coverage.WhyMistrusted(),
            "no regular element was rounded at or next to a tie");
  coverage.Add(true, {}, WithScales(3, 7));
  EXPECT_EQ(coverage.WhyMistrusted(), "");
}

TEST(Coverage, EachOutputHasATail) {
  // y has 32 elements; the scales are 2, none of which is in a whole vector.
  CellCoverage coverage;
  coverage.Add(true, {}, WithScales(2, 16));
  EXPECT_EQ(coverage.counts().at("tail"), 8);
  EXPECT_EQ(coverage.WhyMistrusted(), "no element lies behind the last whole vector");
  coverage.Add(true, {}, WithScales(3, 7));
  EXPECT_EQ(coverage.counts().at("tail"), 8 + 5 + 6);
  EXPECT_EQ(coverage.WhyMistrusted(), "");
}

}  // namespace
}  // namespace qconform
