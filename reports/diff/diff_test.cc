#include "reports/diff/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

CellRecord Cell(Verdict verdict, std::string_view granularity = "per_tensor") {
  return ExampleCell("QuantizeLinear", 21,
                     {DataType::kFloat, DataType::kFloat, DataType::kInt4}, granularity,
                     verdict);
}

Report ReportOf(std::vector<CellRecord> cells, RunInfo run = ExampleRun(),
                std::vector<NodeTestRecord> tests = {}) {
  run.selection.cells = static_cast<int64_t>(cells.size());
  return *BuildReport(run, std::move(cells), std::move(tests), true);
}

NegativeRecord NegativeRow(const std::string& id, NegativeResult result) {
  return {id, "invalid", "QL-34", "QuantizeLinear", 21, "shape", result, "words"};
}

RunInfo RunOfBackend(const std::string& version, char digest) {
  RunInfo run = ExampleRun();
  run.backend.version = version;
  run.backend.digest = std::string(64, digest);
  return run;
}

TEST(Diff, EqualReports_HaveNoChanges) {
  const ReportDiff diff = DiffReports(ExampleReport(), ExampleReport());
  EXPECT_THAT(diff.cells, IsEmpty());
  EXPECT_THAT(diff.node_tests, IsEmpty());
  EXPECT_EQ(diff.unchanged, 14);
  EXPECT_EQ(diff.Cause(), "Nothing changed.");
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kPass);
}

TEST(Diff, RegressionThatIsKnown_SaysSoAndFailsNothing) {
  const Report after = ReportOf(
      {Cell(Verdict::kNonconformant), Cell(Verdict::kNonconformant, "per_axis")});
  const auto diff_under = [&](const std::vector<std::string>& cells, Verdict verdict) {
    ReportDiff diff = DiffReports(
        ReportOf({Cell(Verdict::kConformant), Cell(Verdict::kConformant, "per_axis")}),
        after);
    KnownDifference entry;
    entry.cells = cells;
    entry.verdict = verdict;
    entry.reason = "rounds ties away";
    WaiveKnown(ApplyKnownDifferences({entry}, after, "2026-08-01"), &diff);
    return diff;
  };
  const ReportDiff all = diff_under({"*"}, Verdict::kNonconformant);
  EXPECT_EQ(ExitCodeFor(all), ExitCode::kPass);
  EXPECT_THAT(DiffText(all),
              HasSubstr("2 regressed; 0 unchanged; 2 of the worse are known"));
  for (const std::string& text : {DiffText(all), DiffMarkdown(all)}) {
    EXPECT_THAT(text, HasSubstr("known: rounds ties away"));
  }
  EXPECT_THAT(DiffJson(all), HasSubstr("\"known\": \"rounds ties away\""));
  EXPECT_EQ(SchemaViolations(DiffSchema(), DiffJson(all)), "");
  const ReportDiff one = diff_under({"*/per_tensor"}, Verdict::kNonconformant);
  EXPECT_EQ(ExitCodeFor(one), ExitCode::kDeviation);
  ASSERT_EQ(one.cells.size(), 2u);
  EXPECT_EQ(one.waived, 1);
  // A different failure is not what is answered for.
  EXPECT_EQ(diff_under({"*"}, Verdict::kCrashed).waived, 0);
}

TEST(Diff, OptionOfTheBackend_IsAChangeOfIt) {
  RunInfo run = ExampleRun();
  run.backend.details["threads"] = "2";
  const Report after = ReportOf({Cell(Verdict::kConformant)}, run);
  const ReportDiff diff = DiffReports(ReportOf({Cell(Verdict::kConformant)}), after);
  EXPECT_THAT(diff.backend_changes,
              ElementsAre("backend.details.threads was not given, is 2"));
  run.backend.details["library_sha256"] = std::string(64, 'c');
  run.backend.digest = run.backend.details["library_sha256"];
  EXPECT_THAT(DiffReports(after, ReportOf({Cell(Verdict::kConformant)}, run)).Cause(),
              HasSubstr("The backend changed"))
      << "another digest";
  RunInfo old = run;
  old.backend.digest.clear();  // among the details alone
  EXPECT_EQ(DiffReports(ReportOf({Cell(Verdict::kConformant)}, old),
                        ReportOf({Cell(Verdict::kConformant)}, run))
                .Cause(),
            "Nothing changed.");
}

