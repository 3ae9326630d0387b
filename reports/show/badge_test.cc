#include "reports/show/badge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report BadgeReport(std::vector<Verdict> verdicts, bool complete = true) {
  RunInfo run = ExampleRun();
  run.selection.cell_patterns.clear();
  run.selection.profile = "int8-core";
  run.selection.cells = static_cast<int64_t>(verdicts.size());
  std::vector<CellRecord> cells;
  int since_version = 10;
  for (const Verdict verdict : verdicts) {
    cells.push_back(ExampleCell("QuantizeLinear", since_version++,
                                {DataType::kFloat, DataType::kFloat, DataType::kInt8},
                                "per_tensor", verdict));
  }
  return *BuildReport(run, std::move(cells), {}, complete);
}

TEST(Badge, SaysHowManyCellsPass_InTheColorOfTheWorst) {
  const Verdict ok = Verdict::kConformant;
  const std::string green =
      BadgeSvg(BadgeReport({ok, ok, Verdict::kAdmissible}), nullptr);
  EXPECT_THAT(green, HasSubstr("3 of 3 cells pass"));
  EXPECT_THAT(green, HasSubstr("int8-core"));
  EXPECT_THAT(green, HasSubstr("#1a7f37"));
  const std::string red = BadgeSvg(BadgeReport({ok, Verdict::kNonconformant}), nullptr);
  EXPECT_THAT(red, HasSubstr("1 of 2 cells"));
  EXPECT_THAT(red, HasSubstr("#b42318"));
  const std::string yellow = BadgeSvg(BadgeReport({ok, Verdict::kUnsupported}), nullptr);
  EXPECT_THAT(yellow, HasSubstr("#8a6100"));
  const std::string grey = BadgeSvg(BadgeReport({ok}, false), nullptr);
  EXPECT_THAT(grey, HasSubstr("1 of 1 cells pass, incomplete"));
  EXPECT_THAT(grey, HasSubstr("#57606a"));
}

TEST(Badge, CountsSupportedCellsOnly) {
  const Verdict ok = Verdict::kConformant;
  EXPECT_THAT(BadgeSvg(BadgeReport({ok, ok, Verdict::kUnsupported}), nullptr),
              HasSubstr(">2 of 2 supported cells pass<"));
}

TEST(Badge, ShowsTheBackend) {
  Report report = BadgeReport({Verdict::kConformant});
  report.run.backend.name = "mine";
  report.run.backend.version = "1.2.3";
  EXPECT_THAT(BadgeSvg(report, nullptr),
              HasSubstr(">mine 1.2.3: ONNX quantization, int8-core,"));
  report.run.backend.version = "";
  report.run.backend.name = "plugin:\u00e9/build/release/lib\u00e9_of_a_long_name.so";
  EXPECT_THAT(BadgeSvg(report, nullptr),
              HasSubstr(">plugin:lib\u00e9_of_a_long_n\u2026: ONNX quantization"));
  report.run.backend.name = "process:env --chdir=folder python3 -m worker";
  report.run.backend.details = {{"worker", "library:Class"}};
  EXPECT_THAT(BadgeSvg(report, nullptr), HasSubstr(">library:Class: ONNX quantization"));
}

TEST(Badge, OwnProfile_IsCalledSo) {
  Report report = BadgeReport({Verdict::kConformant});
  report.run.selection.profile = "own:full-speed";
  report.run.selection.cell_patterns = {"QuantizeLinear/10/*"};
  EXPECT_THAT(BadgeSvg(report, nullptr),
              HasSubstr("ONNX quantization, own profile full-speed, "));
}

TEST(Badge, KnownDifferences_AreWaivedInYellow_TheirProblemsAreRed) {
  const Report report = BadgeReport({Verdict::kConformant, Verdict::kNonconformant});
  KnownDifference entry;
  entry.cells = {report.cells[1].cell};
  entry.verdict = Verdict::kNonconformant;
  entry.reason = "a reason";
  KnownOutcome known = ApplyKnownDifferences({entry}, report, "2026-08-01");
  ASSERT_TRUE(known.problems.empty());
  const std::string waived = BadgeSvg(report, &known);
  EXPECT_THAT(waived, HasSubstr("1 of 2 cells pass, 1 waived"));
  EXPECT_THAT(waived, HasSubstr("#8a6100"));
  EXPECT_THAT(waived, Not(HasSubstr("#b42318")));
  // The same with a pass that was expected to deviate.
  entry.cells = {"*"};
  known = ApplyKnownDifferences({entry}, report, "2026-08-01");
  ASSERT_EQ(known.problems.size(), 1u);
  EXPECT_THAT(BadgeSvg(report, &known), HasSubstr("#b42318"));
}

TEST(Badge, NegativeModelThatDeviates_IsRed) {
  const Report passes = BadgeReport({Verdict::kConformant});
  for (const NegativeResult result :
       {NegativeResult::kRefused, NegativeResult::kLax, NegativeResult::kCrashed}) {
    NegativeRecord record;
    record.id = "QuantizeLinear@21/m";
    record.result = result;
    const Report report = *BuildReport(passes.run, passes.cells, {}, true, {record});
    EXPECT_THAT(BadgeSvg(report, nullptr),
                HasSubstr(IsDeviation(result) ? "#b42318" : "#1a7f37"))
        << NegativeResultName(result);
  }
}

TEST(Badge, NodeTestThatDeviates_IsRed) {
  const Report passes = BadgeReport({Verdict::kConformant});
  const Report report =
      *BuildReport(passes.run, passes.cells,
                   {ExampleNodeTest("test_a", NodeVerdict::kDeviates)}, true);
  EXPECT_THAT(BadgeSvg(report, nullptr), HasSubstr("#b42318"));
}

TEST(Badge, OfNoCells_IsNotGreen) {
  const std::string none = BadgeSvg(BadgeReport({}), nullptr);
  EXPECT_THAT(none, HasSubstr("0 of 0 cells"));
  EXPECT_THAT(none, Not(HasSubstr("#1a7f37")));
}

TEST(Badge, NamesOfABackend_CannotBreakOut) {
  Report report = BadgeReport({Verdict::kConformant});
  report.run.backend.name = "\"><script>&";
  EXPECT_THAT(BadgeSvg(report, nullptr), Not(HasSubstr("<script>")));
}

// No reader of XML takes a document with a control character.
TEST(Badge, StrangeNames_AreStillXml) {
  Report report = BadgeReport({Verdict::kConformant});
  report.run.backend.name = "a\x01\x1b\uFFFE";
  report.run.selection.profile = "b\x02\x7f";
  const std::string svg = BadgeSvg(report, nullptr);
  EXPECT_TRUE(std::all_of(svg.begin(), svg.end(), [](char c) {
    return c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  })) << svg;
  EXPECT_THAT(svg, HasSubstr("<title>a  \uFFFD 0.1.0: ONNX quantization, b  , "));
}

}  // namespace
}  // namespace qconform
