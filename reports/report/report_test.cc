#include "reports/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "oracle/base/file.h"
#include "oracle/base/sha256.h"
#include "reports/diff/known_differences.h"
#include "reports/show/csv.h"
#include "reports/show/html.h"
#include "reports/show/junit.h"
#include "reports/show/markdown.h"
#include "reports/show/summary/summary.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string ReadErrorOf(const std::string& text) {
  const Result<Report> report = ParseReport(text, "report.json");
  return report ? "no error" : report.error().message;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

// The same text with the digest that its results have now.
std::string Redigested(std::string text) {
  const size_t begin = text.find("\"results\":") + 10;
  const size_t end = text.find(",\n\"run\":", begin);
  const std::string results = text.substr(begin, end - begin);
  const std::string digest = Sha256Hex(results);
  const size_t place = text.find("\"results_digest\":\"") + 18;
  return text.replace(place, 64, digest);
}

TEST(Report, ComesBackWholeFromItsText) {
  const Report report = ExampleReport();
  const std::string text = ReportText(report);
  const Result<Report> read = ParseReport(text, "report.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->run, report.run);
  EXPECT_EQ(read->cells, report.cells);
  EXPECT_EQ(read->node_tests, report.node_tests);
  EXPECT_EQ(read->totals, report.totals);
  EXPECT_EQ(read->complete, report.complete);
  EXPECT_EQ(ReportText(*read), text);
}

TEST(Report, Bytes_DoNotDependOnTheOrderOfRecords) {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells = WholeLattice(Verdict::kConformant);
  run.selection.cells = static_cast<int64_t>(cells.size());
  std::vector<NodeTestRecord> tests = {ExampleNodeTest("b", NodeVerdict::kPass),
                                       ExampleNodeTest("a", NodeVerdict::kPass)};
  const Result<Report> first = BuildReport(run, cells, tests, true);
  ASSERT_TRUE(first) << first.error().message;
  std::shuffle(cells.begin(), cells.end(), std::mt19937(1));
  std::reverse(tests.begin(), tests.end());
  const Result<Report> second = BuildReport(run, cells, tests, true);
  ASSERT_TRUE(second);
  EXPECT_EQ(ReportText(*first), ReportText(*second));
  EXPECT_EQ(first->cells.front().cell, "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor");
  EXPECT_EQ(first->cells.back().op_type, "QLinearMatMul");
}

TEST(Report, Digest_IsOfTheResultsAloneAndOfTheBytesInTheFile) {
  const Report report = ExampleReport();
  RunInfo run = report.run;
  run.tool.commit = "another";
  run.machine.cores = 64;
  run.command_line = {"other"};
  run.start_time = "2027-01-01T00:00:00Z";
  run.duration_s = 99;
  run.jobs = 7;
  run.backend.digest.clear();
  run.backend.details.clear();
  std::vector<CellRecord> cells = report.cells;
  for (CellRecord& cell : cells) cell.time_ms += 3;
  const Result<Report> again = BuildReport(run, cells, report.node_tests, true);
  EXPECT_EQ(again->results_digest, report.results_digest);
  EXPECT_NE(ReportText(*again), ReportText(report));
  EXPECT_EQ(Redigested(ReportText(report)), ReportText(report));

  cells[0].cases += 1;
  EXPECT_NE(BuildReport(run, cells, report.node_tests, true)->results_digest,
            report.results_digest);
}

TEST(Report, OneLinePerCell) {
  const Report report = ExampleReport();
  const std::string text = ReportText(report);
  for (const CellRecord& cell : report.cells) {
    const size_t place = text.find("\n{\"cell\":\"" + cell.cell + "\"");
    ASSERT_NE(place, std::string::npos) << cell.cell;
    const std::string line =
        text.substr(place + 1, text.find('\n', place + 1) - place - 1);
    EXPECT_TRUE(line.ends_with("}") || line.ends_with("},")) << line;
  }
}

TEST(Report, MissingRowsOrAnEndThatWasNotReached_AreNotComplete) {
  const Report report = ExampleReport();
  std::vector<CellRecord> cells = report.cells;
  EXPECT_TRUE(report.complete);
  const Report cut = *BuildReport(report.run, cells, {}, false);
  EXPECT_FALSE(cut.complete);
  EXPECT_FALSE(ParseReport(ReportText(cut), "r.json")->complete);
  cells.pop_back();
  EXPECT_FALSE(BuildReport(report.run, cells, {}, true)->complete);
}

TEST(Report, CellsTwiceOrTooMany_AreRefusedByName) {
  const Report report = ExampleReport();
  std::vector<CellRecord> cells = report.cells;
  cells.back() = cells.front();
  EXPECT_THAT(BuildReport(report.run, cells, {}, true).error().message,
              HasSubstr(cells.front().cell + ": expected one row, got two"));
  RunInfo run = report.run;
  run.selection.cells = 3;
  EXPECT_THAT(BuildReport(run, report.cells, {}, true).error().message,
              HasSubstr("expected at most the 3 cells of the selection, got 14"));
  // Of one release; another one has tests of the same names.
  std::vector<NodeTestRecord> tests = {ExampleNodeTest("a", NodeVerdict::kPass),
                                       ExampleNodeTest("a", NodeVerdict::kPass)};
  EXPECT_THAT(BuildReport(report.run, report.cells, tests, true).error().message,
              HasSubstr("the node test a of 1.20.0: expected one row, got two"));
  tests[1].release = "1.21.0";
  EXPECT_TRUE(BuildReport(report.run, report.cells, tests, true));
}

TEST(Report, Journal_GivesTheSameReportAsItsRecords) {
  const TemporaryDirectory directory;
  const Report report = ExampleReport();
  Result<JournalWriter> writer =
      JournalWriter::Create(directory / "run.jsonl", report.run);
  ASSERT_TRUE(writer);
  for (const NodeTestRecord& test : report.node_tests) ASSERT_TRUE(writer->Append(test));
  for (auto cell = report.cells.rbegin(); cell != report.cells.rend(); ++cell) {
    ASSERT_TRUE(writer->Append(*cell));
  }
  const Result<Report> unfinished = BuildReport(*ReadJournal(directory / "run.jsonl"));
  EXPECT_FALSE(unfinished->complete);
  ASSERT_TRUE(writer->Finish(report.run.duration_s));
  EXPECT_EQ(ReportText(*BuildReport(*ReadJournal(directory / "run.jsonl"))),
            ReportText(report));
}

TEST(Report, TextsOfBackends_AreKeptShortAndValid) {
  Report report = ExampleReport();
  report.cells[0].reason = std::string(5000, 'x');
  report.cells[1].reason = "broken \xff\xfe bytes, a \"quote\"\n and \x01";
  const Result<Report> built = BuildReport(report.run, report.cells, {}, true);
  const Result<Report> read = ParseReport(ReportText(*built), "report.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->cells, built->cells);
  EXPECT_EQ(read->cells[0].reason.size(), 1000u);
  EXPECT_EQ(BuildReport(read->run, read->cells, {}, true)->results_digest,
            built->results_digest);
  EXPECT_THAT(read->cells[1].reason, HasSubstr("bytes, a \"quote\"\n and \x01"));
}

TEST(ReadReport, OtherDocuments_AreRefusedClearly) {
  EXPECT_THAT(ReadErrorOf(""), AllOf(HasSubstr("report.json"),
                                     HasSubstr("expected a JSON document, got nothing")));
  EXPECT_THAT(ReadErrorOf("{"), HasSubstr("expected a JSON document"));
  EXPECT_THAT(ReadErrorOf("[]"), HasSubstr("expected a report"));
  EXPECT_THAT(ReadErrorOf("{\"version\":1}"), HasSubstr("expected a report"));
  EXPECT_THAT(ReadErrorOf("{\"report_version\":\"3.1.0\"}"),
              AllOf(HasSubstr("version \"3.1.0\""),
                    HasSubstr("expected a report of version 1.x.y or 2.x.y")));
  EXPECT_THAT(ReadErrorOf("{\"report_version\":\"1.0.0\"}"),
              HasSubstr("results_digest: expected a string, got nothing"));
  EXPECT_THAT(ReadErrorOf("{\"journal_version\":\"1.0.0\"}\n{}"),
              HasSubstr("expected a report, got the journal of a run"));
  EXPECT_THAT(ReadReport("/nonexistent/report.json").error().message,
              HasSubstr("/nonexistent/report.json"));
}

TEST(ReadReport, ReadingThatTheOthersFollow_IsRead) {
  std::string text = ReportText(ExampleReport());
  text = Replaced(text, "\"deviation\":{",
                  "\"deviation\":{\"follows\":\"QL-04:f32_quotient\",");
  const auto report = ParseReport(Redigested(text), "report.json");
  ASSERT_TRUE(report) << report.error().message;
  int found = 0;
  for (const CellRecord& cell : report->cells) {
    found += cell.deviation && cell.deviation->follows == "QL-04:f32_quotient" ? 1 : 0;
  }
  EXPECT_GT(found, 0);
  EXPECT_THAT(ReportText(*report), HasSubstr("\"follows\":\"QL-04:f32_quotient\""));
}

TEST(ReadReport, LaterMinorVersionWithNewFields_IsRead) {
  std::string text = ReportText(ExampleReport());
  text = Replaced(text, "\"" + std::string(kReportVersion) + "\"", "\"2.2.0\"");
  text = Replaced(text, "\"complete\":true,", "\"complete\":true,\n\"news\":[1,2],");
  text = Replaced(text, "{\"cell\":", "{\"news\":{\"a\":1},\"cell\":");
  text = Replaced(text, "\"totals\":{", "\"totals\":{\n\"news\":7,");
  EXPECT_EQ(ReadErrorOf(Redigested(text)), "no error");
}

// Version 2.x may bring verdicts: one that is not known here is kept and shown by its
// name, is not a pass, and accuses nobody.
TEST(ReadReport, VerdictOfALaterMinorVersion_IsKeptByItsName) {
  CellRecord cell = ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, DataType::kInt4},
                                "per_tensor", Verdict::kConformant);
  const Verdict later = *VerdictOfLaterVersion("refused_somehow");
  cell.verdict = later;
  for (OpsetRecord& opset : cell.opset_versions) opset.verdict = later;
  for (FormRecord& form : cell.forms) {
    for (TierRecord& tier : form.tiers) tier.verdict = later;
  }
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  std::string text = ReportText(*BuildReport(run, {cell}, {}, true));
  EXPECT_THAT(ReadErrorOf(text), HasSubstr("verdict: expected one of crashed,"))
      << "the words of 2.1 are a closed list";
  text = Replaced(text, "\"" + std::string(kReportVersion) + "\"", "\"2.2.0\"");
  // A later writer counts its other verdicts, too.
  text = Replaced(text, "\"conformant\":0}", "\"another_word\":0,\"conformant\":0}");
  text = Redigested(text);
  const auto report = ParseReport(text, "later.json");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->cells[0].verdict, later);
  EXPECT_EQ(report->totals.cells.unknown(), 1);
  EXPECT_EQ(ExitCodeFor(*report, true), ExitCode::kIncomplete);
  EXPECT_THAT(DetailedSummaryText(*report, {}), HasSubstr("\nrefused_somehow"));
  EXPECT_THAT(MarkdownText(*report, nullptr), HasSubstr("refused\\_somehow"));
  EXPECT_THAT(CsvText(*report, nullptr), HasSubstr(",refused_somehow,"));
  EXPECT_THAT(HtmlText(*report, {}), HasSubstr("\"error\",\n\"refused_somehow\","));
  EXPECT_THAT(JUnitText(*report, nullptr), HasSubstr("type=\"refused_somehow\""));
  EXPECT_THAT(
      ReadErrorOf(Redigested(Replaced(text, "\"refused_somehow\":1", "\"other\":1"))),
      HasSubstr("does not agree with the rows"));
  EXPECT_THAT(ReadErrorOf(Redigested(Replaced(text, "\"verdict\":\"refused_somehow\"",
                                              "\"verdict\":\"No word\""))),
              HasSubstr("conformant, got \"No word\""));
}