TEST(Diff, OrderTimesAndMachine_AreNoChanges) {
  const Report before = ExampleReport();
  RunInfo run = before.run;
  run.machine.cpu_model = "another";
  run.start_time = "2027-01-01T00:00:00Z";
  run.duration_s = 1;
  run.command_line.clear();
  run.jobs = 9;
  std::vector<CellRecord> cells = before.cells;
  std::reverse(cells.begin(), cells.end());
  for (CellRecord& cell : cells) cell.time_ms *= 7;
  const ReportDiff diff =
      DiffReports(before, *BuildReport(run, cells, before.node_tests, true));
  EXPECT_THAT(diff.cells, IsEmpty());
  EXPECT_EQ(diff.Cause(), "Nothing changed.");
}

TEST(Diff, WhatIsDoneWhereAClauseIsFree_IsAChange) {
  const CellRecord before = Cell(Verdict::kConformant);
  CellRecord after = before;
  after.observed = {{"QL-12", "NaN to an integer", {"qmax"}, {}}};
  const ReportDiff diff = DiffReports(ReportOf({before}), ReportOf({after}));
  ASSERT_EQ(diff.cells.size(), 1u);
  EXPECT_THAT(diff.cells[0].kinds, ElementsAre(ChangeKind::kOtherAnswers));
  EXPECT_THAT(diff.cells[0].what, ElementsAre("observed QL-12 NaN to an integer was " +
                                              before.observed[0].Text() + ", is " +
                                              after.observed[0].Text()));
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kPass);
}

// The cell got better, for its worst tier did; another one deviates that did not.
// To decline them accuses nobody, and is another answer.
TEST(Diff, NamedDimensionsThatAreDeclinedNow_AreAChange) {
  CellRecord answered = Cell(Verdict::kConformant);
  answered.dynamic_shapes = kDynamicShapesAnswered;
  CellRecord declined = answered;
  declined.dynamic_shapes = kDynamicShapesDeclined;
  const ReportDiff diff = DiffReports(ReportOf({answered}), ReportOf({declined}));
  ASSERT_EQ(diff.cells.size(), 1u);
  EXPECT_THAT(diff.cells[0].kinds, ElementsAre(ChangeKind::kOtherAnswers));
  EXPECT_THAT(diff.cells[0].what,
              ElementsAre("dynamic_shapes was answered, is declined"));
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kPass);
  CellRecord of_old = answered;  // does not say
  of_old.dynamic_shapes.clear();
  EXPECT_THAT(DiffReports(ReportOf({of_old}), ReportOf({declined})).cells, IsEmpty());
}

TEST(Diff, ATierThatDeviatesNow_IsARegressionUnderABetterVerdict) {
  CellRecord before = Cell(Verdict::kCrashed);
  before.forms = {{"inputs", {{"regular", Verdict::kConformant}}},
                  {"initializers", {{"regular", Verdict::kCrashed}}}};
  CellRecord after = Cell(Verdict::kNonconformant);
  after.forms = {{"inputs", {{"regular", Verdict::kNonconformant}}},
                 {"initializers", {{"regular", Verdict::kConformant}}}};
  const ReportDiff diff = DiffReports(ReportOf({before}), ReportOf({after}));
  ASSERT_EQ(diff.cells.size(), 1u);
  EXPECT_THAT(diff.cells[0].kinds,
              ElementsAre(ChangeKind::kRegressed, ChangeKind::kFixed));
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kDeviation);
}

TEST(Diff, MoreDeclinedCases_AreNoLongerSupported) {
  CellRecord before = Cell(Verdict::kPartial);
  CellRecord after = before;
  ++after.declined;
  const ReportDiff diff = DiffReports(ReportOf({before}), ReportOf({after}));
  ASSERT_EQ(diff.cells.size(), 1u);
  EXPECT_THAT(diff.cells[0].kinds, ElementsAre(ChangeKind::kNoLongerSupported));
  EXPECT_THAT(diff.cells[0].what, ElementsAre(HasSubstr("declined cases was ")));
}

