#include "reports/show/summary/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "oracle/base/text.h"
#include "reports/diff/diff.h"
#include "reports/record/evidence.h"
#include "reports/show/html.h"
#include "reports/show/markdown.h"
#include "reports/show/terminal_text.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

size_t Columns(const std::string& line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void ExpectFits(const std::string& text, size_t width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  rerun: ")) continue;  // to be copied whole
    EXPECT_LE(Columns(line), width) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

Report WholeReport(Verdict verdict) {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells = WholeLattice(verdict);
  run.selection.cells = static_cast<int64_t>(cells.size());
  for (size_t i = 0; i < cells.size(); i += 7) {
    const Verdict other = AllVerdicts()[(i / 7) % kVerdictCount];
    if (cells[i].output_type() == DataType::kUint4) {
      cells[i] = ExampleCell(cells[i].op_type, cells[i].since_version, cells[i].types,
                             cells[i].granularity, other);
    }
  }
  return *BuildReport(run, std::move(cells), {ExampleNodeTest("a", NodeVerdict::kPass)},
                      true);
}

TEST(Summary, WholeLattice_FitsEightyColumns) {
  const Report report = WholeReport(Verdict::kConformant);
  ExpectFits(DetailedSummaryText(report, {}), 80);
  ExpectFits(DetailedSummaryText(report, {.unicode = true}), 80);
  ExpectFits(DetailedSummaryText(WholeReport(Verdict::kUnsupported), {}), 80);
  ExpectFits(DetailedSummaryText(ExampleReport(), {}), 80);
}

TEST(Summary, Matrix_HasADenominatorWhereNotAllPass) {
  const std::string text = DetailedSummaryText(WholeReport(Verdict::kConformant), {});
  EXPECT_THAT(text, HasSubstr("QuantizeLinear on simd:AVX2"));
  EXPECT_THAT(text, HasSubstr("UINT8                ok 2     ok 4     ok 8    ok 12"));
  EXPECT_THAT(text, HasSubstr("! "));
  EXPECT_THAT(text, HasSubstr("node tests      1 pass, of 1"));
}

TEST(Summary, Marks_TellVerdictsApartWithoutColour) {
  const std::pair<Verdict, const char*> marks[] = {
      {Verdict::kConformant, "ok 1"},     {Verdict::kAdmissible, "~ 1"},
      {Verdict::kNonconformant, "! 0/1"}, {Verdict::kCrashed, "! 0/1"},
      {Verdict::kUnsupported, " -"},      {Verdict::kPartial, "- 0/1"},
      {Verdict::kUntested, " ?"},         {Verdict::kMistrusted, "? 0/1"},
      {Verdict::kRefusedLegal, "x 0/1"}};
  for (const auto& [verdict, mark] : marks) {
    RunInfo run = ExampleRun();
    run.selection.cells = 1;
    const CellRecord cell = ExampleCell(
        "QuantizeLinear", 10, {DataType::kFloat, DataType::kFloat, DataType::kUint8},
        "per_tensor", verdict);
    const std::string text = DetailedSummaryText(*BuildReport(run, {cell}, {}, true), {});
    EXPECT_THAT(text, HasSubstr(std::string(mark) + "\n")) << VerdictName(verdict);
  }
}

TEST(Summary, ColourOnlyWhereAsked) {
  EXPECT_THAT(DetailedSummaryText(ExampleReport(), {}), Not(HasSubstr("\033")));
  EXPECT_THAT(DetailedSummaryText(ExampleReport(), {.color = true}),
              HasSubstr("\033[1;31m"));
}

TEST(Summary, ForeignTexts_AreLinesOfTheirOwnNowhere) {
  const std::string evil = "x\nVERIFIED\x1b[2J\xc2\x9b";
  RunInfo run = ExampleRun();
  run.backend.name = evil;
  run.tool.commit = evil;
  run.selection.cells = 1;
  CellRecord cell = ExampleCell("QuantizeLinear", 10,
                                {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                                "per_tensor", Verdict::kNonconformant);
  cell.diagnosis = cell.reason = evil;
  cell.counterexamples[0].message = cell.counterexamples[0].replay = evil;
  const Report report = *BuildReport(run, {cell}, {}, true);
  const std::string text = DetailedSummaryText(report, {});
  EXPECT_THAT(text, HasSubstr("x\\nVERIFIED\\x1b[2J\\u009b"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(text, Not(HasSubstr("\nVERIFIED")));
  EXPECT_THAT(text, Not(HasSubstr("\u009b")));
  run.backend.name = "y";
  const std::string diff =
      DiffText(DiffReports(report, *BuildReport(run, {cell}, {}, true)));
  EXPECT_THAT(diff, HasSubstr("x\\nVERIFIED"));
  EXPECT_THAT(diff, Not(HasSubstr("\nVERIFIED")));
}

// One line on the terminal, and the same word to bash and zsh.
TEST(ShellWord, OfWhatDoesNotPrint_IsEscaped) {
  EXPECT_EQ(ShellWord("a b'c"), "'a b'\\''c'");
  EXPECT_EQ(ShellWord("a\n'\x1b[1m.json"), "$'a\\012\\047\\033[1m.json'");
  EXPECT_EQ(ShellWord("##[x"), "$'\\043\\043[x'");  // no command to GitHub either
}

TEST(OneLine, EscapesWhatDoesNotPrint) {
  EXPECT_EQ(OneLine("plain \u00e9\u2248 text"), "plain \u00e9\u2248 text");
  EXPECT_EQ(OneLine(std::string_view("a\0\t\r\n\x7f", 6)), "a\\x00\\x09\\x0d\\n\\x7f");
  EXPECT_EQ(OneLine("\u0085\u2028\u202e\u2066"), "\\u0085\\u2028\\u202e\\u2066");
  EXPECT_EQ(OneLine("\u200b\u00ad\ufeff\ufffe"), "\\u200b\\u00ad\\ufeff\\ufffe");
  EXPECT_EQ(OneLine("\xff\xc0\x80 \xe2\x80"), "\\xff\\xc0\\x80 \\xe2\\x80");
  EXPECT_EQ(OneLine(OneLine("a\n\xff")), OneLine("a\n\xff"));
}

TEST(OneLine, IsNoCommandOfGitHub) {
  EXPECT_EQ(OneLine("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(OneLine("a  ::add-mask::x std::vector"), "a  \\x3a:add-mask::x std::vector");
  EXPECT_EQ(OneLine("a ##[error]x"), "a #\\x23[error]x");
  EXPECT_EQ(OneLine("###[x"), "##\\x23[x");
  EXPECT_EQ(OneLine(OneLine("::a ##[b")), OneLine("::a ##[b"));
}

TEST(Summary, NodeTestsThatCouldNotBeJudged_AreNoDeviations) {
  RunInfo run = ExampleRun();
  run.selection.cells = 0;
  std::vector<NodeTestRecord> tests;
  for (const char* name : {"a", "b", "c", "d"}) {
    tests.push_back(ExampleNodeTest(name, NodeVerdict::kError));
  }
  const Report report = *BuildReport(run, {}, tests, true);
  const std::string text = DetailedSummaryText(report, {.failures = 3});
  EXPECT_THAT(text, HasSubstr("\n? node test a (1.20.0)\n  error"));
  EXPECT_THAT(text, HasSubstr("  and 1 row more that could not be judged\n"));
  EXPECT_THAT(text, Not(HasSubstr("deviate")));
}

TEST(Summary, Failures_ShowEvidenceAndTheLineThatRerunsThem) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 10, {DataType::kFloat, DataType::kFloat, DataType::kUint8},
      "per_tensor", Verdict::kNonconformant);
  const std::string text = DetailedSummaryText(*BuildReport(run, {cell}, {}, true),
                                               {.report_path = "out/report.json"});
  EXPECT_THAT(
      text,
      HasSubstr("! QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor\n"
                "  nonconformant, diagnosis ties_away, 17 of 129 728 elements wrong\n"
                "  why           Explained by ties_away. Ties are rounded away"));
  EXPECT_THAT(
      text,
      HasSubstr("  y[0,3]: expected 0x82 (130), actual 0x83 (131), clause QL-10\n"));
  EXPECT_THAT(text, HasSubstr("    rounded to an integer  -158                 -159\n"));
  EXPECT_THAT(text, HasSubstr("unspecified     QuantizeLinear QL-12 NaN to an integer"));
  EXPECT_THAT(text, HasSubstr("  rerun: qconform replay 'QuantizeLinear/10/"));
  EXPECT_THAT(text, HasSubstr("report          out/report.json\n"));
}

// What follows a reading and deviates besides is not admissible by it.
TEST(Summary, ReadingOfADeviatingCell_IsNotWhatIsAdmissible) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  CellRecord cell = ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                                "per_tensor", Verdict::kNonconformant);
  cell.reading = "regular: QL-04:f32_quotient";
  const Report report = *BuildReport(run, {cell}, {}, true);
  EXPECT_THAT(DetailedSummaryText(report, {}), Not(HasSubstr("by reading")));
  EXPECT_THAT(MarkdownText(report, nullptr), Not(HasSubstr("Admissible by")));
}

TEST(Summary, LongReadings_AreWrapped) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  CellRecord cell = ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                                "per_tensor", Verdict::kAdmissible);
  cell.reading =
      "regular: MM-02:f32_multiplier_ab_first; subnormal: MM-02:f32_multiplier_ab_first; "
      "degenerate_scale: MM-02:f32_multiplier_ab_first";
  const std::string text = DetailedSummaryText(*BuildReport(run, {cell}, {}, true), {});
  const size_t start = text.find("by reading");
  ASSERT_NE(start, std::string::npos);
  int lines = 0;
  for (size_t line = start; line < text.size() && text.compare(line, 5, "suite") != 0;) {
    const size_t end = text.find('\n', line);
    EXPECT_LE(end - line, 80u) << text.substr(line, end - line);
    ++lines;
    line = end + 1;
  }
  EXPECT_GE(lines, 3);
}

TEST(Summary, DeclinedCells_AreToldWithTheBackendsWords) {
  RunInfo run = ExampleRun();
  run.selection.cells = 4;
  std::vector<CellRecord> cells;
  for (const DataType type :
       {DataType::kUint8, DataType::kInt8, DataType::kUint16, DataType::kInt16}) {
    cells.push_back(ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, type}, "per_tensor",
                                Verdict::kUnsupported));
    cells.back().reason = "no codes of 16 bits";
  }
  cells[0].reason = std::string(150, 'x') + " at the end. And more.\n";
  cells[1].verdict = Verdict::kConformant;
  const std::string text = DetailedSummaryText(*BuildReport(run, cells, {}, true), {});
  EXPECT_THAT(text, HasSubstr("declined        no codes of 16 bits (2 cells),"));
  // Never cut before the end of the first sentence.
  EXPECT_THAT(text, ContainsRegex("x{150}\n +at the end\\. \\.\\.\\. \\(1 cell\\)"));
  EXPECT_THAT(DetailedSummaryText(WholeReport(Verdict::kConformant), {}),
              HasSubstr("declined"));
}

