#include "reports/show/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/show/markdown_text.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Report ReportOf(Verdict verdict) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  return *BuildReport(run,
                      {ExampleCell("QuantizeLinear", 21,
                                   {DataType::kFloat, DataType::kFloat, DataType::kInt4},
                                   "blocked", verdict)},
                      {}, true);
}

TEST(Markdown, Headline_SaysWhetherAllIsWell) {
  EXPECT_THAT(MarkdownText(ReportOf(Verdict::kConformant), nullptr),
              StartsWith("### \u2705 simd:AVX2: all 1 cell pass\n"));
  EXPECT_THAT(MarkdownText(ReportOf(Verdict::kNonconformant), nullptr),
              StartsWith("### \u274c simd:AVX2: 1 of 1 cell deviates\n"));
  EXPECT_THAT(MarkdownText(ReportOf(Verdict::kUnsupported), nullptr),
              StartsWith("### \u26aa simd:AVX2: 0 of 1 cell pass, none deviates\n"));
  EXPECT_THAT(MarkdownText(ReportOf(Verdict::kRefusedLegal), nullptr),
              StartsWith("### \u26d4 simd:AVX2: 0 of 1 cell pass, none deviates; 1 cell "
                         "refused as invalid, though legal\n"));
  EXPECT_THAT(MarkdownText(ExampleReport(), nullptr),
              StartsWith("### \u274c simd:AVX2: 5 of 14 cells deviate, 1 node test "
                         "deviates, 1 cell, 1 node test could not be judged; 1 cell, "
                         "1 node test refused as invalid, though legal\n"));
}

TEST(Markdown, ReportOfAModel_NamesItAndItsWholeRun) {
  const std::string text = MarkdownText(
      ExampleModelReport({ExamplePart("conv", 0, Verdict::kNonconformant)}), nullptr);
  EXPECT_THAT(text, StartsWith("### \u274c simd:AVX2: 1 of 1 part deviates\n"));
  EXPECT_THAT(text, HasSubstr("Model `net.onnx`, `sha256:aaaaaaaaaaaaaaaa`. The whole "
                              "model on mine differs from the composition: \n\n- output "
                              "'y': 1 of 2 elements differs\n\nNo part deviates."));
  EXPECT_THAT(text, HasSubstr("- 2 parts not judged: domain com.microsoft\n"));
}

TEST(Markdown, KnownDifference_IsVisibleAndNoDeviation) {
  const Report report = ReportOf(Verdict::kNonconformant);
  KnownDifference entry;
  entry.cells = {"*"};
  entry.verdict = Verdict::kNonconformant;
  entry.reason = "mended soon";
  KnownOutcome outcome = ApplyKnownDifferences({entry}, report, "2026-08-01");
  std::string text = MarkdownText(report, &outcome);
  EXPECT_THAT(text,
              StartsWith("### \u2705 simd:AVX2: all 1 cell pass, 1 of them as known"));
  EXPECT_THAT(text, HasSubstr("Known difference: mended soon"));
  entry.verdict = Verdict::kCrashed;
  outcome = ApplyKnownDifferences({entry}, report, "2026-08-01");
  text = MarkdownText(report, &outcome);
  EXPECT_THAT(text, HasSubstr("1 problem with known differences"));
  EXPECT_THAT(text, HasSubstr("- `different_failure` QuantizeLinear/21/"));
}

TEST(Markdown, Headline_IsNoTickWhereSomethingIsLeft) {
  // Waived, and no deviation.
  const Report declines = ReportOf(Verdict::kUnsupported);
  KnownDifference entry;
  entry.cells = {"*"};
  entry.verdict = Verdict::kUnsupported;
  entry.reason = "r";
  KnownOutcome outcome = ApplyKnownDifferences({entry}, declines, "2026-08-01");
  EXPECT_THAT(MarkdownText(declines, &outcome),
              StartsWith("### \u2705 simd:AVX2: all 1 cell pass, 1 of them as known"));
  // What is waived and no deviation stands for no cell that deviates.
  RunInfo two = ExampleRun();
  two.selection.cells = 2;
  const Report mixed = *BuildReport(
      two,
      {declines.cells[0], ExampleCell("QuantizeLinear", 21, declines.cells[0].types,
                                      "per_tensor", Verdict::kNonconformant)},
      {}, true);
  entry.cells = {declines.cells[0].cell};
  outcome = ApplyKnownDifferences({entry}, mixed, "2026-08-01");
  EXPECT_THAT(MarkdownText(mixed, &outcome),
              StartsWith("### \u274c simd:AVX2: 1 of 2 cells deviates\n"));
  entry.cells = {"*"};
  // A pass that was said to be none.
  const Report passes = ReportOf(Verdict::kConformant);
  outcome = ApplyKnownDifferences({entry}, passes, "2026-08-01");
  EXPECT_THAT(MarkdownText(passes, &outcome),
              StartsWith("### \u274c simd:AVX2: 1 problem with known differences"));
  const Report cut = *BuildReport(passes.run, passes.cells, {}, false);
  EXPECT_THAT(MarkdownText(cut, nullptr),
              StartsWith("### \u26aa simd:AVX2: 1 of 1 cell pass, none deviates\n"));
  RunInfo nothing = ExampleRun();
  nothing.selection.cells = 0;
  EXPECT_THAT(MarkdownText(*BuildReport(nothing, {}, {}, true), nullptr),
              StartsWith("### \u26aa simd:AVX2: 0 of 0 cells pass, none deviates\n"));
  EXPECT_THAT(MarkdownText(ReportOf(Verdict::kMistrusted), nullptr),
              HasSubstr("| \u2753 mistrusted | 1 |"));
}