TEST(Diff, NewestOpsetVersionThatIsTakenNow_IsNewlySupported) {
  CellRecord before = Cell(Verdict::kPartial);
  before.opset_versions = {{21, Verdict::kConformant}, {22, Verdict::kUnsupported}};
  before.judged_at_opset_version = 21;
  const ReportDiff diff =
      DiffReports(ReportOf({before}), ReportOf({Cell(Verdict::kConformant)}));
  ASSERT_EQ(diff.cells.size(), 1u);
  EXPECT_THAT(diff.cells[0].kinds, ElementsAre(ChangeKind::kNewlySupportedRight));
  EXPECT_THAT(diff.cells[0].what,
              Contains("opset_version of the whole list was 21, is the newest"));
}

// Patterns and operators are what is selected; how many cells they give is what came.
TEST(Diff, FewerCellsOfTheSameSelection_AreLost) {
  const ReportDiff diff = DiffReports(
      ReportOf({Cell(Verdict::kConformant), Cell(Verdict::kConformant, "blocked")}),
      ReportOf({Cell(Verdict::kConformant)}));
  EXPECT_TRUE(diff.same_selection);
  EXPECT_TRUE(diff.lost());
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kDeviation);
}

// Another version of qconform may judge more operators by the same flags.
TEST(Diff, FewerCellsBesideANewOperator_AreLostToo) {
  RunInfo run = ExampleRun();
  run.selection.operators.emplace_back("DequantizeLinear");
  const ReportDiff diff = DiffReports(
      ReportOf({Cell(Verdict::kConformant), Cell(Verdict::kConformant, "blocked")}),
      ReportOf({Cell(Verdict::kConformant)}, run));
  EXPECT_TRUE(diff.same_selection);
  EXPECT_TRUE(diff.lost());
}

TEST(Diff, AddedAndRemovedCells_AreRowsOfOneReport) {
  const ReportDiff diff = DiffReports(ReportOf({Cell(Verdict::kConformant, "per_tensor"),
                                                Cell(Verdict::kConformant, "blocked")}),
                                      ReportOf({Cell(Verdict::kConformant, "per_axis"),
                                                Cell(Verdict::kConformant, "blocked")}));
  ASSERT_EQ(diff.cells.size(), 2u);
  EXPECT_THAT(diff.cells[0].kinds, ElementsAre(ChangeKind::kNoLongerAsked));
  EXPECT_THAT(diff.cells[1].kinds, ElementsAre(ChangeKind::kNewlyAsked));
  EXPECT_EQ(diff.unchanged, 1);
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kDeviation) << "the same was selected";
}

// A part with the nodes next to it is asked only if the outputs of the model differ.
TEST(Diff, PartThatIsAskedBecauseTheModelDiffers_IsARegression) {
  Report right = ExampleModelReport({ExamplePart("conv", 0, Verdict::kConformant)});
  right.run.selection.model->whole_run = "its outputs have the bits of the composition.";
  const Report wrong = ExampleModelReport(
      {ExamplePart("conv", 0, Verdict::kConformant),
       ExamplePart("conv with the nodes next to it", 0, Verdict::kNonconformant)});
  const ReportDiff worse = DiffReports(right, wrong);
  ASSERT_EQ(worse.cells.size(), 1u);
  EXPECT_THAT(worse.cells[0].kinds, ElementsAre(ChangeKind::kRegressed));
  EXPECT_EQ(ExitCodeFor(worse), ExitCode::kDeviation);
  EXPECT_THAT(DiffText(worse), HasSubstr("conv with the nodes next to it"));
  EXPECT_THAT(worse.selection_changes,
              Contains("the whole model was its outputs have the bits of the "
                       "composition., is The whole model on mine differs from the "
                       "composition:"));
  const ReportDiff better = DiffReports(wrong, right);
  EXPECT_THAT(better.cells[0].kinds, ElementsAre(ChangeKind::kFixed));
  EXPECT_EQ(ExitCodeFor(better), ExitCode::kPass);
  // Another model is another question.
  right.run.selection.model->sha256 = std::string(64, 'b');
  EXPECT_THAT(DiffReports(right, wrong).cells[0].kinds,
              ElementsAre(ChangeKind::kNewlyAsked));
}