TEST(Summary, IncompleteReport_SaysSo) {
  Report report = ExampleReport();
  EXPECT_THAT(DetailedSummaryText(report, {}), Not(HasSubstr("INCOMPLETE")));
  report = *BuildReport(report.run, {report.cells[0]}, {}, false);
  const std::string said =
      "INCOMPLETE: 1 of 14 selected cells were tested; the run was cut short";
  EXPECT_THAT(DetailedSummaryText(report, {}), HasSubstr(said));
  CellRecord untested = ExampleCells()[1];
  untested.verdict = Verdict::kUntested;
  report = *BuildReport(report.run, {report.cells[0], untested}, {}, false);
  EXPECT_THAT(DetailedSummaryText(report, {}), HasSubstr(said));
}

TEST(Summary, EmptyReport_IsNoProblem) {
  EXPECT_THAT(DetailedSummaryText(*BuildReport(ExampleRun(), {}, {}, true), {}),
              HasSubstr("0 of 0 supported pass"));
}

// Lines of the two together, in a terminal of this width.
size_t ScreenLines(const Report& report, const SummaryOptions& options) {
  std::istringstream lines(SummaryText(report, options) +
                           ClosingText(report, options, ExitCode::kDeviation));
  size_t count = 0;
  const auto width = static_cast<size_t>(options.width);
  for (std::string line; std::getline(lines, line);) {
    count += std::max<size_t>(1, (Columns(line) + width - 1) / width);
  }
  return count;
}

