// What became of a cell, in words that are mirrored where old and new are swapped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <set>

#include "reports/diff/diff.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CellRecord RowOf(Verdict verdict, std::string_view granularity = "per_tensor") {
  return ExampleCell("QuantizeLinear", 21,
                     {DataType::kFloat, DataType::kFloat, DataType::kInt4}, granularity,
                     verdict);
}

Report ReportOfRows(std::vector<CellRecord> cells, RunInfo run = ExampleRun()) {
  run.selection.cells = static_cast<int64_t>(cells.size());
  return *BuildReport(run, std::move(cells), {}, true);
}

// What each word is where old and new are swapped.
ChangeKind Mirrored(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kRegressed:
      return ChangeKind::kFixed;
    case ChangeKind::kFixed:
      return ChangeKind::kRegressed;
    case ChangeKind::kNewlySupportedWrong:
    case ChangeKind::kNewlySupportedRight:
      return ChangeKind::kNoLongerSupported;
    case ChangeKind::kNewlyAsked:
      return ChangeKind::kNoLongerAsked;
    case ChangeKind::kNoLongerAsked:
      return ChangeKind::kNewlyAsked;
    default:
      return kind;
  }
}

// Expects the kinds of the only cell that changed, and their mirrors the other way round.
void ExpectKinds(const Report& before, const Report& after,
                 const std::vector<ChangeKind>& kinds, const std::string& what) {
  const ReportDiff diff = DiffReports(before, after);
  ASSERT_EQ(diff.cells.size(), 1u) << what;
  EXPECT_EQ(diff.cells[0].kinds, kinds) << what << "\n" << DiffText(diff);
  const ReportDiff back = DiffReports(after, before);
  ASSERT_EQ(back.cells.size(), 1u) << what;
  std::set<ChangeKind> mirrored;
  for (const ChangeKind kind : kinds) mirrored.insert(Mirrored(kind));
  // No longer supported, right or wrong, is one word.
  std::set<ChangeKind> seen;
  for (const ChangeKind kind : back.cells[0].kinds) {
    seen.insert(kinds.front() == ChangeKind::kNoLongerSupported &&
                        Mirrored(kind) == ChangeKind::kNoLongerSupported
                    ? ChangeKind::kNewlySupportedRight
                    : kind);
  }
  if (kinds.front() == ChangeKind::kNoLongerSupported) {
    mirrored = {ChangeKind::kNewlySupportedRight};
  }
  EXPECT_EQ(seen, mirrored) << what << " the other way round";
}

TEST(Diff, EveryStepOfVerdict_HasItsKindBothWaysRound) {
  using enum Verdict;
  using enum ChangeKind;
  const std::tuple<Verdict, Verdict, ChangeKind> steps[] = {
      {kConformant, kNonconformant, kRegressed},
      {kAdmissible, kUnsupported, kNoLongerSupported},
      {kNonconformant, kUnsupported, kNoLongerSupported},
      {kConformant, kMistrusted, kRegressed},
      {kUnsupported, kMistrusted, kNewlySupportedRight},
      {kUnsupported, kCrashed, kNewlySupportedWrong},
      {kUnsupported, kNonconformant, kNewlySupportedWrong},
      {kUnsupported, kConformant, kNewlySupportedRight},
      {kUnsupported, kPartial, kNewlySupportedRight},
      {kPartial, kConformant, kNewlySupportedRight},
      {kPartial, kNonconformant, kNewlySupportedWrong},
      {kConformant, kFailed, kRegressed},
      {kFailed, kCrashed, kRegressed},
      {kConformant, kUntested, kNoLongerAsked},
      {kNonconformant, kUntested, kNoLongerAsked},
      {kUntested, kUnsupported, kNewlyAsked},
      {kUntested, kNonconformant, kNewlyAsked},  // nothing was known of it
      {kConformant, kAdmissible, kOtherAnswers},
      {kNonconformant, kConformant, kFixed},
      {kConformant, kRefusedLegal, kRegressed},
      {kPartial, kRefusedLegal, kRegressed},
      {kUnsupported, kRefusedLegal, kRegressed},
      {kRefusedLegal, kAdmissible, kFixed},
      {kRefusedLegal, kUnsupported, kFixed},
      {kNonconformant, kRefusedLegal, kNoLongerSupported},
      {kRefusedLegal, kCrashed, kNewlySupportedWrong}};
  int tried = 0;
  for (const auto& [before, after, kind] : steps) {
    const std::string what =
        std::string(VerdictName(before)) + " -> " + std::string(VerdictName(after));
    const Report old_report = ReportOfRows({RowOf(before)});
    const Report new_report = ReportOfRows({RowOf(after)});
    ExpectKinds(old_report, new_report, {kind}, what);
    const ReportDiff diff = DiffReports(old_report, new_report);
    EXPECT_EQ(diff.cells[0].before, before);
    EXPECT_EQ(diff.cells[0].after, after);
    EXPECT_EQ(ExitCodeFor(diff),
              DefaultFailOn().contains(kind) ? ExitCode::kDeviation : ExitCode::kPass)
        << what;
    ++tried;
  }
  EXPECT_EQ(tried, 26);
}