// Reports of 1.x are written again as they stood. This one is of 1.2.
TEST(ReadReport, Packed_IsTheSameReport) {
  for (const Report& report :
       {ExampleReport(), *BuildReport(ExampleRun(), {}, {}, false)}) {
    const std::string packed = PackedReportText(report);
    const auto read = ParseReport(packed, "packed.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(ReportText(*read), ReportText(report));
    EXPECT_EQ(PackedReportText(*read), packed);
  }
}

TEST(ReadReport, PackedThatWasChanged_IsRefused) {
  const std::string packed = PackedReportText(ExampleReport());
  EXPECT_THAT(
      ReadErrorOf(Replaced(packed, "\"1.0.0\",\n\"shapes\"", "\"2.0.0\",\n\"shapes\"")),
      HasSubstr("expected a packed report of version 1.x.y, got version \"2.0.0\""));
  EXPECT_THAT(ReadErrorOf(Replaced(packed, "\"1.0.0\",\n\"shapes\"", "1,\n\"shapes\"")),
              HasSubstr("expected a packed report of version 1.x.y, got version \"1\""));
  EXPECT_THAT(ReadErrorOf(Replaced(packed, "\"values\"", "\"other\"")),
              HasSubstr("expected arrays"));
  EXPECT_THAT(ReadErrorOf(Replaced(packed, "\"standard\"", "\"smoke\"")),
              HasSubstr("the file was changed after it was written"));
}

TEST(ReadReport, Version1_ComesBackByteByByte) {
  const std::string path = std::string(QCONFORM_SOURCE_DIR) +
                           "/reports/published/"
                           "onnxruntime/1.30/no-vnni.QLinearMatMul.json";
  const auto text = ReadFile(path);
  ASSERT_TRUE(text);
  const auto report = ParseReport(*text, path);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(MajorVersion(*report), 1);
  EXPECT_EQ(SchemaViolations(ReportSchema1(), ReportText(*report)), "");
  EXPECT_NE(SchemaViolations(ReportSchema(), ReportText(*report)), "");
}

// Version 1.0 had observations and diagnoses as notes.
TEST(ReadReport, NotesOfVersion1_0_BecomeObservations) {
  Report example = ExampleReport();
  std::erase_if(example.cells,
                [](const CellRecord& cell) { return cell.verdict == Verdict::kFailed; });
  RunInfo run = example.run;
  run.selection.cells = static_cast<int64_t>(example.cells.size());
  std::string text =
      ReportText(*BuildReport(run, example.cells, example.node_tests, true, {}, "1.0.0"));
  text = Replaced(text, "\"free\":12,",
                  "\"free\":12,\"notes\":[\"QL-51 unused bits of the last byte: zero, "
                  "unstable\",\"no named model explains this\"],");
  text = Replaced(text, "\"unspecified\":", "\"before\":");
  const auto report = ParseReport(Redigested(text), "old.json");
  ASSERT_TRUE(report) << report.error().message;
  int found = 0;
  for (const CellRecord& cell : report->cells) {
    if (cell.notes.empty()) continue;
    EXPECT_EQ(cell.notes, std::vector<std::string>{"no named model explains this"});
    for (const Observation& one : cell.observed) {
      if (one.clause != "QL-51") continue;
      EXPECT_EQ(one,
                (Observation{
                    "QL-51", "unused bits of the last byte", {"zero"}, {"alignment"}}));
      ++found;
    }
  }
  EXPECT_EQ(found, 1);
}

// Later versions have fields for both, so their notes stay, whatever they begin with.
TEST(ReadReport, NotesOfLaterVersions_StayNotes) {
  for (const char* version : {"1.1.0", "2.0.0"}) {
    const std::string note = "UTF-8 names: none";
    Report example = ExampleReport();
    std::erase_if(example.cells, [](const CellRecord& cell) {
      return cell.verdict == Verdict::kFailed;
    });
    RunInfo run = example.run;
    run.selection.cells = static_cast<int64_t>(example.cells.size());
    std::string text = ReportText(
        *BuildReport(run, example.cells, example.node_tests, true, {}, version));
    text = Replaced(text, "\"free\":12,", "\"free\":12,\"notes\":[\"" + note + "\"],");
    if (version[0] == '1') text = Replaced(text, "\"unspecified\":", "\"before\":");
    const auto report = ParseReport(Redigested(text), "later.json");
    ASSERT_TRUE(report) << report.error().message;
    int found = 0;
    for (const CellRecord& cell : report->cells) {
      found += cell.notes == std::vector<std::string>{note} ? 1 : 0;
    }
    EXPECT_EQ(found, 1) << version;
  }
}

TEST(ReadReport, Published_IsRead) {
  const auto report = ReadReport(std::string(QCONFORM_SOURCE_DIR) +
                                 "/reports/published/"
                                 "onnxruntime/1.30/default.QLinearMatMul.json");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->cells.size(), 2624u);
  EXPECT_FALSE(report->totals.unspecified.empty());
}