TEST(Screen, FitsItsLinesAndColumns) {
  for (const Report& report :
       {ExampleReport(), WholeReport(Verdict::kConformant),
        WholeReport(Verdict::kUnsupported), WholeReport(Verdict::kNonconformant),
        *BuildReport(ExampleRun(), {}, {}, true)}) {
    for (const int width : {60, 80, 132}) {
      const SummaryOptions options{.width = width, .report_path = "out/report.json"};
      ExpectFits(SummaryText(report, options), static_cast<size_t>(width));
      // At 60 columns the ids of findings take more lines than there are.
      EXPECT_LE(ScreenLines(report, options), width == 60 ? 24u : 21u)
          << width << "\n"
          << SummaryText(report, options);
    }
  }
}

TEST(Screen, EndsWithTheNextCommandAndTheVerdict) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 10, {DataType::kFloat, DataType::kFloat, DataType::kUint8},
      "per_tensor", Verdict::kNonconformant);
  const Report report = *BuildReport(run, {cell}, {}, true);
  const SummaryOptions options{.report_path = "my report.json"};
  const std::string closing = ClosingText(report, options, ExitCode::kDeviation);
  EXPECT_THAT(closing, StartsWith("next  qconform report 'my report.json' -v\n"
                                  "      qconform replay "));
  EXPECT_THAT(closing, EndsWith("\nFAIL  1 of 1 supported cells deviates, 1 finding\n"));
  EXPECT_EQ(ClosingText(*BuildReport(ExampleRun(), {}, {}, true), {}, ExitCode::kPass),
            "PASS  0 of 0 supported cells pass\n");
}