// ONNX Runtime 1.32 beside 1.22: some tiers of a cell that it now takes are right.
TEST(Diff, NewlySupportedCellThatDeviates_IsNotCalledRight) {
  const auto row = [](Verdict regular, Verdict subnormal) {
    CellRecord cell = RowOf(regular);
    cell.forms = {{"inputs", {{"regular", regular}, {"subnormal", subnormal}}}};
    return ReportOfRows({cell});
  };
  using enum Verdict;
  const ReportDiff diff =
      DiffReports(row(kUnsupported, kUnsupported), row(kNonconformant, kConformant));
  ASSERT_EQ(diff.cells.size(), 1u);
  EXPECT_THAT(diff.cells[0].kinds, ElementsAre(ChangeKind::kNewlySupportedWrong));
}

// Kinds with both ways of being newly supported as one: the mirror of "no longer
// supported".
std::set<ChangeKind> WithOneNewlySupported(const std::vector<ChangeKind>& kinds) {
  std::set<ChangeKind> set;
  for (const ChangeKind kind : kinds) {
    set.insert(kind == ChangeKind::kNewlySupportedWrong ? ChangeKind::kNewlySupportedRight
                                                        : kind);
  }
  return set;
}

CellRecord RandomRow(std::mt19937& random) {
  const auto below = [&](size_t count) { return static_cast<size_t>(random() % count); };
  constexpr Verdict kVerdicts[] = {
      Verdict::kCrashed,    Verdict::kFailed,     Verdict::kNonconformant,
      Verdict::kMistrusted, Verdict::kPartial,    Verdict::kUnsupported,
      Verdict::kUntested,   Verdict::kAdmissible, Verdict::kConformant};
  CellRecord row = RowOf(kVerdicts[below(std::size(kVerdicts))]);
  for (FormRecord& form : row.forms) {
    for (TierRecord& tier : form.tiers) {
      if (below(4) == 0) tier.verdict = kVerdicts[below(std::size(kVerdicts))];
    }
  }
  if (!row.forms.empty()) row.verdict = CellVerdict(row.forms);
  for (TierCounts& tier : row.tiers) {
    if (IsDeviation(row.verdict)) tier.mismatches = static_cast<int64_t>(below(3));
  }
  row.cases = 64 + static_cast<int64_t>(below(4) == 0);
  row.declined = static_cast<int64_t>(below(3));
  if (below(3) == 0) row.reason = "words";
  return row;
}