TEST(Diff, Cause_TellsTheBackendFromTheSuite) {
  const Report one = ReportOf({Cell(Verdict::kConformant)}, RunOfBackend("1", 'a'));
  const auto cause = [&](RunInfo run, Verdict verdict) {
    return DiffReports(one, ReportOf({Cell(verdict)}, std::move(run))).Cause();
  };
  EXPECT_THAT(
      cause(RunOfBackend("2", 'b'), Verdict::kNonconformant),
      HasSubstr(
          "The backend changed, the suite did not: the differences are the backend's"));
  EXPECT_THAT(
      cause(RunOfBackend("1", 'b'), Verdict::kConformant),
      HasSubstr("The backend changed, the suite did not; all answers are the same"));
  RunInfo suite = RunOfBackend("1", 'a');
  suite.suite.digest = std::string(64, 'd');
  EXPECT_THAT(cause(suite, Verdict::kNonconformant),
              HasSubstr("The suite changed, the backend did not"));
  RunInfo both = suite;
  both.machine.cpu_features = {"avx2", "avx512_vnni"};
  EXPECT_THAT(cause(both, Verdict::kNonconformant),
              HasSubstr("Both the suite and the CPU changed"));
  suite.backend.version = "2";
  EXPECT_THAT(cause(suite, Verdict::kNonconformant),
              HasSubstr("Both the suite and the backend"));
  EXPECT_THAT(cause(RunOfBackend("1", 'a'), Verdict::kNonconformant),
              HasSubstr("answers differently from run to run, or what it reads"));
  RunInfo unknown = RunOfBackend("1", 'a');
  unknown.backend.digest.clear();
  EXPECT_THAT(cause(unknown, Verdict::kNonconformant), HasSubstr("digest is not known"));
  RunInfo elsewhere = RunOfBackend("1", 'a');
  elsewhere.machine.cpu_features = {"avx2", "avx512_vnni"};
  EXPECT_THAT(cause(elsewhere, Verdict::kNonconformant),
              HasSubstr("but the CPU did: the backend may have other kernels for it"));
  RunInfo tool = RunOfBackend("1", 'a');
  tool.tool.commit = "other";
  EXPECT_THAT(cause(tool, Verdict::kNonconformant), HasSubstr("qconform itself did"));
}

TEST(Diff, AnotherSuite_IsNotComparableAndItsCountsAreNoEvidence) {
  RunInfo run = ExampleRun();
  run.suite.seed = 2;
  const CellRecord before = Cell(Verdict::kNonconformant);
  CellRecord after = before;
  after.tiers[0].mismatches = 99;
  after.cases = 1;
  const ReportDiff diff = DiffReports(ReportOf({before}), ReportOf({after}, run));
  EXPECT_THAT(diff.cells, IsEmpty());
  EXPECT_THAT(diff.suite_changes, ElementsAre("suite.seed was 1, is 2"));
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kIncomplete);
}

TEST(Diff, NarrowerSelection_IsNoChangeOfTheSuite) {
  RunInfo run = ExampleRun();
  run.selection.cell_patterns = {"*blocked"};
  const CellRecord kept = Cell(Verdict::kConformant, "blocked");
  const ReportDiff narrower =
      DiffReports(ReportOf({Cell(Verdict::kConformant), kept}), ReportOf({kept}, run));
  EXPECT_THAT(narrower.suite_changes, IsEmpty());
  EXPECT_EQ(narrower.selection_changes.size(), 2u);
  EXPECT_EQ(narrower.Cause(), "Only the selection of cells changed.");
  EXPECT_EQ(ExitCodeFor(narrower), ExitCode::kIncomplete);
  const ReportDiff wider =
      DiffReports(ReportOf({kept}, run), ReportOf({Cell(Verdict::kConformant), kept}));
  EXPECT_EQ(ExitCodeFor(wider), ExitCode::kPass);
}

TEST(Diff, NodeTestThatDeviatesNow_IsARegression) {
  const std::vector<CellRecord> cells = {Cell(Verdict::kConformant)};
  const ReportDiff diff =
      DiffReports(ReportOf(cells, ExampleRun(),
                           {ExampleNodeTest("a", NodeVerdict::kPass),
                            ExampleNodeTest("b", NodeVerdict::kPass)}),
                  ReportOf(cells, ExampleRun(),
                           {ExampleNodeTest("a", NodeVerdict::kDeviates),
                            ExampleNodeTest("c", NodeVerdict::kPass)}));
  ASSERT_EQ(diff.node_tests.size(), 3u);
  EXPECT_EQ(diff.node_tests[0].kind, ChangeKind::kRegressed);
  EXPECT_EQ(diff.node_tests[0].name, "a");
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kDeviation);
}