TEST(Screen, FindingsComeFirst_EachWithOneExample) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 10, {DataType::kFloat, DataType::kFloat, DataType::kUint8},
      "per_tensor", Verdict::kNonconformant);
  const std::string text = SummaryText(*BuildReport(run, {cell}, {}, true), {});
  EXPECT_THAT(text, StartsWith("1 finding in 1 deviating cell\n"
                               "  QuantizeLinear/since_10/QL-10/ties_away/"));
  EXPECT_THAT(text, HasSubstr(": expected 130, actual 131\n"));
  EXPECT_THAT(text, ContainsRegex("\nUINT8 +!0 +0/1\n"));
}

// The group in the id of a finding may begin before the first cell that deviates.
TEST(Screen, Finding_SaysSinceWhen) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 19, {DataType::kFloat, DataType::kFloat, DataType::kUint8},
      "per_tensor", Verdict::kNonconformant);
  const std::string text =
      SummaryText(*BuildReport(run, {cell}, {}, true), {.width = 132});
  EXPECT_THAT(text, HasSubstr(": 1 cell since 19\n")) << text;
}

TEST(Screen, NarrowScreen_WrapsTheExample) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 10, {DataType::kFloat, DataType::kFloat, DataType::kUint8},
      "per_tensor", Verdict::kNonconformant);
  const Report report = *BuildReport(run, {cell}, {}, true);
  for (const int width : {40, 60, 80}) {
    const std::string text = SummaryText(report, {.width = width});
    EXPECT_THAT(text, HasSubstr("    x=")) << text;
    EXPECT_THAT(text, ContainsRegex("expected[ \n]+130,[ \n]+actual[ \n]+131\n"));
  }
}

TEST(Screen, UnsupportedRows_AreOneLine) {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells;
  for (const DataType type :
       {DataType::kInt8, DataType::kUint8, DataType::kInt16, DataType::kUint16}) {
    cells.push_back(ExampleCell(
        "QuantizeLinear", 21, {DataType::kFloat, DataType::kFloat, type}, "per_tensor",
        cells.empty() ? Verdict::kConformant : Verdict::kUnsupported));
  }
  run.selection.cells = 4;
  const std::string text = SummaryText(*BuildReport(run, cells, {}, true), {});
  EXPECT_THAT(text, HasSubstr("\n3 other rows: all unsupported\n"));
  EXPECT_THAT(text, Not(HasSubstr("0/0")));
}

