// The parts of a diff that are not cells: negative models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/diff/diff.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Report ReportOfNegative(std::vector<NegativeRecord> negative,
                        RunInfo run = ExampleRun()) {
  run.selection.cells = 1;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 21, {DataType::kFloat, DataType::kFloat, DataType::kInt4},
      "per_tensor", Verdict::kConformant);
  return *BuildReport(run, {cell}, {}, true, std::move(negative));
}

NegativeRecord Negative(std::string id, NegativeResult result) {
  return {std::move(id), "invalid", "QL-34", "QuantizeLinear", 21,
          "shape",       result,    "words"};
}

TEST(Diff, EveryStepOfANegativeModel_HasItsKind) {
  using enum NegativeResult;
  using enum ChangeKind;
  const std::tuple<NegativeResult, NegativeResult, ChangeKind> steps[] = {
      {kRefused, kCrashed, kRegressed},
      {kLax, kTimedOut, kRegressed},
      {kDeviates, kCrashed, kRegressed},
      {kPass, kDeclined, kNoLongerSupported},
      {kDeclined, kDeviates, kNewlySupportedWrong},
      {kDeclined, kPass, kNewlySupportedRight},
      {kPass, kRefusedLegal, kRegressed},
      {kDeclined, kRefusedLegal, kRegressed},
      {kRefusedLegal, kPass, kFixed},
      {kDeviates, kRefusedLegal, kNoLongerSupported},
      {kRefusedLegal, kDeviates, kNewlySupportedWrong},
      {kRefused, kLax, kOtherAnswers},
      {kAccepted, kRefused, kOtherAnswers},
      {kCrashed, kRefused, kFixed}};
  for (const auto& [before, after, kind] : steps) {
    const ReportDiff diff = DiffReports(ReportOfNegative({Negative("a", before)}),
                                        ReportOfNegative({Negative("a", after)}));
    ASSERT_EQ(diff.negative_models.size(), 1u);
    EXPECT_EQ(diff.negative_models[0].kind, kind)
        << NegativeResultName(before) << " -> " << NegativeResultName(after);
    EXPECT_EQ(ExitCodeFor(diff),
              DefaultFailOn().contains(kind) ? ExitCode::kDeviation : ExitCode::kPass);
    const std::string line = "a: " + std::string(NegativeResultName(before)) + " -> " +
                             std::string(NegativeResultName(after)) + "; words";
    EXPECT_THAT(DiffText(diff), HasSubstr(line));
    EXPECT_THAT(DiffMarkdown(diff), HasSubstr("negative model `a`: "));
    EXPECT_EQ(SchemaViolations(DiffSchema(), DiffJson(diff)), "");
  }
}

TEST(Diff, WordsOfARefusal_AreNoChange) {
  NegativeRecord other = Negative("a", NegativeResult::kRefused);
  other.text = "others";
  EXPECT_THAT(DiffReports(ReportOfNegative({Negative("a", NegativeResult::kRefused)}),
                          ReportOfNegative({other}))
                  .negative_models,
              IsEmpty());
  other.result = NegativeResult::kLax;  // how it was answered is one
  EXPECT_EQ(DiffReports(ReportOfNegative({Negative("a", NegativeResult::kLax)}),
                        ReportOfNegative({other}))
                .negative_models.size(),
            1u);
}

TEST(Diff, NegativeModelsThatAreGone_AreLostOrNotComparable) {
  const Report before = ReportOfNegative(
      {Negative("a", NegativeResult::kRefused), Negative("b", NegativeResult::kRefused)});
  const auto exit_code = [&](const Report& after) {
    return ExitCodeFor(DiffReports(before, after));
  };
  const std::vector<NegativeRecord> one = {Negative("a", NegativeResult::kRefused)};
  EXPECT_EQ(exit_code(ReportOfNegative(one)), ExitCode::kDeviation);
  EXPECT_EQ(exit_code(ReportOfNegative({})), ExitCode::kIncomplete) << "--no-negative";
  RunInfo other = ExampleRun();
  other.tool.commit = "other";
  EXPECT_EQ(exit_code(ReportOfNegative(one, other)), ExitCode::kIncomplete);
}

}  // namespace
}  // namespace qconform