// Rules of what is mixed belong to a version: reports of earlier ones are read all the
// same.
TEST(ReadReport, OtherMixedReadings_AreAnErrorSince13) {
  Report report = ExampleReport();
  report.report_version = "1.3.0";
  report.totals.mixed_readings = {{.op_type = "QuantizeLinear",
                                   .since_version = 21,
                                   .clause = "QL-06",
                                   .readings = {{"canonical", 1}},
                                   .cells = {{"canonical", report.cells[0].cell}}}};
  const std::string text = ReportText(report);
  EXPECT_THAT(ReadErrorOf(Redigested(text)), HasSubstr("mixed_readings"));
  const std::string older =
      Replaced(text, "\"report_version\":\"1.3.0\"", "\"report_version\":\"1.2.0\"");
  EXPECT_EQ(ReadErrorOf(Redigested(older)), "no error");
}

TEST(ReadReport, ReadingsThatCannotBeRead_AreAnErrorOfTheirCell) {
  const std::string text =
      Replaced(ReportText(ExampleReport()), "\"reading\":\"QL-04:", "\"reading\":\"");
  EXPECT_THAT(ReadErrorOf(Redigested(text)),
              AllOf(HasSubstr("/per_"), HasSubstr("reading 'f32_quotient'"),
                    HasSubstr("expected CLAUSE:NAME")));
  CellRecord cell = ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                                "per_tensor", Verdict::kAdmissible);
  cell.reading = "regular: nothing";
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const auto report = BuildReport(run, {cell}, {}, true);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().message, HasSubstr(cell.cell + ": reading 'nothing'"));
}

