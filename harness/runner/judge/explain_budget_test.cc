#include "harness/runner/judge/explain_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/runner/runner.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;

TEST(ExplainBudget, WithoutSeconds_IsAShareOfTheRunAndAtLeastAFewSeconds) {
  ExplainBudget budget;
  EXPECT_DOUBLE_EQ(budget.Left(), ExplainBudget::kMostForOne);
  budget.AddExplained(ExplainBudget::kLeastSeconds - 1);
  EXPECT_DOUBLE_EQ(budget.Left(), 1);
  budget.AddExplained(2);
  EXPECT_DOUBLE_EQ(budget.Left(), 0);
  // 20 % of 120 s of asking and 30 s of explaining.
  budget.AddAsked(120);
  EXPECT_DOUBLE_EQ(budget.Left(), 30 - (ExplainBudget::kLeastSeconds + 1));
  budget.AddAsked(1e6);
  EXPECT_DOUBLE_EQ(budget.Left(), ExplainBudget::kMostForOne);
}

TEST(ExplainBudget, WithSeconds_IsUsedByAllTogether) {
  ExplainBudget budget(100.0);
  EXPECT_DOUBLE_EQ(budget.Left(), 100);
  budget.AddAsked(1e6);
  budget.AddExplained(60);
  EXPECT_DOUBLE_EQ(budget.Left(), 40);
  budget.AddExplained(60);
  EXPECT_DOUBLE_EQ(budget.Left(), 0);
  EXPECT_EQ(budget.WhyNot(false), "the budget of 100 s was used");
  EXPECT_EQ(budget.WhyNot(true), budget.WhyNot(false));
  EXPECT_EQ(ExplainBudget(0).WhyNot(false), "explanations were turned off");
  EXPECT_EQ(ExplainBudget().WhyNot(false), "the budget of 20 % of the run was used");
}

// Of a backend whose first element has a wrong lowest bit.
// `asked` counts what the backend is asked; it may be null.
CellRecord RecordWith(ExplainBudget* budget, const std::string& cell,
                      int* asked = nullptr) {
  ChangedBackend backend([&](const Model&, auto, RunResult result) -> RunResult {
    if (asked != nullptr) ++*asked;
    Tensor& y = FirstOutput(result);
    if (!y.data.empty()) y.data[0] ^= std::byte{1};
    return result;
  });
  RunRequest request{
      .cells = *SelectCells({cell}), .level = Level::kSmoke, .replay = {"oracle", {}, 1}};
  request.explain = budget;
  std::vector<CellRecord> records;
  const std::atomic<bool> stop{false};
  RunCells(
      backend, request, [&](CellRecord record) { records.push_back(std::move(record)); },
      stop);
  return records.at(0);
}

TEST(RunCells, CellThatIsNotExplained_HasTheSameVerdictAndSaysWhy) {
  const std::string cell = "QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor";
  const CellRecord whole = RecordWith(nullptr, cell);
  ASSERT_EQ(whole.verdict, Verdict::kNonconformant);
  ASSERT_TRUE(whole.deviation);
  EXPECT_EQ(whole.not_explained, "");
  ExplainBudget none(0);
  ExplainBudget little(1e-9);
  for (ExplainBudget* budget : {&none, &little}) {
    const CellRecord record = RecordWith(budget, cell);
    EXPECT_EQ(record.verdict, whole.verdict);
    EXPECT_EQ(record.forms, whole.forms);
    EXPECT_EQ(record.mismatches(), whole.mismatches());
    EXPECT_EQ(record.opset_versions, whole.opset_versions);
    EXPECT_EQ(record.diagnosis, "");
    EXPECT_FALSE(record.deviation);
    EXPECT_FALSE(record.counterexamples.empty());
    EXPECT_THAT(record.not_explained,
                HasSubstr(budget == &none ? "turned off" : "the budget of 1e-09 s"));
    EXPECT_THAT(DiagnosisText(record),
                HasSubstr("not explained: " + record.not_explained +
                          "; to explain it: qconform explain " + cell +
                          " --backend oracle --seed 1"));
  }
  // An explanation that is cut asks nothing that one that is not begun does not ask.
  int without = 0;
  int cut = 0;
  RecordWith(&none, cell, &without);
  RecordWith(&little, cell, &cut);
  EXPECT_EQ(cut, without);
  ExplainBudget enough(1e6);
  EXPECT_EQ(RecordWith(&enough, cell).deviation, whole.deviation);
}

}  // namespace
}  // namespace qconform