TEST(Diff, OfAnyTwoRows_IsMirroredWhereTheyAreSwapped) {
  std::mt19937 random(36);
  int changed = 0;
  std::set<ChangeKind> seen;
  for (int i = 0; i < 2000; ++i) {
    const CellRecord one = RandomRow(random);
    const CellRecord other = RandomRow(random);
    RunInfo run = ExampleRun();
    if (i % 3 == 0) run.suite.digest = std::string(64, 'e');
    if (i % 5 == 0) run.backend.version = "another";
    const Report before = ReportOfRows({one});
    const Report after = ReportOfRows({other}, run);
    const std::vector<CellChange> there = DiffReports(before, after).cells;
    const std::vector<CellChange> back = DiffReports(after, before).cells;
    ASSERT_EQ(there.size(), back.size()) << i;
    if (there.empty()) continue;
    ++changed;
    std::set<ChangeKind> mirrored;
    for (const ChangeKind kind : WithOneNewlySupported(there[0].kinds)) {
      mirrored.insert(kind == ChangeKind::kNoLongerSupported
                          ? ChangeKind::kNewlySupportedRight
                          : Mirrored(kind));
    }
    EXPECT_EQ(WithOneNewlySupported(back[0].kinds), mirrored)
        << i << ": " << VerdictName(one.verdict) << " and " << VerdictName(other.verdict);
    seen.insert(there[0].kinds.begin(), there[0].kinds.end());
  }
  EXPECT_GT(changed, 1500);
  EXPECT_EQ(seen.size(), std::size(kChangeKinds));
}

// Only words of the backend, or of the program, differ: nobody answered otherwise.
TEST(Diff, OtherWordsForTheSameAnswers_AreNoChangeOfAnswers) {
  const CellRecord before = RowOf(Verdict::kFailed);
  CellRecord after = before;
  after.reason = "signal 9, in other words";
  after.counterexamples[0].message = after.reason;
  ExpectKinds(ReportOfRows({before}), ReportOfRows({after}), {ChangeKind::kOtherWords},
              "words");
  const ReportDiff words = DiffReports(ReportOfRows({before}), ReportOfRows({after}));
  EXPECT_THAT(words.findings, IsEmpty());
  EXPECT_EQ(words.findings_unchanged, 1);
  const CellRecord diagnosed = RowOf(Verdict::kNonconformant);
  CellRecord undiagnosed = diagnosed;
  undiagnosed.diagnosis.clear();
  ExpectKinds(ReportOfRows({undiagnosed}), ReportOfRows({diagnosed}),
              {ChangeKind::kOtherWords}, "a diagnosis");
  // A replay line is of the backend's name, and no change at all.
  CellRecord replay = diagnosed;
  replay.counterexamples[0].replay = "qconform replay --backend other";
  EXPECT_THAT(DiffReports(ReportOfRows({diagnosed}), ReportOfRows({replay})).cells,
              IsEmpty());
}

TEST(Diff, FewerWrongElements_AreFixedInPart) {
  const CellRecord after = RowOf(Verdict::kNonconformant);
  CellRecord before = after;
  before.tiers[0].mismatches = 17675;
  before.counterexamples[0].actual = {"0x84", "132"};
  const Report old_report = ReportOfRows({before});
  const Report new_report = ReportOfRows({after});
  ExpectKinds(old_report, new_report, {ChangeKind::kFixed}, "fewer");
  const ReportDiff diff = DiffReports(old_report, new_report);
  EXPECT_TRUE(diff.cells[0].in_part());
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kPass);
  EXPECT_THAT(diff.cells[0].what, ElementsAre("wrong elements was 17 678, is 17",
                                              HasSubstr("first counterexample was ")));
  ASSERT_EQ(diff.findings.size(), 1u);
  const std::string text = DiffText(diff);
  EXPECT_THAT(text, HasSubstr("cells     1 fixed, 1 of them in part; 0 unchanged\n"));
  EXPECT_THAT(text, HasSubstr("1 finding changed, 0 did not\n"));
  EXPECT_THAT(text, HasSubstr("fixed in part: cells 1, wrong elements 17 678 -> 17; "
                              "of its cells 1 fixed"));
  EXPECT_THAT(text, HasSubstr("fixed: 1 cell, 1 of them in part\n"));
}