TEST(ReadReport, Reformatted_StillHasItsDigest) {
  std::string text = ReportText(ExampleReport());
  text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
  EXPECT_EQ(ReadErrorOf(text), "no error");
}

TEST(ReadReport, AnyChangeOfTheResults_IsFound) {
  const std::string text = ReportText(ExampleReport());
  const auto changes = std::vector<std::pair<std::string, std::string>>{
      {"\"verdict\":\"nonconformant\"", "\"verdict\":\"conformant\""},
      {"\"cases\":64", "\"cases\":65"},
      {"\"seed\":1", "\"seed\":2"},
      {"simd:AVX2", "simd:AVX3"}};
  for (const auto& [from, to] : changes) {
    EXPECT_THAT(ReadErrorOf(Replaced(text, from, to)), HasSubstr("the file was changed"))
        << from;
  }
}

TEST(ReadReport, WrongTotalsUnderARightDigest_AreFound) {
  std::string text = ReportText(ExampleReport());
  text = Redigested(
      Replaced(text, "\"verdict\":\"nonconformant\"", "\"verdict\":\"conformant\""));
  EXPECT_THAT(ReadErrorOf(text), HasSubstr("does not agree with the rows"));
  text = Redigested(Replaced(ReportText(ExampleReport()), "\"totals\":{\n\"cells\"",
                             "\"totals\":{\n\"cell\""));
  EXPECT_THAT(ReadErrorOf(text),
              HasSubstr("totals.cells: expected an object, got nothing"));
}