TEST(Screen, PassRates_CountSupportedCellsOnly) {
  RunInfo run = ExampleRun();
  run.selection.cells = 4;
  std::vector<CellRecord> cells;
  const std::pair<const char*, Verdict> kCells[] = {
      {"per_tensor", Verdict::kConformant},
      {"per_axis", Verdict::kUnsupported},
      {"blocked", Verdict::kUnsupported},
  };
  for (const auto& [granularity, verdict] : kCells) {
    cells.push_back(ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, DataType::kInt8},
                                granularity, verdict));
  }
  cells.push_back(ExampleCell("QuantizeLinear", 21,
                              {DataType::kFloat, DataType::kFloat, DataType::kInt4},
                              "per_tensor", Verdict::kUnsupported));
  const Report report = *BuildReport(run, cells, {}, true);
  const std::string details = DetailedSummaryText(report, {});
  EXPECT_THAT(details, ContainsRegex("\nINT8 +ok 1\n"));
  EXPECT_THAT(details, ContainsRegex("\nINT4 +-\n"));
  EXPECT_THAT(details, HasSubstr("numbers: supported cells\n"));
  EXPECT_THAT(details, ContainsRegex("\nopset_version +21 ok, 22 ok\n"));
  EXPECT_THAT(details, HasSubstr("cells           1 of 1 supported pass;"));
  const std::string text = SummaryText(report, {});
  EXPECT_THAT(text, ContainsRegex("\nINT8 +ok +1/1\n"));
  EXPECT_THAT(text, ContainsRegex("\nINT4 +- +0/0\n"));
  EXPECT_THAT(text, HasSubstr("ok all pass; - unsupported\n"));
  EXPECT_THAT(text, HasSubstr("\ndeclined        3 cells: QuantizeLinear blocked "
                              "and 2 more groups\n"));
}

TEST(Screen, UnspecifiedBehaviour_IsOneLine) {
  Report report = ExampleReport();
  report.totals.unspecified.assign(2, UnspecifiedRow());
  EXPECT_THAT(SummaryText(report, {}),
              HasSubstr("\nunspecified     2 behaviours, all stable; -v shows them\n"));
  report.totals.unspecified[1].varies_with = {{"threads", 2}};
  EXPECT_THAT(SummaryText(report, {}), HasSubstr("2 behaviours, 1 varies with threads"));
}

TEST(Screen, RowsThatDecideTheExitCode_AreNamed) {
  RunInfo run = ExampleRun();
  run.selection.cells = 0;
  const Report report = *BuildReport(run, {},
                                     {ExampleNodeTest("a", NodeVerdict::kDeviates),
                                      ExampleNodeTest("b", NodeVerdict::kError)},
                                     true);
  const std::string text = SummaryText(report, {});
  EXPECT_THAT(text, StartsWith("node tests      1 of 2 deviate: a (1.20.0)\n"));
  EXPECT_THAT(text, HasSubstr("\nnot judged      1 could not be judged: node test b"));
  NodeTestRecord broken = ExampleNodeTest("c", NodeVerdict::kError);
  broken.reason = "model.onnx: the graph has no output";
  const auto told = [&](std::vector<NodeTestRecord> tests) {
    return SummaryText(*BuildReport(run, {}, std::move(tests), true), {});
  };
  EXPECT_THAT(told({broken}),
              HasSubstr("node test c (1.20.0)\n"
                        "                model.onnx: the graph has no output\n"));
  EXPECT_THAT(
      told({broken, ExampleNodeTest("d", NodeVerdict::kError)}),
      HasSubstr("\n                node test c (1.20.0): model.onnx: the graph has "
                "no output\n"));
}

TEST(VariantsText, SaysWhichAttributeIsIgnored) {
  const Verdict right = Verdict::kConformant;
  const Verdict wrong = Verdict::kNonconformant;
  CellRecord cell;
  EXPECT_EQ(VariantsText(cell), "");
  cell.variants = {{"saturate=0", wrong}, {"saturate=1", right}};
  EXPECT_EQ(VariantsText(cell), "wrong only with saturate=0");
  // precision=FLOAT is the default of this cell: right, although it is ignored.
  cell.variants = {{"saturate=1", right},
                   {"saturate=1,precision=DOUBLE", wrong},
                   {"saturate=1,precision=FLOAT", right},
                   {"saturate=1,precision=FLOAT16,zp=empty", wrong}};
  EXPECT_EQ(VariantsText(cell),
            "right without precision, wrong with precision=DOUBLE, precision=FLOAT16");
  cell.variants = {{"a=1", Verdict::kUnsupported}, {"a=2", right}};
  EXPECT_EQ(VariantsText(cell), "declined only with a=1");
  cell.variants = {{"a=1,b=1", right}, {"a=1,b=2", wrong}, {"a=2,b=1", wrong}};
  EXPECT_EQ(VariantsText(cell), "");
  cell.verdict = wrong;
  cell.variants = {{"a=1", right}, {"a=2", wrong}};
  EXPECT_THAT(VerdictSentence(cell), EndsWith(", wrong only with a=2"));
  cell.variants_by_chance = true;
  EXPECT_EQ(VariantsText(cell), "");
  cell.variants_by_chance = false;
  // Elements that deviate have a diagnosis or a pattern.
  cell.deviation = Deviation{};
  EXPECT_THAT(VerdictSentence(cell), Not(HasSubstr("only with")));
}

