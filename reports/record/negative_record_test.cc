// Negative models in report, journal, schema, summary and exit code.
#include "reports/record/negative_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/diff/known_differences.h"
#include "reports/report/journal.h"
#include "reports/report/merge.h"
#include "reports/report/report.h"
#include "reports/show/html.h"
#include "reports/show/junit.h"
#include "reports/show/markdown.h"
#include "reports/show/summary/summary.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NegativeRecord Example(const std::string& name, int opset_version,
                       NegativeResult result) {
  return {.id = "QuantizeLinear@" + std::to_string(opset_version) + "/" + name,
          .kind = result == NegativeResult::kPass ? "legal" : "invalid",
          .clause = "QL-34",
          .op_type = "QuantizeLinear",
          .opset_version = opset_version,
          .phase = "load",
          .result = result,
          .text = "words"};
}

// One of each result that is not a deviation.
std::vector<NegativeRecord> Examples() {
  return {Example("b", 21, NegativeResult::kLax),
          Example("a", 21, NegativeResult::kRefused),
          Example("z", 10, NegativeResult::kPass)};
}

Report WithNegative(std::vector<NegativeRecord> records) {
  const Report example = ExampleReport();
  std::vector<CellRecord> cells = example.cells;
  std::erase_if(cells, [](const CellRecord& cell) { return !IsPass(cell.verdict); });
  RunInfo run = example.run;
  run.selection.cells = static_cast<int64_t>(cells.size());
  return *BuildReport(run, std::move(cells), {}, true, std::move(records));
}

TEST(NegativeRecord, EveryResult_HasANameThatReadsBack) {
  for (const NegativeResult result : AllNegativeResults()) {
    EXPECT_EQ(ParseNegativeResult(NegativeResultName(result)), result);
  }
  EXPECT_EQ(AllNegativeResults().size(), static_cast<size_t>(kNegativeResultCount));
  EXPECT_EQ(ParseNegativeResult("fine"), std::nullopt);
}

TEST(NegativeRecord, Report_ReadsBackInOneOrderWithALineForEach) {
  const Report report = WithNegative(Examples());
  const std::string text = ReportText(report);
  const auto read = ParseReport(text, "r.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->negative, report.negative);
  EXPECT_EQ(read->negative[0].id, "QuantizeLinear@10/z");
  EXPECT_EQ(read->negative[1].id, "QuantizeLinear@21/a");
  EXPECT_THAT(text, HasSubstr("\n{\"id\":\"QuantizeLinear@21/b\",\"result\":\"lax\""));
  std::vector<NegativeRecord> reversed = Examples();
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(WithNegative(reversed).results_digest, report.results_digest);
}

TEST(NegativeRecord, ReportWithout_HasNoSection) {
  const std::string text = ReportText(WithNegative({}));
  EXPECT_EQ(text.find("\"negative\""), std::string::npos);
  EXPECT_TRUE(ParseReport(text, "r.json").ok());
}

TEST(NegativeRecord, Schema_KnowsEveryResult) {
  std::vector<NegativeRecord> records;
  for (const NegativeResult result : AllNegativeResults()) {
    records.push_back(Example(std::string(NegativeResultName(result)), 13, result));
  }
  const std::string text = ReportText(WithNegative(records));
  EXPECT_EQ(SchemaViolations(ReportSchema(), text), "");
  std::string wrong = text;
  wrong.replace(wrong.find("\"lax\""), 5, "\"odd\"");
  EXPECT_NE(SchemaViolations(ReportSchema(), wrong), "");
}

TEST(NegativeRecord, ComingTwice_IsRefusedByName) {
  std::vector<NegativeRecord> records = Examples();
  records.push_back(records[0]);
  const auto report = BuildReport(ExampleRun(), {}, {}, false, records);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().message,
              HasSubstr("QuantizeLinear@21/b: expected one row, got two"));
}

TEST(NegativeRecord, Journal_KeepsThem) {
  const TemporaryDirectory directory;
  auto writer = JournalWriter::Create(directory / "run.jsonl", ExampleRun());
  ASSERT_TRUE(writer.ok());
  for (const NegativeRecord& record : Examples())
    ASSERT_TRUE(writer->Append(record).ok());
  EXPECT_EQ(ReadJournal(directory / "run.jsonl")->negative, Examples());
  ASSERT_TRUE(writer->Finish(1).ok());
  const auto journal = ReadJournal(directory / "run.jsonl");
  ASSERT_TRUE(journal.ok()) << journal.error().message;
  EXPECT_TRUE(journal->complete);
  EXPECT_EQ(journal->negative, Examples());
}

TEST(NegativeRecord, LaxIsNoDeviation_AWrongAnswerIs) {
  std::vector<NegativeRecord> records = Examples();
  EXPECT_EQ(ExitCodeFor(WithNegative(records), false), ExitCode::kPass);
  for (const NegativeResult result : AllNegativeResults()) {
    records[0].result = result;
    const bool is_incomplete =
        result == NegativeResult::kError || result == NegativeResult::kRefusedLegal;
    EXPECT_EQ(ExitCodeFor(WithNegative(records), true),
              IsDeviation(result) ? ExitCode::kDeviation
              : is_incomplete     ? ExitCode::kIncomplete
                                  : ExitCode::kPass)
        << NegativeResultName(result);
  }
}

