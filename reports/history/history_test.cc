#include "reports/history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/history/compact.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Cells of one finding: they differ in their granularity only.
CellRecord CellOfInt8(std::string_view granularity, Verdict verdict) {
  return ExampleCell("QuantizeLinear", 21,
                     {DataType::kFloat, DataType::kFloat, DataType::kInt8}, granularity,
                     verdict);
}

NamedCompact ReleaseOf(const std::string& version, std::vector<CellRecord> cells,
                       RunInfo run = ExampleRun(), bool finished = true) {
  run.backend.version = version;
  run.selection.cells = static_cast<int64_t>(cells.size());
  const Report report = *BuildReport(run, std::move(cells), {}, finished);
  return {version + ".json", *Compacted(report, version)};
}

NamedCompact ReleaseWith(const std::string& version, Verdict per_tensor,
                         Verdict per_axis) {
  return ReleaseOf(
      version, {CellOfInt8("per_tensor", per_tensor), CellOfInt8("per_axis", per_axis)});
}

constexpr const char* kTiesAway =
    "QuantizeLinear/since_10/QL-10/ties_away/float32-integer";

TEST(Compact, Report_IsReadAsWritten) {
  const CompactReport compact = *Compacted(ExampleReport(), "example");
  const std::string text = CompactText(compact);
  EXPECT_TRUE(IsCompactText(text));
  const auto again = ParseCompact(text, "text");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, compact);
  EXPECT_THAT(again->rows, SizeIs(ExampleReport().cells.size()));
  size_t with_finding = 0;
  for (const CompactRow& row : again->rows) with_finding += row.findings.size();
  size_t expected = 0;
  for (const FindingRecord& finding : ExampleReport().findings) {
    expected += finding.cells.size();
  }
  EXPECT_EQ(with_finding, expected);
  EXPECT_GT(expected, 0u);
  EXPECT_EQ(SchemaViolations(CompactReportSchema(), text), "");
  EXPECT_NE(SchemaViolations(CompactReportSchema(), "{}"), "");
}