TEST(Diff, NodeTestWithAnotherReason_IsAChange) {
  const std::vector<CellRecord> cells = {Cell(Verdict::kConformant)};
  const NodeTestRecord before = ExampleNodeTest("a", NodeVerdict::kDeviates);
  NodeTestRecord after = before;
  after.reason = "signal 11";
  const ReportDiff diff = DiffReports(ReportOf(cells, ExampleRun(), {before}),
                                      ReportOf(cells, ExampleRun(), {after}));
  ASSERT_EQ(diff.node_tests.size(), 1u);
  EXPECT_EQ(diff.node_tests[0].kind, ChangeKind::kOtherWords);
  EXPECT_EQ(diff.node_tests[0].reason, "signal 11");
}

TEST(Diff, EveryStepOfANodeTest_HasItsKind) {
  using enum NodeVerdict;
  using enum ChangeKind;
  const std::tuple<NodeVerdict, NodeVerdict, ChangeKind> steps[] = {
      {kPass, kDeviates, kRegressed},
      {kPass, kUnsupported, kNoLongerSupported},
      {kUnsupported, kPass, kNewlySupportedRight},
      {kUnsupported, kDeviates, kNewlySupportedWrong},
      {kDeviates, kPass, kFixed},
      {kPass, kRefusedLegal, kRegressed},
      {kUnsupported, kRefusedLegal, kRegressed},
      {kRefusedLegal, kUnsupported, kFixed},
      {kDeviates, kRefusedLegal, kNoLongerSupported},
      {kPass, kError, kNoLongerAsked},
      {kError, kPass, kNewlyAsked},
      {kError, kDeviates, kNewlyAsked},
      {kError, kDisputed, kOtherWords},
      {kDisputed, kDeviates, kNewlyAsked},  // its expected output was at fault
      {kDeviates, kDisputed, kNoLongerAsked},
      {kPass, kDisputed, kNoLongerAsked},
      {kDisputed, kUnsupported, kNewlyAsked}};
  const std::vector<CellRecord> cells = {Cell(Verdict::kConformant)};
  for (const auto& [before, after, kind] : steps) {
    const ReportDiff diff =
        DiffReports(ReportOf(cells, ExampleRun(), {ExampleNodeTest("a", before)}),
                    ReportOf(cells, ExampleRun(), {ExampleNodeTest("a", after)}));
    ASSERT_EQ(diff.node_tests.size(), 1u);
    EXPECT_EQ(diff.node_tests[0].kind, kind)
        << NodeVerdictName(before) << " -> " << NodeVerdictName(after);
    const bool lost = after == kError;  // what is disputed was asked
    const bool fails =
        kind == kRegressed || kind == kNoLongerSupported || kind == kNewlySupportedWrong;
    EXPECT_EQ(ExitCodeFor(diff), fails || lost ? ExitCode::kDeviation : ExitCode::kPass);
  }
}

// As cells: gone although the same was asked is lost, gone with all of its release is
// for a person to judge.
TEST(Diff, NodeTestsThatAreGone_AreLostOrNotComparable) {
  const std::vector<CellRecord> cells = {Cell(Verdict::kConformant)};
  const auto exit_code = [&](std::vector<NodeTestRecord> left) {
    const Report before = ReportOf(cells, ExampleRun(),
                                   {ExampleNodeTest("a", NodeVerdict::kPass),
                                    ExampleNodeTest("b", NodeVerdict::kPass)});
    const ReportDiff diff =
        DiffReports(before, ReportOf(cells, ExampleRun(), std::move(left)));
    EXPECT_THAT(diff.Cause(), HasSubstr("Only the selection of node tests"));
    EXPECT_FALSE(diff.comparable());
    return ExitCodeFor(diff);
  };
  EXPECT_EQ(exit_code({ExampleNodeTest("a", NodeVerdict::kPass)}), ExitCode::kDeviation);
  EXPECT_EQ(exit_code({}), ExitCode::kIncomplete);
  NodeTestRecord other = ExampleNodeTest("a", NodeVerdict::kPass);
  other.release = "another";
  EXPECT_EQ(exit_code({other}), ExitCode::kIncomplete);
}

