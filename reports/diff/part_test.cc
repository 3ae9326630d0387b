#include "reports/diff/part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reports/show/badge.h"
#include "reports/show/csv.h"
#include "reports/show/junit.h"
#include "reports/show/markdown.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kOne = "QLinearMatMul/*";  // one cell of the example

TEST(Part, IsOfTheCellsThatMatch_AndSaysOfHowMany) {
  const Report report = ExampleReport();
  const ReportPart part = *PartOf(report, nullptr, {kOne});
  ASSERT_EQ(part.report.cells.size(), 1u);
  EXPECT_EQ(part.report.totals.selected, 1);
  EXPECT_EQ(part.report.totals.cells.total(), 1);
  EXPECT_EQ(part.report.totals.node_tests.total(), 0);
  EXPECT_EQ(part.report.results_digest, report.results_digest);
  EXPECT_EQ(PartText(part.report), "1 of the 14 cells of the report");
  EXPECT_EQ(PartText(report), "");
}

TEST(Part, OfAnIncompleteReport_IsIncomplete) {
  const Report report = ExampleReport();
  const Report cut = *BuildReport(report.run, report.cells, {}, false);
  EXPECT_TRUE(PartOf(report, nullptr, {kOne})->report.complete);
  EXPECT_FALSE(PartOf(cut, nullptr, {kOne})->report.complete);
}

TEST(Part, AnEntryThatExpired_IsToldOfItsCells) {
  const Report report = ExampleReport();
  KnownDifference old;
  old.cells = {kOne};
  old.verdict = Verdict::kNonconformant;
  old.reason = "r";
  old.expires = "2026-07-31";
  const KnownOutcome known = ApplyKnownDifferences({old}, report, "2026-08-01");
  const auto is_told = [&](const char* cells) {
    const ReportPart part = *PartOf(report, &known, {cells});
    return std::any_of(part.known->problems.begin(), part.known->problems.end(),
                       [](const KnownProblem& problem) {
                         return problem.kind == KnownProblem::Kind::kExpired;
                       });
  };
  EXPECT_TRUE(is_told(kOne));
  EXPECT_FALSE(is_told("QuantizeLinear/*"));
  EXPECT_EQ(PartText(PartOf(report, &known, {"*"})->report),
            "all of the report: 14 cells");
}

TEST(Part, PatternThatMatchesNothing_IsNamed) {
  EXPECT_THAT(
      PartOf(ExampleReport(), nullptr, {kOne, "none*"}).error().message,
      HasSubstr(
          "--cells: expected a pattern that matches a cell of the report, got 'none*'"));
}

// The exit code is about these cells: so is what is written beside it.
TEST(Part, WrittenFiles_HoldNoOtherCellAndSaySo) {
  const Report report = ExampleReport();
  const ReportPart part = *PartOf(report, nullptr, {kOne});
  const std::string outputs[] = {
      MarkdownText(part.report, nullptr), JUnitText(part.report, nullptr),
      CsvText(part.report, nullptr), BadgeSvg(part.report, nullptr)};
  for (const std::string& text : outputs) {
    EXPECT_THAT(text, Not(HasSubstr("QuantizeLinear/")));
    EXPECT_THAT(text, Not(HasSubstr("test_deviates")));
  }
  EXPECT_THAT(outputs[0], HasSubstr("\u2705 simd:AVX2: all 1 cell pass"));
  EXPECT_THAT(outputs[0],
              HasSubstr("> **A selection**: 1 of the 14 cells of the report;"));
  EXPECT_THAT(outputs[1], HasSubstr("name=\"selection\" value=\"1 of the 14 cells"));
  EXPECT_THAT(outputs[3], HasSubstr("ONNX quantization, selection, standard"));
  EXPECT_THAT(outputs[3],
              HasSubstr("1 of 1 cells pass; 1 of the 14 cells of the report"));
  EXPECT_THAT(MarkdownText(report, nullptr), Not(HasSubstr("A selection")));
  EXPECT_THAT(JUnitText(report, nullptr), Not(HasSubstr("\"selection\"")));
}

TEST(Part, KnownDifferences_AreThoseOfItsCells) {
  const Report report = ExampleReport();
  KnownDifference crash;
  crash.cells = {"QuantizeLinear/*"};
  crash.verdict = Verdict::kCrashed;
  crash.reason = "r";
  const KnownOutcome known = ApplyKnownDifferences({crash}, report, "2026-08-01");
  ASSERT_FALSE(known.problems.empty());
  const ReportPart other = *PartOf(report, &known, {kOne});
  EXPECT_TRUE(other.known->problems.empty());
  EXPECT_TRUE(other.known->known_cells.empty());
  const std::string id = known.known_cells.begin()->first;
  const ReportPart same = *PartOf(report, &known, {id});
  EXPECT_EQ(same.known->known_cells.size(), 1u);
}

}  // namespace
}  // namespace qconform