struct Mistake {
  const char* from;
  const char* to;
  const char* words;
};

TEST(ReadReport, WrongFields_AreNamedWithWhatIsRight) {
  const std::string text = ReportText(ExampleReport());
  const std::vector<Mistake> mistakes = {
      {"\"verdict\":\"crashed\"", "\"verdict\":\"bad\"",
       "verdict: expected one of crashed, "},
      {"\"cases\":64,", "\"cases\":-1,",
       "cells[0].cases: expected an integer from 0 up, got -1"},
      {"\"cases\":64,", "\"cases\":6.5,",
       "cells[0].cases: expected an integer from 0 up, got 6.5"},
      {"\"cases\":64,", "", "cases: expected an integer from 0 up, got nothing"},
      {"\"op_type\":\"QuantizeLinear\",\"since_version\":21,\"types\":[\"FLOAT\"",
       "\"op_type\":\"QuantizeLinear\",\"since_version\":21,\"types\":[\"FLOAT32\"",
       "types[0]: expected a name of ONNX's TensorProto.DataType, got \"FLOAT32\""},
      {"\"complete\":true", "\"complete\":1",
       "results.complete: expected true or false, got 1"},
      {"\"jobs\":2", "\"jobs\":\"2\"",
       "run.jobs: expected an integer from 0 to 2147483647, got \"2\""},
      {"\"cell_times_ms\":[", "\"cell_times_ms\":[1,",
       "expected one number for each of 14 cells, got 15"},
      {"\"free\":", "\"cases\":1,\"free\":", "got \"cases\" twice"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_THAT(ReadErrorOf(Redigested(Replaced(text, mistake.from, mistake.to))),
                HasSubstr(mistake.words));
  }
}

TEST(ReadReport, OddVersions_AreNone) {
  const std::string text = ReportText(ExampleReport());
  for (const char* version : {"1.1", "1.1.1.1", "1.1.0 ", "1.1.0-rc1", "1.01.0"}) {
    EXPECT_THAT(ReadErrorOf(Replaced(text, "\"" + std::string(kReportVersion) + "\"",
                                     "\"" + std::string(version) + "\"")),
                HasSubstr("version \"" + std::string(version) + "\""));
  }
}

TEST(ReadReport, ZeroByteAndMore_IsNoDocument) {
  const std::string text = ReportText(ExampleReport());
  EXPECT_THAT(ReadErrorOf(text + '\0' + "garbage"),
              HasSubstr("expected text without the byte 0, got one as byte " +
                        std::to_string(text.size())));
}

// What shows a wrong value would call itself for each bracket.
TEST(ReadReport, DeeplyNested_IsNoDocument) {
  for (const char* bracket : {"[", "{\"cells\":"}) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += bracket;
    EXPECT_THAT(ReadErrorOf(text), HasSubstr("expected at most 64 levels of nesting"));
  }
}