// One tier got better, another one worse: both are said.
TEST(Diff, ACellOfWhichPartsGotBetterAndWorse_HasBothWords) {
  const CellRecord before = RowOf(Verdict::kNonconformant);
  CellRecord after = before;
  after.tiers[0].mismatches -= 3;
  after.tiers[1].mismatches += 3;
  ExpectKinds(ReportOfRows({before}), ReportOfRows({after}),
              {ChangeKind::kRegressed, ChangeKind::kFixed}, "both");
}

TEST(Diff, PartialCellThatDeviates_RegressedWhereAsMuchIsDeclined) {
  const CellRecord before = RowOf(Verdict::kPartial);
  CellRecord after = RowOf(Verdict::kNonconformant);
  after.declined = before.declined;
  ExpectKinds(ReportOfRows({before}), ReportOfRows({after}), {ChangeKind::kRegressed},
              "as much");
  CellRecord fewer = before;
  --fewer.declined;
  ExpectKinds(ReportOfRows({before}), ReportOfRows({fewer}),
              {ChangeKind::kNewlySupportedRight}, "fewer declined");
}

// The verdict of a report of version 1.x stood for two.
TEST(Diff, FailedBesideAReportOfVersion1_IsItsInvalidOutput) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const Report of_old =
      *BuildReport(run, {RowOf(Verdict::kInvalidOutput)}, {}, true, {}, "1.3.0");
  EXPECT_THAT(DiffReports(of_old, ReportOfRows({RowOf(Verdict::kFailed)})).cells,
              IsEmpty());
  EXPECT_THAT(DiffReports(ReportOfRows({RowOf(Verdict::kFailed)}), of_old).cells,
              IsEmpty());
  ExpectKinds(ReportOfRows({RowOf(Verdict::kInvalidOutput)}),
              ReportOfRows({RowOf(Verdict::kFailed)}), {ChangeKind::kRegressed},
              "of one version");
}

// A budget that was used must not look like a regression.
TEST(Diff, CellThatWasNotExplained_IsNoRegression) {
  CellRecord explained = RowOf(Verdict::kNonconformant);
  explained.deviation->follows = "QL-04:f32_quotient";
  CellRecord not_explained = RowOf(Verdict::kNonconformant);
  not_explained.deviation.reset();
  not_explained.diagnosis.clear();
  not_explained.not_explained = "the budget of 5 s was used";
  not_explained.tiers[0].mismatches += 5;
  for (const bool forth : {true, false}) {
    const Report a = ReportOfRows({forth ? explained : not_explained});
    const Report b = ReportOfRows({forth ? not_explained : explained});
    const ReportDiff diff = DiffReports(a, b);
    ASSERT_EQ(diff.cells.size(), 1u);
    EXPECT_THAT(diff.cells[0].kinds, ElementsAre(ChangeKind::kOtherAnswers));
    EXPECT_EQ(ExitCodeFor(diff), ExitCode::kPass);
  }
  // Where both count from the canonical readings, more is worse.
  explained.deviation->follows.clear();
  EXPECT_THAT(DiffReports(ReportOfRows({explained}), ReportOfRows({not_explained}))
                  .cells[0]
                  .kinds,
              ElementsAre(ChangeKind::kRegressed));
}

// Reports before 2.1 said `unsupported` of a backend that refuses legal models.
TEST(Diff, RefusedLegalBesideAReportOfVersion20_IsWhatThatOneSays) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  for (const Verdict before : {Verdict::kUnsupported, Verdict::kPartial}) {
    CellRecord row = RowOf(Verdict::kRefusedLegal);
    CellRecord old_row = RowOf(before);
    old_row.tiers = row.tiers;
    old_row.coverage = row.coverage;
    old_row.free = row.free;
    old_row.dynamic_shapes = row.dynamic_shapes;
    old_row.reason = row.reason;
    if (before == Verdict::kUnsupported) {
      row.refused_legal = row.cases;
    } else {
      old_row.declined = row.refused_legal;
    }
    const Report of_old = *BuildReport(run, {old_row}, {}, true, {}, "2.0.0");
    EXPECT_THAT(DiffReports(of_old, ReportOfRows({row})).cells, IsEmpty())
        << VerdictName(before);
    EXPECT_THAT(DiffReports(ReportOfRows({row}), of_old).cells, IsEmpty());
    EXPECT_EQ(DiffReports(ReportOfRows({old_row}), ReportOfRows({row})).cells.size(), 1u);
  }
}