TEST(FirstSentences, AreNeverCutBeforeTheirEnd) {
  EXPECT_EQ(FirstSentences("Short. Text", 100), "Short. Text");
  EXPECT_EQ(FirstSentences("One. Two. Three.", 12), "One. Two. ...");
  EXPECT_EQ(FirstSentences("A first one that is long. Two.", 5),
            "A first one that is long. ...");
  EXPECT_EQ(FirstSentences("no end at all, however long", 5),
            "no end at all, however long");
  EXPECT_EQ(FirstSentences("line one\nline two", 8), "line one ...");
  EXPECT_EQ(FirstSentences("version 1.23.2 is old. New", 9),
            "version 1.23.2 is old. ...");
  EXPECT_EQ(FirstSentences("Only one sentence. ", 5), "Only one sentence. ");
}

TEST(VerdictSentence, CountsWhatIsWrongAndWhatWasDeclined) {
  const auto of = [](Verdict verdict) {
    return VerdictSentence(ExampleCell(
        "QuantizeLinear", 21, {DataType::kFloat, DataType::kFloat, DataType::kInt8},
        "per_tensor", verdict));
  };
  EXPECT_EQ(of(Verdict::kConformant), "conformant");
  EXPECT_EQ(of(Verdict::kPartial), "partial, 3 of 64 cases declined");
  EXPECT_EQ(of(Verdict::kAdmissible), "admissible, reading QL-04:f32_quotient");
  EXPECT_EQ(of(Verdict::kNonconformant),
            "nonconformant, diagnosis ties_away, 17 of 129 728 elements wrong");
}

TEST(JudgedAt, IsToldOfEachCellAndOfAll) {
  Report report = ExampleReport();
  EXPECT_EQ(DetailedSummaryText(report, {}).find("judged at"), std::string::npos);
  std::vector<CellRecord>& cells = report.cells;
  ASSERT_GT(cells.size(), 3u);
  cells[0].judged_at_opset_version = 21;
  cells[1].judged_at_opset_version = 21;
  cells[2].judged_at_opset_version = 9;
  EXPECT_TRUE(VerdictSentence(cells[0]).ends_with(", judged at opset 21"));
  const std::string text =
      "opset 9 in 1 cell, opset 21 in 2 cells; newer ones are declined";
  EXPECT_EQ(JudgedAtText(cells), text);
  EXPECT_NE(DetailedSummaryText(report, {}).find(text), std::string::npos);
}

// A bound may hide a mixture of two readings, also in a cell of which a part was
// declined.
TEST(BoundOnly, IsSaidInEveryOutput) {
  Report report = ExampleReport();
  EXPECT_EQ(BoundOnlyText(report.cells), "");
  for (const std::string& text : {DetailedSummaryText(report, {}),
                                  MarkdownText(report, nullptr, {}), HtmlText(report)}) {
    EXPECT_EQ(text.find("explained by a bound only; each"), std::string::npos);
  }
  const auto partial =
      std::ranges::find(report.cells, Verdict::kPartial, &CellRecord::verdict);
  ASSERT_NE(partial, report.cells.end());
  partial->bound_only = {{"regular", {"canonical", "MM-02:f64_chain"}}};
  EXPECT_EQ(BoundOnlyText(report.cells),
            "1 cell, such as " + partial->cell +
                " (regular: explained by a bound only; each element also follows "
                "canonical or MM-02:f64_chain)");
  EXPECT_THAT(DetailedSummaryText(report, {}),
              HasSubstr("\nbound only      1 cell, such as "));
  EXPECT_THAT(MarkdownText(report, nullptr, {}),
              HasSubstr("Explained by a bound only: 1 cell, such as "));
  EXPECT_THAT(HtmlText(report),
              HasSubstr("regular: explained by a bound only; each element also follows "
                        "canonical or MM-02:f64_chain"));
}