TEST(NegativeRecord, ModelsAlone_PassWhereTheRunEnded) {
  RunInfo run = ExampleRun();
  run.selection.cells = 0;
  EXPECT_EQ(ExitCodeFor(*BuildReport(run, {}, {}, true, Examples()), false),
            ExitCode::kPass);
  EXPECT_EQ(ExitCodeFor(*BuildReport(run, {}, {}, false, Examples()), false),
            ExitCode::kIncomplete);
  EXPECT_EQ(ExitCodeFor(*BuildReport(run, {}, {}, true,
                                     {Example("a", 21, NegativeResult::kRefused)}),
                        false),
            ExitCode::kNothingSupported);
  // One that is lax took an answer.
  EXPECT_EQ(ExitCodeFor(
                *BuildReport(run, {}, {}, true, {Example("a", 21, NegativeResult::kLax)}),
                false),
            ExitCode::kPass);
}

// Node tests beside them have their say.
TEST(NegativeRecord, ModelsBesideNodeTests_ExitByThese) {
  RunInfo run = ExampleRun();
  run.selection.cells = 0;
  const auto code = [&](NodeVerdict verdict) {
    return ExitCodeFor(
        *BuildReport(run, {}, {ExampleNodeTest("a", verdict)}, true, Examples()), false);
  };
  EXPECT_EQ(code(NodeVerdict::kPass), ExitCode::kPass);
  EXPECT_EQ(code(NodeVerdict::kDeviates), ExitCode::kDeviation);
  EXPECT_EQ(code(NodeVerdict::kError), ExitCode::kIncomplete);
}

TEST(NegativeRecord, Deviation_IsNoKnownDifference) {
  std::vector<NegativeRecord> records = Examples();
  EXPECT_EQ(ExitCodeFor(WithNegative(records), KnownOutcome(), false), ExitCode::kPass);
  records[0].result = NegativeResult::kDeviates;
  EXPECT_EQ(ExitCodeFor(WithNegative(records), KnownOutcome(), true),
            ExitCode::kDeviation);
}

// The exit code is 1 then: every output has to say why.
TEST(NegativeRecord, WhatDeviates_IsNamedInEveryOutput) {
  std::vector<NegativeRecord> records = Examples();
  EXPECT_THAT(MarkdownText(WithNegative(records), nullptr),
              HasSubstr("Negative models: 1 lax, 1 refused, 1 pass, of 3."));
  EXPECT_EQ(JUnitText(WithNegative(records), nullptr).find("<error"), std::string::npos);
  records[0].result = NegativeResult::kCrashed;
  records[0].text = "died by signal <11>";
  const Report report = WithNegative(records);
  EXPECT_THAT(DetailedSummaryText(report, {}),
              HasSubstr("negative model " + records[0].id + "\n  crashed"));
  EXPECT_THAT(DetailedSummaryText(report, {}),
              HasSubstr("\n  rerun: qconform replay " + records[0].id +
                        " --backend simd:AVX2\n"));
  const std::string markdown = MarkdownText(report, nullptr);
  EXPECT_THAT(markdown, HasSubstr(": 1 negative model deviates\n"));
  EXPECT_THAT(markdown, HasSubstr(": crashed, died by signal &lt;11&gt;\n"));
  const std::string xml = JUnitText(report, nullptr);
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"negative_models\""));
  EXPECT_THAT(xml, HasSubstr("type=\"crashed\" message=\"crashed, " + records[0].clause +
                             ": died by signal &lt;11&gt;\""));
  EXPECT_THAT(HtmlText(report), HasSubstr("died by signal \\u003c11>"));
  records[0].result = NegativeResult::kDeviates;
  EXPECT_THAT(JUnitText(WithNegative(records), nullptr),
              HasSubstr("<failure type=\"deviates\""));
}

TEST(NegativeRecord, LineThatRerunsIt_HasTheRunsBackend) {
  std::vector<NegativeRecord> records = Examples();
  records[0].result = NegativeResult::kTimedOut;
  Report report = WithNegative(records);
  report.run.command_line = {"qconform",
                             "run",
                             "--isolate",
                             "--level",
                             "smoke",
                             "--backend=process:it's mine",
                             "--backend-option",
                             "a=b",
                             "--timeout-per-case",
                             "2"};
  EXPECT_THAT(DetailedSummaryText(report, {}),
              HasSubstr("rerun: qconform replay " + records[0].id +
                        " --isolate --backend 'process:it'\\''s mine' "
                        "--backend-option a=b --timeout-per-case 2\n"));
}

TEST(NegativeRecord, Summary_CountsThemInOneLine) {
  EXPECT_THAT(NegativeCounts(Examples()), ElementsAre("1 lax", "1 refused", "1 pass"));
  EXPECT_THAT(DetailedSummaryText(WithNegative(Examples()), {}),
              HasSubstr("\nnegative models 1 lax, 1 refused, 1 pass, of 3\n"));
  EXPECT_EQ(DetailedSummaryText(WithNegative({}), {}).find("negative"),
            std::string::npos);
}

}  // namespace
}  // namespace qconform