TEST(Diff, VerdictOfALaterVersion_IsNeitherBetterNorWorse) {
  CellRecord later = RowOf(Verdict::kConformant);
  const Verdict word = *VerdictOfLaterVersion("refused_somehow");
  later.verdict = word;
  for (FormRecord& form : later.forms) {
    for (TierRecord& tier : form.tiers) tier.verdict = word;
  }
  ExpectKinds(ReportOfRows({RowOf(Verdict::kConformant)}), ReportOfRows({later}),
              {ChangeKind::kOtherAnswers}, "later");
}

TEST(Diff, AnotherSuiteAskingTheSameBackend_AsksMoreOrJudgesOtherwise) {
  RunInfo run = ExampleRun();
  run.suite.digest = std::string(64, 'e');
  const CellRecord before = RowOf(Verdict::kConformant);
  CellRecord after = RowOf(Verdict::kNonconformant);
  ExpectKinds(ReportOfRows({before}), ReportOfRows({after}, run),
              {ChangeKind::kJudgedOtherwise}, "as many cases");
  after.cases += 10;
  ExpectKinds(ReportOfRows({before}), ReportOfRows({after}, run),
              {ChangeKind::kNewlyAsked}, "more cases");
  EXPECT_EQ(ExitCodeFor(DiffReports(ReportOfRows({before}), ReportOfRows({after}, run))),
            ExitCode::kIncomplete);
  run.backend.version = "another";
  ExpectKinds(ReportOfRows({before}), ReportOfRows({after}, run),
              {ChangeKind::kRegressed}, "another backend, too");
}

TEST(Diff, FailOn_SaysWhichWordsFail) {
  const ReportDiff diff = DiffReports(ReportOfRows({RowOf(Verdict::kUnsupported)}),
                                      ReportOfRows({RowOf(Verdict::kNonconformant)}));
  EXPECT_EQ(ExitCodeFor(diff), ExitCode::kDeviation);
  const auto code = [&](const char* list) {
    return ExitCodeFor(diff, ParseFailOn(list).value());
  };
  EXPECT_EQ(code("regressed,no_longer_supported"), ExitCode::kPass);
  EXPECT_EQ(code("fixed,newly_supported_wrong"), ExitCode::kDeviation);
  EXPECT_EQ(code("none"), ExitCode::kPass);
  EXPECT_THAT(DiffMarkdown(diff, 50, {}), HasSubstr("### \u2705"));
  for (const char* list : {"regression", "", "regressed,", "none,fixed"}) {
    const auto parsed = ParseFailOn(list);
    ASSERT_FALSE(parsed) << list;
    EXPECT_THAT(parsed.error().message, HasSubstr("--fail-on: expected a list"));
  }
  for (const ChangeKind kind : AllChangeKinds()) {
    EXPECT_EQ(ParseChangeKind(ChangeKindName(kind)), kind);
  }
}

TEST(Diff, DiagnosisThatReplacesUndiagnosed_LinksTheFindings) {
  const CellRecord diagnosed = RowOf(Verdict::kNonconformant);
  CellRecord undiagnosed = diagnosed;
  undiagnosed.diagnosis.clear();
  const ReportDiff diff =
      DiffReports(ReportOfRows({undiagnosed}), ReportOfRows({diagnosed}));
  ASSERT_EQ(diff.findings.size(), 2u);
  const std::string stem = "QuantizeLinear/since_10/QL-10/";
  for (const FindingChange& change : diff.findings) {
    const bool gone = change.finding == stem + "undiagnosed/float32-packed_integer";
    EXPECT_EQ(change.cells_before, gone ? 1 : 0);
    EXPECT_EQ(change.cells_after, gone ? 0 : 1);
    EXPECT_THAT(gone ? change.replaced_by : change.replaces,
                ElementsAre(stem + (gone ? "ties_away" : "undiagnosed") +
                            "/float32-packed_integer"));
  }
  EXPECT_THAT(DiffText(diff),
              HasSubstr("renamed: cells 1 -> 0, wrong elements 17 -> 0; of its cells 1 "
                        "same answers, other words; now " +
                        stem));
}