TEST(Markdown, Evidence_IsThereWithTheLineThatReruns) {
  const std::string text = MarkdownText(ReportOf(Verdict::kNonconformant), nullptr);
  EXPECT_THAT(text,
              HasSubstr("y[0,3]: expected 0x82 (130), actual 0x83 (131), clause QL-10\n"
                        "of x=0x40200000 (2.5), "));
  EXPECT_THAT(text, HasSubstr("\nqconform replay 'QuantizeLinear/21/"));
}

TEST(Markdown, Tables_HaveAsManyColumnsInEveryRow) {
  std::istringstream lines(MarkdownText(ExampleReport(), nullptr));
  size_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      columns = 0;
      continue;
    }
    const auto count = static_cast<size_t>(std::count(line.begin(), line.end(), '|'));
    if (columns > 0) {
      EXPECT_EQ(count, columns) << line;
    }
    columns = count;
  }
}

TEST(Markdown, WorstReport_StillFitsAComment) {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells = WholeLattice(Verdict::kNonconformant);
  run.selection.cells = static_cast<int64_t>(cells.size());
  const Report report = *BuildReport(run, std::move(cells), {}, true);
  const std::string text = MarkdownText(report, nullptr, {.cells = 4772});
  EXPECT_LT(text.size(), 65536u);
  EXPECT_THAT(text, HasSubstr("cells more that do not pass."));
  EXPECT_THAT(text, HasSubstr("results <code>sha256:"));
}

TEST(Markdown, WordsOfABackend_CannotBreakOut) {
  Report report = ReportOf(Verdict::kUnsupported);
  report.cells[0].reason = "```\n</details> | `x` @everyone <script>";
  const std::string text = MarkdownText(report, nullptr);
  EXPECT_THAT(text, HasSubstr("```` ``` </details> | `x` @everyone <script> ````"));
  EXPECT_EQ(MarkdownEscaped("a_b|c<d>@e#1`*"), "a\\_b\\|c&lt;d&gt;&#64;e&#35;1\\`\\*");
  EXPECT_EQ(MarkdownCode("a"), "`a`");
  EXPECT_EQ(MarkdownTableCode("a|`b"), "`` a\\|`b ``");
}

TEST(Markdown, SummaryOfACell_IsALineOfHtml) {
  Report report = ReportOf(Verdict::kNonconformant);
  report.cells[0].cell = "<img src=x>&\n\n![x](y) @everyone #1 per_tensor";
  report.cells[0].diagnosis = "ties_away";
  const std::string text = MarkdownText(report, nullptr);
  EXPECT_THAT(text, HasSubstr("<code>&lt;img src=x&gt;&amp;  ![x](y) &#64;everyone "
                              "&#35;1 per_tensor</code> nonconformant, diagnosis "
                              "ties_away"));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
}

TEST(Markdown, ControlCharacters_AreShown) {
  Report report = ReportOf(Verdict::kCrashed);
  const std::string evil = std::string("\x1b[2J\a\0", 6) + "\n::error::x";
  report.cells[0].reason = evil;
  report.cells[0].counterexamples[0].message = evil;
  const std::string text = MarkdownText(report, nullptr);
  EXPECT_THAT(text, HasSubstr("\\x1b[2J\\x07\\x00"));
  for (const char c : {'\x1b', '\a', '\0'}) EXPECT_EQ(text.find(c), std::string::npos);
  EXPECT_EQ(MarkdownEscaped("a\x1b b"), "a\\\\x1b b");
}

// GitHub takes such lines of a log for commands, with blanks before them too.
TEST(Markdown, WordsOfABackend_AreNoCommand) {
  Report report = ReportOf(Verdict::kCrashed);
  report.cells[0].counterexamples[0].message = "::error title=x::y";
  std::istringstream lines(MarkdownText(report, nullptr));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(
        line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("::"))
        << line;
  }
}

// They are not the backend's fault, and the run does not pass.
TEST(Markdown, NodeTestsThatCouldNotBeJudged_AreToldApart) {
  Report report = ReportOf(Verdict::kConformant);
  report = *BuildReport(report.run, report.cells,
                        {ExampleNodeTest("test_broken", NodeVerdict::kError)}, true);
  const std::string text = MarkdownText(report, nullptr);
  EXPECT_THAT(text, StartsWith("### \u2753 simd:AVX2: 1 of 1 cell pass, none deviates, "
                               "1 node test could not be judged\n"));
  EXPECT_THAT(text, HasSubstr("- \u2753 node test test\\_broken"));
  EXPECT_THAT(text, Not(HasSubstr("\u274c")));
}

TEST(Markdown, IncompleteReport_SaysSo) {
  const Report report = *BuildReport(ExampleReport().run, {}, {}, false);
  EXPECT_THAT(MarkdownText(report, nullptr), HasSubstr("**Incomplete**: 0 rows of 14"));
  EXPECT_THAT(MarkdownText(ExampleReport(), nullptr), Not(HasSubstr("Incomplete")));
}

}  // namespace
}  // namespace qconform