TEST(ReadReport, CompleteWithRowsMissing_IsFound) {
  Report report = ExampleReport();
  report.run.selection.cells += 1;
  report.totals.selected += 1;
  EXPECT_THAT(ReadErrorOf(Redigested(ReportText(report))),
              HasSubstr("says that it is complete"));
}

TEST(WriteReport, FailedWrite_LeavesTheOldReport) {
  const TemporaryDirectory directory;
  const Report report = ExampleReport();
  ASSERT_TRUE(WriteReport(directory / "report.json", report));
  EXPECT_FALSE(WriteReport(directory / "report.json/deeper", report));
  EXPECT_FALSE(WriteReport("/dev/full", report));
  ASSERT_TRUE(ReadReport(directory / "report.json"));
}

TEST(ExitCodeFor, Report_IsThatOfItsTotals) {
  Report report = ExampleReport();
  EXPECT_EQ(ExitCodeFor(report, true), ExitCode::kDeviation);
  report = *BuildReport(report.run, {}, {}, false);
  EXPECT_EQ(ExitCodeFor(report, true), ExitCode::kIncomplete);
}

TEST(ExitCodeFor, ReportOfAShardToWhichNothingFell_IsAPass) {
  RunInfo run = ExampleRun();
  run.selection.cells = 4;
  run.selection.shard = ShardRecord{4, 5, 0};
  const Report empty = *BuildReport(run, {}, {}, true);
  EXPECT_EQ(ExitCodeFor(empty, false), ExitCode::kPass);
  EXPECT_EQ(ExitCodeFor(empty, KnownOutcome(), false), ExitCode::kPass);
  // Node tests and negative models that fell to it have their say.
  const std::vector<NodeTestRecord> tests{
      ExampleNodeTest("a", NodeVerdict::kUnsupported)};
  EXPECT_EQ(ExitCodeFor(*BuildReport(run, {}, tests, true), false),
            ExitCode::kNothingSupported);
  const NegativeRecord refused = ExampleNegative("QuantizeLinear@21/a");
  EXPECT_EQ(ExitCodeFor(*BuildReport(run, {}, {}, true, {refused}), false),
            ExitCode::kNothingSupported);
  run.selection.shard.reset();
  run.selection.cells = 0;
  EXPECT_EQ(ExitCodeFor(*BuildReport(run, {}, {}, true), false),
            ExitCode::kNothingSupported);
}

// The sizes that DESIGN.md promises, and how long it takes.
TEST(Report, WholeLattice_IsSmallAndQuick) {
  for (const auto& [verdict, most] : {std::pair{Verdict::kConformant, 6'000'000u},
                                      {Verdict::kNonconformant, 20'000'000u}}) {
    RunInfo run = ExampleRun();
    std::vector<CellRecord> cells = WholeLattice(verdict);
    ASSERT_EQ(cells.size(), 4772u);
    run.selection.cells = 4772;
    const auto start = std::chrono::steady_clock::now();
    const std::string text = ReportText(*BuildReport(run, std::move(cells), {}, true));
    const auto written = std::chrono::steady_clock::now();
    ASSERT_TRUE(ParseReport(text, "report.json"));
    const auto read = std::chrono::steady_clock::now();
    const auto ms = [](auto duration) {
      return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
    };
    RecordProperty(std::string(VerdictName(verdict)) + "_bytes",
                   static_cast<int>(text.size()));
    RecordProperty(std::string(VerdictName(verdict)) + "_write_ms",
                   static_cast<int>(ms(written - start)));
    RecordProperty(std::string(VerdictName(verdict)) + "_read_ms",
                   static_cast<int>(ms(read - written)));
    EXPECT_LE(text.size(), most);
  }
}

}  // namespace
}  // namespace qconform