TEST(Diff, ChangesAreGroupedByFinding) {
  const std::vector<CellRecord> before = {RowOf(Verdict::kUnsupported),
                                          RowOf(Verdict::kUnsupported, "per_axis"),
                                          RowOf(Verdict::kUnsupported, "blocked")};
  CellRecord other = RowOf(Verdict::kNonconformant, "per_axis");
  other.diagnosis.clear();
  const ReportDiff diff = DiffReports(
      ReportOfRows(before), ReportOfRows({RowOf(Verdict::kNonconformant), other,
                                          RowOf(Verdict::kConformant, "blocked")}));
  const std::string text = DiffText(diff);
  EXPECT_THAT(text, HasSubstr("cells     2 newly supported, wrong; 1 newly supported, "
                              "right; 0 unchanged\n"));
  EXPECT_THAT(text, HasSubstr("2 findings changed, 0 did not\n"));
  EXPECT_THAT(text, HasSubstr("\nnewly supported, wrong: 2 cells\n"
                              "  QuantizeLinear/since_10/QL-10/ties_away/"
                              "float32-packed_integer: 1 cell\n"));
  EXPECT_THAT(text, HasSubstr("\n  QuantizeLinear/since_10/QL-10/undiagnosed/"
                              "float32-packed_integer: 1 cell\n"));
  EXPECT_THAT(DiffMarkdown(diff), HasSubstr("| new | cells 0 -&gt; 1"));
}

// The verdict of a cell is its worst one, and hides what happens beside it.
TEST(Diff, ATierThatDeviatesNow_IsARegressionUnderTheSameVerdict) {
  CellRecord before = RowOf(Verdict::kNonconformant);
  before.forms = {{"inputs",
                   {{"regular", Verdict::kConformant},
                    {"degenerate_scale", Verdict::kNonconformant}}},
                  {"initializers", {{"regular", Verdict::kConformant}}}};
  before.opset_versions = {{21, Verdict::kNonconformant}, {22, Verdict::kConformant}};
  const auto kind_with = [&](const auto& change) {
    CellRecord after = before;
    change(&after);
    after.diagnosis = "truncates";
    const ReportDiff diff = DiffReports(ReportOfRows({before}), ReportOfRows({after}));
    const ChangeKind kind = diff.cells.at(0).kinds.at(0);
    EXPECT_EQ(ExitCodeFor(diff),
              DefaultFailOn().contains(kind) ? ExitCode::kDeviation : ExitCode::kPass);
    return std::pair(kind, diff.cells.at(0).what.at(0));
  };
  using testing::Pair;
  EXPECT_THAT(kind_with([](CellRecord* after) {
                after->forms[0].tiers[0].verdict = Verdict::kNonconformant;
              }),
              Pair(ChangeKind::kRegressed,
                   "tier regular of inputs was conformant, is nonconformant"));
  EXPECT_THAT(kind_with([](CellRecord* after) {
                after->forms[1].tiers[0].verdict = Verdict::kUnsupported;
              }),
              Pair(ChangeKind::kNoLongerSupported,
                   "tier regular of initializers was conformant, is unsupported"));
  EXPECT_THAT(kind_with([](CellRecord* after) {
                after->opset_versions[1].verdict = Verdict::kNonconformant;
              }),
              Pair(ChangeKind::kRegressed,
                   "verdict at opset_version 22 was conformant, is nonconformant"));
  EXPECT_THAT(kind_with([](CellRecord* after) {
                after->forms[0].tiers[0].verdict = Verdict::kAdmissible;
              }),
              Pair(ChangeKind::kOtherAnswers, HasSubstr("diagnosis was ")));
}

}  // namespace
}  // namespace qconform