TEST(Diff, IncompleteReport_HasLostWhatACompleteOneHas) {
  const Report report = ExampleReport();
  const Report cut = *BuildReport(report.run, report.cells, report.node_tests, false);
  EXPECT_EQ(ExitCodeFor(DiffReports(report, cut)), ExitCode::kDeviation);
  EXPECT_EQ(ExitCodeFor(DiffReports(cut, report)), ExitCode::kIncomplete);
  EXPECT_EQ(ExitCodeFor(DiffReports(cut, cut)), ExitCode::kIncomplete);
}

TEST(Diff, Outputs_ShowTheRegressionWithItsEvidence) {
  const ReportDiff diff =
      DiffReports(ReportOf({Cell(Verdict::kConformant)}, RunOfBackend("1", 'a')),
                  ReportOf({Cell(Verdict::kNonconformant)}, RunOfBackend("2", 'b')));
  const std::string text = DiffText(diff);
  EXPECT_THAT(text, HasSubstr("cells     1 regressed; 0 unchanged\n"));
  EXPECT_THAT(text, HasSubstr("conformant -> nonconformant\n"));
  EXPECT_THAT(text, HasSubstr("rerun: qconform replay"));
  EXPECT_THAT(text, HasSubstr("backend.version was 1, is 2"));
  const std::string markdown = DiffMarkdown(diff);
  EXPECT_THAT(markdown, HasSubstr("### \u274c simd:AVX2 2: 1 regressed; 0 unchanged"));
  EXPECT_THAT(markdown, HasSubstr("`qconform replay "));
  EXPECT_THAT(DiffMarkdown(DiffReports(ExampleReport(), ExampleReport())),
              Not(HasSubstr("<details")));
}

TEST(Diff, Json_IsValidByItsSchema) {
  EXPECT_EQ(SchemaViolations(DiffSchema(),
                             DiffJson(DiffReports(ExampleReport(), ExampleReport()))),
            "");
  const ReportDiff diff = DiffReports(
      ReportOf({Cell(Verdict::kConformant), Cell(Verdict::kCrashed, "blocked")},
               ExampleRun(), {ExampleNodeTest("b", NodeVerdict::kPass)}),
      ReportOf({Cell(Verdict::kNonconformant)}, ExampleRun(),
               {ExampleNodeTest("a", NodeVerdict::kPass)}));
  const std::string json = DiffJson(diff);
  EXPECT_EQ(SchemaViolations(DiffSchema(), json), "");
  EXPECT_THAT(json, HasSubstr("\"regressed\": 1"));
  std::string wrong = json;
  wrong.replace(wrong.find("\"regressed\""), 11, "\"regression\"");
  EXPECT_NE(SchemaViolations(DiffSchema(), wrong), "");
}

TEST(Diff, WorstCase_StillFitsAComment) {
  RunInfo run = ExampleRun();
  run.selection.cells = 4772;
  const auto others = [](NodeVerdict verdict, NegativeResult result) {
    std::pair<std::vector<NodeTestRecord>, std::vector<NegativeRecord>> rows;
    for (int i = 0; i < 300; ++i) {
      const std::string name = std::to_string(i) + std::string(60, 'n');
      rows.first.push_back(ExampleNodeTest(name, verdict));
      rows.second.push_back(NegativeRow(name, result));
      rows.second.back().text = std::string(4000, '<');  // four times as long in Markdown
    }
    return rows;
  };
  const auto [old_tests, old_models] =
      others(NodeVerdict::kPass, NegativeResult::kRefused);
  const auto [tests, models] = others(NodeVerdict::kDeviates, NegativeResult::kCrashed);
  const Report before =
      *BuildReport(run, WholeLattice(Verdict::kConformant), old_tests, true, old_models);
  const Report after =
      *BuildReport(run, WholeLattice(Verdict::kNonconformant), tests, true, models);
  const ReportDiff diff = DiffReports(before, after);
  EXPECT_EQ(diff.Count(ChangeKind::kRegressed), 4772);
  EXPECT_LT(DiffMarkdown(diff, 4772).size(), 65536u);
}

}  // namespace
}  // namespace qconform