// How much a wider bound explains is part of every output that names it.
TEST(WiderBound, IsCounted) {
  Report report = ExampleReport();
  EXPECT_EQ(WiderBoundText(report.cells), "");
  EXPECT_EQ(DetailedSummaryText(report, {}).find("wider bound"), std::string::npos);
  report.cells[0].by_wider_bound = {{"regular", 3}, {"degenerate_scale", 2}};
  report.cells[1].by_wider_bound = {{"regular", 1}};
  EXPECT_THAT(
      DetailedSummaryText(report, {}),
      HasSubstr(
          "\nwider bound     6 elements of 2 cells with another code than the oracle's"));
  EXPECT_THAT(MarkdownText(report, nullptr, {}),
              HasSubstr("Explained by a wider bound only: 6 elements of 2 cells"));
}

TEST(DiagnosisSentences, NearestModel_HasAShareThatIsNeverRoundedToNothing) {
  CellRecord cell = ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, DataType::kInt8},
                                "per_tensor", Verdict::kNonconformant);
  cell.diagnosis.clear();
  cell.deviation->nearest = "truncates";
  const auto share_of = [&](int64_t explained) {
    cell.deviation->elements_deviating = 1000;
    cell.deviation->elements_explained = explained;
    return DiagnosisSentences(cell).back();
  };
  EXPECT_THAT(share_of(3), HasSubstr("reproduces less than 1 % of them: by itself"));
  EXPECT_THAT(share_of(0), HasSubstr("reproduces 0 % of them: by itself"));
  EXPECT_THAT(share_of(999),
              HasSubstr("reproduces 99 % of them: by itself it does not explain"));
  EXPECT_THAT(share_of(1000),
              HasSubstr("reproduces 100 % of them, but not the other outputs"));
}

TEST(DiagnosisSentences, WhatTheOthersFollow_IsNamed) {
  CellRecord cell = ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat16, DataType::kFloat16, DataType::kInt8},
                                "per_axis", Verdict::kNonconformant);
  cell.deviation->follows = "QL-04:f32_quotient";
  EXPECT_THAT(DiagnosisSentences(cell).front(),
              HasSubstr("Explained by " + cell.diagnosis + ", over QL-04:f32_quotient."));
  cell.diagnosis.clear();
  EXPECT_THAT(DiagnosisText(cell), HasSubstr("All others follow QL-04:f32_quotient"));
}

// A cell may have one of each kind: what a reading explains, and what nothing does.
TEST(WorkedLines, Heading_IsOfTheExampleNotOfTheCell) {
  CellRecord cell = ExampleCell("QuantizeLinear", 19,
                                {DataType::kFloat16, DataType::kFloat16, DataType::kInt8},
                                "per_tensor", Verdict::kNonconformant);
  cell.diagnosis.clear();
  const Counterexample& deviates = cell.counterexamples[0];
  Counterexample follows = deviates;
  follows.reading = "QL-04:f32_quotient";
  cell.example = follows;
  const auto lines = [&](const Counterexample& example) {
    std::string text;
    for (const std::string& line : WorkedLines(example, WorkedModelName(cell))) {
      text += line + "\n";
    }
    return text;
  };
  EXPECT_THAT(lines(follows), ContainsRegex("specification +QL-04:f32_quotient\n"));
  EXPECT_THAT(lines(deviates), ContainsRegex("specification +backend\n"));
  cell.diagnosis = "ties_away";
  EXPECT_THAT(lines(follows), ContainsRegex("specification +QL-04:f32_quotient\n"));
  EXPECT_THAT(lines(deviates), ContainsRegex("specification +ties_away\n"));
}

TEST(DiagnosisSentences, WhatAReadingExplains_IsToldApart) {
  CellRecord cell = ExampleCell("QuantizeLinear", 19,
                                {DataType::kFloat16, DataType::kFloat16, DataType::kInt8},
                                "per_tensor", Verdict::kNonconformant);
  cell.diagnosis.clear();
  EXPECT_THAT(DiagnosisText(cell), HasSubstr("17 elements of the cell deviate."));
  cell.reading = "degenerate_scale: QL-04:f32_quotient";
  cell.deviation->elements_deviating = 20;  // 3 of them in another tier
  EXPECT_THAT(DiagnosisText(cell),
              HasSubstr("20 elements of the cell deviate, 3 of them follow a reading."));
}

TEST(GroupedDigits, InThrees) {
  EXPECT_EQ(GroupedDigits(0), "0");
  EXPECT_EQ(GroupedDigits(999), "999");
  EXPECT_EQ(GroupedDigits(1000), "1 000");
  EXPECT_EQ(GroupedDigits(-1234567), "-1 234 567");
}

}  // namespace
}  // namespace qconform