TEST(Compact, WholeLattice_TakesLessThan100KB) {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells = WholeLattice(Verdict::kNonconformant);
  run.selection.cells = static_cast<int64_t>(cells.size());
  const size_t count = cells.size();
  const Report report = *BuildReport(run, std::move(cells), {}, true);
  const std::string text = CompactText(*Compacted(report, "report"));
  EXPECT_LT(text.size(), 100'000u);
  EXPECT_THAT(ParseCompact(text, "text")->rows, SizeIs(count));
}

TEST(Compact, NumberThatNamesNothing_IsAnError) {
  const std::string text = CompactText(*Compacted(ExampleReport(), "example"));
  for (const auto& [from, to] :
       {std::pair{"\"shapes\":[[0,", "\"shapes\":[[99,"},
        std::pair{"\"findings\":[0]", "\"findings\":[99]"},
        std::pair{"\"QuantizeLinear/21\":[0,", "\"QuantizeLinear/21\":[99,"}}) {
    std::string broken = text;
    const size_t place = broken.find(from);
    ASSERT_NE(place, broken.npos) << from;
    broken.replace(place, std::string_view(from).size(), to);
    const auto read = ParseCompact(broken, "f.json");
    ASSERT_FALSE(read.ok()) << from;
    EXPECT_THAT(read.error().message, HasSubstr("f.json: expected "));
  }
}

TEST(Compact, CellTwice_IsAnError) {
  std::string text =
      CompactText(ReleaseWith("1.0", Verdict::kConformant, Verdict::kConformant).report);
  const std::string cells = "\"QuantizeLinear/21\":[0,0]";
  const size_t place = text.find(cells);
  ASSERT_NE(place, text.npos) << text;
  text.replace(place, cells.size(), "\"QuantizeLinear/21\":[0,0,0,0]");
  EXPECT_THAT(ParseCompact(text, "f.json").error().message,
              HasSubstr("f.json: expected each cell once"));
}

TEST(Compact, ReportOnAModel_IsAnError) {
  Report report = ExampleReport();
  report.run.selection.model = ModelRecord{"m.onnx", std::string(64, 'a')};
  EXPECT_THAT(Compacted(report, "m.json").error().message,
              HasSubstr("m.json: expected a report on cells"));
}

TEST(History, Finding_AppearsGrowsAndDisappears) {
  using enum Verdict;
  // Not in the order of the versions.
  const auto history = MakeHistory({ReleaseWith("1.10.0", kConformant, kConformant),
                                    ReleaseWith("1.8.0", kConformant, kUnsupported),
                                    ReleaseWith("1.9.1", kNonconformant, kNonconformant),
                                    ReleaseWith("1.9.0", kNonconformant, kUnsupported)});
  ASSERT_TRUE(history.ok()) << history.error().message;
  std::vector<std::string> versions;
  for (const HistoryRelease& one : history->releases) versions.push_back(one.version);
  EXPECT_THAT(versions, ElementsAre("1.8.0", "1.9.0", "1.9.1", "1.10.0"));
  ASSERT_THAT(history->findings, SizeIs(1));
  EXPECT_EQ(history->findings[0].finding, kTiesAway);
  EXPECT_THAT(history->findings[0].cells, ElementsAre(0, 1, 2, 0));
  EXPECT_EQ(ReleasesWith(*history, history->findings[0]), "1.9.0 to 1.9.1");
  EXPECT_TRUE(history->comparable());
  const std::string text = HistoryText(*history);
  EXPECT_THAT(text, HasSubstr("1 finding: 0 in 1.10.0, 1 no longer"));
  EXPECT_THAT(text, HasSubstr("1.9.0    new: cells 0 -> 1; of its cells 1 regressed\n"));
  EXPECT_THAT(text, HasSubstr("1.9.1    worse: cells 1 -> 2; of its cells 1 newly "
                              "supported, wrong\n"));
  EXPECT_THAT(text, HasSubstr("1.10.0   fixed wholly: cells 2 -> 0; of its cells 2 "
                              "fixed\n"));
}

TEST(History, DeclinedFinding_IsGoneAndNotFixed) {
  using enum Verdict;
  const auto history = MakeHistory({ReleaseWith("1", kNonconformant, kConformant),
                                    ReleaseWith("2", kUnsupported, kConformant)});
  ASSERT_TRUE(history.ok());
  const std::string text = HistoryText(*history);
  EXPECT_THAT(text, HasSubstr("gone: cells 1 -> 0; of its cells 1 no longer supported"));
  EXPECT_THAT(text, Not(HasSubstr("fixed")));
}

// Whether the answers are the same, a compact report does not tell.
TEST(History, OtherDiagnosis_IsRenamed) {
  CellRecord named = CellOfInt8("per_tensor", Verdict::kNonconformant);
  CellRecord unnamed = named;
  unnamed.diagnosis.clear();
  unnamed.deviation.reset();
  const auto history = MakeHistory({ReleaseOf("1", {unnamed}), ReleaseOf("2", {named})});
  ASSERT_TRUE(history.ok());
  EXPECT_THAT(HistoryText(*history), HasSubstr("renamed: cells 1 -> 0; now "));
  EXPECT_THAT(HistoryMarkdown(*history), HasSubstr("**2**"));
}

TEST(History, AnotherLevelOrCpu_IsSaidAndNotComparable) {
  RunInfo other = ExampleRun();
  other.suite.level = "smoke";
  other.machine.cpu_features = {"avx2"};
  const auto cell = CellOfInt8("per_tensor", Verdict::kConformant);
  const auto history =
      MakeHistory({ReleaseOf("1", {cell}), ReleaseOf("2", {cell}, other)});
  ASSERT_TRUE(history.ok());
  EXPECT_FALSE(history->comparable());
  EXPECT_THAT(HistoryText(*history), HasSubstr("in 2: suite.level was standard, is "));
  EXPECT_THAT(HistoryText(*history), HasSubstr("in 2: features of the CPU was "));
  EXPECT_THAT(HistoryJson(*history), HasSubstr("\"comparable\":"));
  EXPECT_EQ(SchemaViolations(HistorySchema(), HistoryJson(*history)), "");
}

TEST(History, PartsOfARelease_AreOne) {
  const auto per_tensor = CellOfInt8("per_tensor", Verdict::kNonconformant);
  const auto per_axis = CellOfInt8("per_axis", Verdict::kNonconformant);
  const auto history =
      MakeHistory({ReleaseOf("1", {per_tensor}), ReleaseOf("1", {per_axis}),
                   ReleaseOf("2", {per_tensor, per_axis})});
  ASSERT_TRUE(history.ok());
  EXPECT_THAT(history->releases, SizeIs(2));
  EXPECT_THAT(history->findings[0].cells, ElementsAre(2, 2));
  EXPECT_THAT(history->releases[1].changes, IsEmpty());
}

TEST(History, CellTwiceAnotherBackendOrOneRelease_IsAnError) {
  const auto cell = CellOfInt8("per_tensor", Verdict::kConformant);
  EXPECT_THAT(
      MakeHistory({ReleaseOf("1", {cell}), ReleaseOf("1", {cell})}).error().message,
      HasSubstr("1.json: expected each cell of a release once"));
  RunInfo other = ExampleRun();
  other.backend.name = "another";
  EXPECT_THAT(MakeHistory({ReleaseOf("1", {cell}), ReleaseOf("2", {cell}, other)})
                  .error()
                  .message,
              HasSubstr("2.json: expected a report of 'simd:AVX2', as 1.json, got one of "
                        "'another'"));
  EXPECT_THAT(MakeHistory({ReleaseOf("1", {cell})}).error().message,
              HasSubstr("expected reports of two releases at least, got one, 1"));
}

TEST(History, HostileNames_StayOnTheirLines) {
  CellRecord cell = CellOfInt8("per_tensor", Verdict::kNonconformant);
  cell.diagnosis = "a|b\n# c <script>";
  RunInfo run = ExampleRun();
  run.backend.name = "x\n\x1b[31m|<script>";
  const auto history =
      MakeHistory({ReleaseOf("1\n|", {cell}, run), ReleaseOf("2", {cell}, run)});
  ASSERT_TRUE(history.ok());
  for (const std::string& text : {HistoryText(*history), HistoryMarkdown(*history)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\n# c")));
  }
  // The name is escaped, and the finding is in a span of code.
  EXPECT_THAT(HistoryMarkdown(*history),
              AllOf(HasSubstr("\\|&lt;script&gt;"), HasSubstr("a\\|b # c <script>/")));
}

TEST(History, Worker_IsCalledByWhatItServes) {
  RunInfo here = ExampleRun();
  here.backend.name = "process:python3 -m qconform_worker onnx.reference";
  here.backend.details["worker"] = "onnx.reference";
  RunInfo there = here;
  there.backend.name = "process:env python3 -m qconform_worker onnx.reference";
  const auto cell = CellOfInt8("per_tensor", Verdict::kConformant);
  const auto history =
      MakeHistory({ReleaseOf("1", {cell}, here), ReleaseOf("2", {cell}, there)});
  ASSERT_TRUE(history.ok()) << history.error().message;
  EXPECT_EQ(history->backend, "onnx.reference");
}

TEST(History, Versions_AreOrderedByTheirNumbers) {
  EXPECT_TRUE(IsEarlierVersion("1.9", "1.10"));
  EXPECT_FALSE(IsEarlierVersion("1.10", "1.9"));
  EXPECT_TRUE(IsEarlierVersion("1.10", "1.10.1"));
  EXPECT_TRUE(IsEarlierVersion("1.10.0", "1.10.0-rc1"));
  EXPECT_FALSE(IsEarlierVersion("1.10", "1.10"));
}

}  // namespace
}  // namespace qconform
