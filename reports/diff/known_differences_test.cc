#include "reports/diff/known_differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = KnownProblem::Kind;

constexpr std::string_view kToday = "2026-08-01";

CellRecord Cell(DataType output, Verdict verdict) {
  return ExampleCell("QuantizeLinear", 21, {DataType::kFloat, DataType::kFloat, output},
                     "per_tensor", verdict);
}

std::string Id(DataType output) { return Cell(output, Verdict::kUntested).cell; }

Report ReportWith(std::vector<CellRecord> cells) {
  RunInfo run = ExampleRun();
  run.selection.cells = static_cast<int64_t>(cells.size());
  return *BuildReport(run, std::move(cells), {}, true);
}

// UINT8 deviates (ties_away), INT8 crashes, UINT16 conforms.
Report ExampleOfThree() {
  return ReportWith({Cell(DataType::kUint8, Verdict::kNonconformant),
                     Cell(DataType::kInt8, Verdict::kCrashed),
                     Cell(DataType::kUint16, Verdict::kConformant)});
}

KnownDifference Entry(std::vector<std::string> cells, Verdict verdict) {
  KnownDifference entry;
  entry.cells = std::move(cells);
  entry.verdict = verdict;
  entry.reason = "a reason";
  return entry;
}

std::vector<Kind> Kinds(const KnownOutcome& outcome) {
  std::vector<Kind> kinds;
  for (const KnownProblem& problem : outcome.problems) kinds.push_back(problem.kind);
  return kinds;
}

TEST(KnownDifferences, ComeBackFromTheirTextAndAreValid) {
  KnownDifference full = Entry({"a", "b*"}, Verdict::kCrashed);
  full.backend = "onnxruntime*";
  full.diagnosis = "truncates";
  full.url = "https://example.com/1";
  full.owner = "somebody";
  full.expires = "2026-12-31";
  full.parts = {{{"regular", Verdict::kCrashed}}, {"inputs"}, {21, 22}};
  KnownDifference undiagnosed = Entry({"d"}, Verdict::kNonconformant);
  undiagnosed.undiagnosed = true;
  const KnownDifferences known = {full, Entry({"c"}, Verdict::kUnsupported), undiagnosed};
  const std::string text = KnownDifferencesText(known);
  const Result<KnownDifferences> read = ParseKnownDifferences(text, "known.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, known);
  EXPECT_EQ(SchemaViolations(KnownDifferencesSchema(), text), "");
}

TEST(KnownDifferences, Mistakes_AreNamedAndNotValid) {
  const auto document = [](const std::string& entry) {
    return "{\"known_differences_version\":\"1.0.0\",\"entries\":[" + entry + "]}";
  };
  const std::pair<std::string, const char*> mistakes[] = {
      {"{\"verdict\":\"crashed\",\"reason\":\"r\"}",
       "entries[0].cells: expected an array, got nothing"},
      {"{\"cells\":[],\"verdict\":\"crashed\",\"reason\":\"r\"}",
       "cells: expected ids of cells or patterns of them, got an empty list"},
      {"{\"cells\":[\"a\"],\"verdict\":\"conformant\",\"reason\":\"r\"}",
       "unsupported, got \"conformant\""},
      {"{\"cells\":[\"a\"],\"verdict\":\"untested\",\"reason\":\"r\"}",
       "unsupported, got \"untested\""},
      {"{\"cells\":[\"a\"],\"verdict\":\"bad\",\"reason\":\"r\"}",
       "verdict: expected one of crashed, timed_out, failed, invalid_output, "
       "nonconformant, refused_legal, mistrusted, partial, unsupported, got \"bad\""},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\"}",
       "reason: expected a string, got nothing"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"\"}",
       "reason: expected why it is so, got a blank text"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\" \\t\"}",
       "reason: expected why it is so, got a blank text"},
      {"{\"cells\":[\"a\",\"\"],\"verdict\":\"crashed\",\"reason\":\"r\"}",
       "cells: expected ids of cells or patterns of them, got a blank pattern"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"expires\":\"2026-"
       "13-01\"}",
       "expected a day such as 2026-12-31, got"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"expires\":\"2026-"
       "12-32\"}",
       "expected a day such as 2026-12-31, got"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"expire\":\"2026-12-"
       "01\"}",
       "entries[0]: expected the fields cells, backend, verdict, diagnosis, "
       "undiagnosed, finding, tiers, operand_forms, opset_versions, reason, url, owner, "
       "expires, got expire"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"tiers\":{}}",
       "tiers: expected what may deviate, or no such field, got an empty list"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"tiers\":"
       "{\"regular\":\"conformant\"}}",
       "unsupported, got \"conformant\""},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"operand_forms\":"
       "[]}",
       "operand_forms: expected what may deviate"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"opset_versions\":"
       "[]}",
       "opset_versions: expected what may deviate"},
      {"{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\",\"opset_versions\":"
       "[\"21\"]}",
       "opset_versions[0]: expected an integer from 0 up, got \"21\""}};
  for (const auto& [entry, words] : mistakes) {
    const Result<KnownDifferences> known =
        ParseKnownDifferences(document(entry), "known.json");
    ASSERT_FALSE(known) << entry;
    EXPECT_THAT(known.error().message, HasSubstr(words));
    EXPECT_THAT(known.error().message, HasSubstr("known.json"));
    EXPECT_NE(SchemaViolations(KnownDifferencesSchema(), document(entry)), "") << entry;
  }
  for (const char* key : {"backend", "diagnosis", "url", "owner", "expires"}) {
    for (const char* blank : {"", "  "}) {
      const std::string entry =
          "{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":"
          "\"r\",\"" +
          std::string(key) + "\":\"" + blank + "\"}";
      const auto known = ParseKnownDifferences(document(entry), "k");
      ASSERT_FALSE(known) << entry;
      EXPECT_THAT(known.error().message,
                  HasSubstr("entries[0]." + std::string(key) + ": expected "));
      EXPECT_NE(SchemaViolations(KnownDifferencesSchema(), document(entry)), "") << entry;
    }
  }
  const std::string beside =
      "{\"known_differences_version\":\"1.0.0\",\"entries\":[],\"entry\":[]}";
  EXPECT_THAT(
      ParseKnownDifferences(beside, "k").error().message,
      HasSubstr("expected the fields known_differences_version, entries, got entry"));
  EXPECT_NE(SchemaViolations(KnownDifferencesSchema(), beside), "");
  // No schema knows the days of a month.
  for (const char* day :
       {"2026-02-29", "2026-04-31", "2026-00-10", "2026-10-00", "2026/12/31"}) {
    const auto known = ParseKnownDifferences(
        document("{\"cells\":[\"a\"],\"verdict\":\"crashed\",\"reason\":\"r\","
                 "\"expires\":\"" +
                 std::string(day) + "\"}"),
        "k");
    ASSERT_FALSE(known.ok()) << day;
    EXPECT_THAT(known.error().message,
                HasSubstr("expected a day such as 2026-12-31, got"));
  }
  EXPECT_THAT(ParseKnownDifferences(
                  "{\"known_differences_version\":\"2.0.0\",\"entries\":[]}", "k")
                  .error()
                  .message,
              HasSubstr("expected a version 1.x.y, got \"2.0.0\""));
}

TEST(ApplyKnownDifferences, DeviationsAsSaid_ArePassesForTheExitCodeAndStayVisible) {
  const Report report = ExampleOfThree();
  KnownDifference ties = Entry({"*-UINT8/*"}, Verdict::kNonconformant);
  ties.diagnosis = "ties_away";
  const KnownDifferences known = {ties, Entry({Id(DataType::kInt8)}, Verdict::kCrashed)};
  const KnownOutcome outcome = ApplyKnownDifferences(known, report, kToday);
  EXPECT_THAT(Kinds(outcome), IsEmpty());
  EXPECT_EQ(outcome.known_cells.size(), 2u);
  ASSERT_NE(outcome.Find(Id(DataType::kUint8)), nullptr);
  EXPECT_EQ(outcome.Find(Id(DataType::kUint8))->diagnosis, "ties_away");
  EXPECT_EQ(outcome.Find(Id(DataType::kUint16)), nullptr);
  EXPECT_EQ(ExitCodeFor(report, outcome, false), ExitCode::kPass);
  EXPECT_EQ(ExitCodeFor(report, false), ExitCode::kDeviation);
}

TEST(KnownText, SaysHowManyAreKnown_AndEachProblemOnALine) {
  const Report report = ExampleOfThree();
  const KnownDifferences known = {Entry({Id(DataType::kInt8)}, Verdict::kCrashed),
                                  Entry({Id(DataType::kUint8)}, Verdict::kInvalidOutput)};
  const std::string text =
      KnownText(ApplyKnownDifferences(known, report, kToday), report, "known\n.json");
  EXPECT_THAT(text, HasSubstr("1 of the cells are as known\\n.json says, 1 problem\n"));
  EXPECT_THAT(text, HasSubstr("\n  different_failure: " + Id(DataType::kUint8)));
}

// Else the exit code is 1 and nothing says why.
TEST(KnownText, ListsAHundredProblemsAndCountsTheRest) {
  KnownOutcome outcome;
  for (size_t i = 0; i < 40'000; ++i) {
    outcome.problems.push_back({KnownProblem::Kind::kNothingMatched, i, "", "no cell"});
  }
  const std::string text = KnownText(outcome, {}, "k");
  EXPECT_THAT(text, testing::HasSubstr("40 000 problems\n"));
  EXPECT_THAT(text, testing::HasSubstr("  and 39900 more\n"));
  EXPECT_LT(std::ranges::count(text, '\n'), 110);
}

TEST(KnownText, SaysWhatIsLeft) {
  NegativeRecord crash{.id = "QuantizeLinear@21/a",
                       .kind = "legal",
                       .clause = "QL-30",
                       .op_type = "QuantizeLinear",
                       .opset_version = 21,
                       .phase = "none",
                       .result = NegativeResult::kCrashed,
                       .text = "died"};
  Report report = ExampleOfThree();
  report = *BuildReport(report.run, report.cells,
                        {ExampleNodeTest("a", NodeVerdict::kDeviates)}, true, {crash});
  const KnownDifferences known = {Entry({Id(DataType::kInt8)}, Verdict::kCrashed)};
  const KnownOutcome outcome = ApplyKnownDifferences(known, report, kToday);
  EXPECT_EQ(ExitCodeFor(report, outcome, false), ExitCode::kDeviation);
  const std::string text = KnownText(outcome, report, "k");
  EXPECT_THAT(text, HasSubstr(", 0 problems\n"));
  EXPECT_THAT(text, HasSubstr("\n  1 cell deviates without a valid entry\n"));
  EXPECT_THAT(text, HasSubstr("\n  1 node test deviates; no entry can name them"));
  EXPECT_THAT(text, HasSubstr("\n  1 negative model deviates; no entry can name them: "
                              "--no-negative leaves them out\n"));
}

TEST(ApplyKnownDifferences, DeviationWithoutAnEntry_StillFails) {
  const Report report = ExampleOfThree();
  const KnownOutcome outcome = ApplyKnownDifferences(
      {Entry({Id(DataType::kInt8)}, Verdict::kCrashed)}, report, kToday);
  EXPECT_THAT(Kinds(outcome), IsEmpty());
  EXPECT_EQ(ExitCodeFor(report, outcome, false), ExitCode::kDeviation);
}

TEST(ApplyKnownDifferences, EachKindOfProblem_Fails) {
  const Report report = ExampleOfThree();
  KnownDifference other_diagnosis =
      Entry({Id(DataType::kUint8)}, Verdict::kNonconformant);
  other_diagnosis.diagnosis = "truncates";
  KnownDifference expired = Entry({Id(DataType::kInt8)}, Verdict::kCrashed);
  expired.expires = "2026-07-31";
  const std::pair<KnownDifference, Kind> problems[] = {
      {Entry({Id(DataType::kUint16)}, Verdict::kNonconformant), Kind::kUnexpectedPass},
      {Entry({Id(DataType::kUint8)}, Verdict::kCrashed), Kind::kDifferentFailure},
      {Entry({Id(DataType::kInt8)}, Verdict::kNonconformant), Kind::kDifferentFailure},
      {other_diagnosis, Kind::kDifferentFailure},
      {Entry({"*/99/*"}, Verdict::kCrashed), Kind::kNothingMatched},
      {expired, Kind::kExpired}};
  for (const auto& [entry, kind] : problems) {
    const KnownOutcome outcome = ApplyKnownDifferences({entry}, report, kToday);
    EXPECT_THAT(Kinds(outcome), ElementsAre(kind));
    EXPECT_THAT(outcome.known_cells, IsEmpty());
    EXPECT_EQ(ExitCodeFor(report, outcome, true), ExitCode::kDeviation);
    EXPECT_FALSE(outcome.problems[0].sentence.empty());
  }
}

TEST(ApplyKnownDifferences, ProblemAmongPasses_FailsToo) {
  const Report report = ReportWith({Cell(DataType::kUint8, Verdict::kConformant)});
  const KnownOutcome outcome =
      ApplyKnownDifferences({Entry({"*"}, Verdict::kNonconformant)}, report, kToday);
  EXPECT_THAT(Kinds(outcome), ElementsAre(Kind::kUnexpectedPass));
  EXPECT_EQ(ExitCodeFor(report, outcome, true), ExitCode::kDeviation);
  EXPECT_EQ(ExitCodeFor(report, KnownOutcome(), true), ExitCode::kPass);
}

TEST(ApplyKnownDifferences, RunThatWasCutOff_IsIncompleteAndUntestedCellsAccuseNoEntry) {
  const Report whole = ExampleOfThree();
  const Report report = *BuildReport(whole.run,
                                     {Cell(DataType::kUint8, Verdict::kNonconformant),
                                      Cell(DataType::kInt8, Verdict::kUntested),
                                      Cell(DataType::kUint16, Verdict::kConformant)},
                                     {}, /*finished=*/false);
  const KnownOutcome outcome =
      ApplyKnownDifferences({Entry({Id(DataType::kUint8)}, Verdict::kNonconformant),
                             Entry({Id(DataType::kInt8)}, Verdict::kCrashed)},
                            report, kToday);
  EXPECT_THAT(Kinds(outcome), IsEmpty());
  EXPECT_EQ(outcome.known_cells.size(), 1u);
  EXPECT_EQ(ExitCodeFor(report, outcome, true), ExitCode::kIncomplete);
  // Also where every cell has its row.
  const Report answered = *BuildReport(whole.run, whole.cells, {}, /*finished=*/false);
  const KnownOutcome known =
      ApplyKnownDifferences({Entry({Id(DataType::kUint8)}, Verdict::kNonconformant),
                             Entry({Id(DataType::kInt8)}, Verdict::kCrashed)},
                            answered, kToday);
  EXPECT_EQ(ExitCodeFor(answered, known, true), ExitCode::kIncomplete);
}

TEST(ApplyKnownDifferences, LastDay_StillCounts) {
  KnownDifference entry = Entry({Id(DataType::kInt8)}, Verdict::kCrashed);
  entry.expires = kToday;
  EXPECT_THAT(Kinds(ApplyKnownDifferences({entry}, ExampleOfThree(), kToday)), IsEmpty());
}

TEST(ApplyKnownDifferences, FirstEntryDecides_AndOneThatNeverDoesIsAProblem) {
  const KnownOutcome outcome =
      ApplyKnownDifferences({Entry({Id(DataType::kInt8)}, Verdict::kCrashed),
                             Entry({"*-UINT8/*"}, Verdict::kNonconformant),
                             Entry({"*-INT8/*"}, Verdict::kTimedOut)},
                            ExampleOfThree(), kToday);
  EXPECT_THAT(Kinds(outcome), ElementsAre(Kind::kNothingMatched));
  EXPECT_EQ(outcome.problems[0].entry, 2u);
}

TEST(ApplyKnownDifferences, EntriesOfOtherBackendsAndShards_AreNotAskedFor) {
  KnownDifference other = Entry({"*"}, Verdict::kCrashed);
  other.backend = "onnxruntime*";
  Report report = ExampleOfThree();
  EXPECT_THAT(Kinds(ApplyKnownDifferences({other}, report, kToday)), IsEmpty());
  const KnownDifferences misspelt = {
      Entry({Id(DataType::kInt8), "QuantiseLinear/*"}, Verdict::kCrashed)};
  const KnownOutcome outcome = ApplyKnownDifferences(misspelt, report, kToday);
  EXPECT_THAT(Kinds(outcome), ElementsAre(Kind::kNothingMatched));
  EXPECT_THAT(outcome.problems[0].sentence, HasSubstr("'QuantiseLinear/*'"));
  const KnownDifferences nothing = {Entry({"QuantizeLinear/99/*"}, Verdict::kCrashed)};
  EXPECT_THAT(Kinds(ApplyKnownDifferences(nothing, report, kToday)),
              ElementsAre(Kind::kNothingMatched));
  report.run.selection.shard = ShardRecord{0, 2, 3};
  EXPECT_THAT(Kinds(ApplyKnownDifferences(nothing, report, kToday)), IsEmpty());
  report.run.selection.shard.reset();
  report.run.selection.profile = "int8-core";
  EXPECT_THAT(Kinds(ApplyKnownDifferences(nothing, report, kToday)), IsEmpty());
}

// Whatever part of the lattice a report has.
TEST(ApplyKnownDifferences, EntryThatMatchesNoCellOfTheLattice_IsAProblemOfEveryReport) {
  const std::vector<std::string> lattice = {Id(DataType::kUint8), Id(DataType::kInt8),
                                            Id(DataType::kUint4)};
  Report report = ReportWith({Cell(DataType::kInt8, Verdict::kCrashed)});
  report.run.selection.cell_patterns = {Id(DataType::kInt8)};
  const KnownDifferences known = {
      Entry({Id(DataType::kInt8)}, Verdict::kCrashed),
      Entry({"*-UINT4/*"}, Verdict::kCrashed),      // elsewhere
      Entry({"*/99/nonsense"}, Verdict::kCrashed),  // nowhere
      Entry({"*-UINT4/*"}, Verdict::kTimedOut)};    // decided by entry 1
  const KnownOutcome outcome = ApplyKnownDifferences(known, report, kToday, lattice);
  EXPECT_THAT(Kinds(outcome), ElementsAre(Kind::kNothingMatched, Kind::kNothingMatched));
  EXPECT_EQ(outcome.problems[0].entry, 2u);
  EXPECT_THAT(outcome.problems[0].sentence, HasSubstr("'*/99/nonsense'"));
  EXPECT_EQ(outcome.problems[1].entry, 3u);
  EXPECT_THAT(outcome.problems[1].sentence, HasSubstr("entries before it decide"));
  EXPECT_EQ(ExitCodeFor(report, outcome, false), ExitCode::kDeviation);
  // A cell of another release's lattice is one too.
  const KnownDifferences other = {Entry({Id(DataType::kInt8)}, Verdict::kCrashed)};
  EXPECT_THAT(Kinds(ApplyKnownDifferences(other, report, kToday,
                                          std::vector{Id(DataType::kUint8)})),
              IsEmpty());
}

// Without a diagnosis; only the tier regular, the form inputs and opset_version 21.
CellRecord CellWithFewWrongElements() {
  CellRecord cell = Cell(DataType::kUint8, Verdict::kNonconformant);
  cell.diagnosis.clear();
  for (FormRecord& form : cell.forms) {
    for (TierRecord& tier : form.tiers) {
      const bool wrong = form.form == "inputs" && tier.tier == "regular";
      tier.verdict = wrong ? Verdict::kNonconformant : Verdict::kConformant;
    }
  }
  for (OpsetRecord& opset : cell.opset_versions) {
    const bool wrong = opset.opset_version == 21;
    opset.verdict = wrong ? Verdict::kNonconformant : Verdict::kConformant;
  }
  return cell;
}

TEST(ApplyKnownDifferences, DeviationInAPartThatIsNotNamed_IsADifferentFailure) {
  const CellRecord few = CellWithFewWrongElements();
  KnownDifference entry = Entry({few.cell}, Verdict::kNonconformant);
  entry.undiagnosed = true;
  entry.parts = {{{"regular", Verdict::kNonconformant}}, {"inputs"}, {21}};
  const auto apply = [&](const CellRecord& cell) {
    return ApplyKnownDifferences({entry}, ReportWith({cell}), kToday);
  };
  EXPECT_THAT(Kinds(apply(few)), IsEmpty());
  std::vector<std::pair<CellRecord, const char*>> others(
      5, {few,
          "is nonconformant, also in tier subnormal (nonconformant); entry 0 expects "
          "nonconformant (without a diagnosis) in tier regular (nonconformant), "
          "operand form inputs, opset_version 21"});
  others[0].first.forms[0].tiers[1].verdict = Verdict::kNonconformant;
  others[1] = {few, "also in tier regular (crashed);"};
  others[1].first.forms[0].tiers[0].verdict = Verdict::kCrashed;
  others[2] = {few, "also in operand form initializers;"};
  others[2].first.forms[1].tiers[0].verdict = Verdict::kNonconformant;
  others[3] = {few, "also in opset_version 22;"};
  others[3].first.opset_versions[1].verdict = Verdict::kNonconformant;
  others[4] = {few, "is nonconformant (truncates); entry 0"};
  others[4].first.diagnosis = "truncates";
  for (const auto& [cell, words] : others) {
    const KnownOutcome outcome = apply(cell);
    ASSERT_THAT(Kinds(outcome), ElementsAre(Kind::kDifferentFailure)) << words;
    EXPECT_THAT(outcome.problems[0].sentence, HasSubstr(words));
    // An entry of version 1.0 names no parts.
    EXPECT_THAT(Kinds(ApplyKnownDifferences({Entry({few.cell}, Verdict::kNonconformant)},
                                            ReportWith({cell}), kToday)),
                IsEmpty());
  }
}

TEST(UpdateKnownDifferences, EntryWithoutADiagnosis_NamesWhatDeviates) {
  const CellRecord few = CellWithFewWrongElements();
  const Report report = ReportWith({few, Cell(DataType::kInt4, Verdict::kNonconformant)});
  const auto updated = UpdateKnownDifferences({}, report, kToday);
  ASSERT_TRUE(updated) << updated.error().message;
  ASSERT_EQ(updated->size(), 2u);
  const CellParts parts = {{{"regular", Verdict::kNonconformant}}, {"inputs"}, {21}};
  EXPECT_TRUE((*updated)[0].undiagnosed);
  EXPECT_EQ((*updated)[0].parts, parts);
  EXPECT_FALSE((*updated)[1].undiagnosed);  // its diagnosis says more
  EXPECT_EQ((*updated)[1].parts, CellParts());
  EXPECT_THAT(Kinds(ApplyKnownDifferences(*updated, report, kToday)), IsEmpty());
  EXPECT_EQ(*UpdateKnownDifferences(*updated, report, kToday), *updated);
}

TEST(UpdateKnownDifferences, GivesAFileWithoutProblems) {
  const Report report = ReportWith({Cell(DataType::kUint8, Verdict::kNonconformant),
                                    Cell(DataType::kInt8, Verdict::kCrashed),
                                    Cell(DataType::kUint16, Verdict::kConformant),
                                    Cell(DataType::kInt4, Verdict::kNonconformant),
                                    Cell(DataType::kUint4, Verdict::kUnsupported)});
  KnownDifference elsewhere = Entry({"*"}, Verdict::kCrashed);
  elsewhere.backend = "other";
  KnownDifference expired = Entry({Id(DataType::kInt4)}, Verdict::kNonconformant);
  expired.expires = "2020-01-01";
  const KnownDifferences known = {elsewhere, expired,
                                  Entry({"*/UINT16/*", "*-UINT16/*", "*-UINT8/*"},
                                        Verdict::kNonconformant),  // one passes now
                                  Entry({"*/99/*"}, Verdict::kCrashed)};
  const Result<KnownDifferences> updated = UpdateKnownDifferences(known, report, kToday);
  ASSERT_TRUE(updated);
  const KnownOutcome outcome = ApplyKnownDifferences(*updated, report, kToday);
  EXPECT_THAT(Kinds(outcome), IsEmpty());
  EXPECT_EQ(ExitCodeFor(report, outcome, false), ExitCode::kPass);
  EXPECT_EQ((*updated)[0], elsewhere);
  EXPECT_THAT((*updated)[1].cells, ElementsAre(Id(DataType::kUint8)));
  EXPECT_EQ((*updated)[1].reason, "a reason");
  EXPECT_EQ(updated->size(), 5u);  // and INT8, INT4, UINT4 as entries of their own
  // Once more changes nothing.
  EXPECT_EQ(*UpdateKnownDifferences(*updated, report, kToday), *updated);
  EXPECT_TRUE(ParseKnownDifferences(KnownDifferencesText(*updated), "known.json"));
}

// Nobody answers for what comes back after its last day.
TEST(UpdateKnownDifferences, LastDays_StayWithEntriesThatHold) {
  const Report report = ReportWith({Cell(DataType::kUint8, Verdict::kNonconformant),
                                    Cell(DataType::kInt8, Verdict::kNonconformant)});
  KnownDifference holds = Entry({Id(DataType::kUint8)}, Verdict::kNonconformant);
  holds.expires = kToday;
  KnownDifference expired = Entry({Id(DataType::kInt8)}, Verdict::kNonconformant);
  expired.expires = "2020-01-01";
  expired.owner = "somebody";
  const auto updated = UpdateKnownDifferences({holds, expired}, report, kToday);
  ASSERT_EQ(updated->size(), 2u);
  EXPECT_EQ((*updated)[0], holds);
  EXPECT_THAT((*updated)[1].cells, ElementsAre(Id(DataType::kInt8)));
  EXPECT_EQ((*updated)[1].expires, "");
  EXPECT_EQ((*updated)[1].owner, "");
  EXPECT_NE((*updated)[1].reason, expired.reason);
}

TEST(UpdateKnownDifferences, PatternsThatStillHold_StayAsTheyWereWritten) {
  const Report report = ReportWith({Cell(DataType::kUint8, Verdict::kNonconformant)});
  const KnownDifferences known = {Entry({"Quantize*-UINT8/*"}, Verdict::kNonconformant)};
  EXPECT_EQ(*UpdateKnownDifferences(known, report, kToday), known);
  // A pattern beside them that matches no cell any more goes.
  const auto updated = UpdateKnownDifferences(
      {Entry({"Quantize*-UINT8/*", "*/99/*"}, Verdict::kNonconformant)}, report, kToday);
  ASSERT_EQ(updated->size(), 1u);
  EXPECT_THAT((*updated)[0].cells, ElementsAre(Id(DataType::kUint8)));
}

// What leaves an entry does not fall to the patterns of one behind it.
TEST(UpdateKnownDifferences, CellsThatLeaveAnEntry_FallToNoOtherEntry) {
  const Report report = ExampleOfThree();
  const KnownDifferences known = {
      Entry({Id(DataType::kUint16)}, Verdict::kCrashed),  // passes now
      Entry({Id(DataType::kInt8)}, Verdict::kPartial),    // crashes now
      Entry({"Quantize*"}, Verdict::kNonconformant)};
  const auto updated = UpdateKnownDifferences(known, report, kToday);
  ASSERT_TRUE(updated) << updated.error().message;
  EXPECT_THAT(Kinds(ApplyKnownDifferences(*updated, report, kToday)), IsEmpty());
  ASSERT_EQ(updated->size(), 2u);
  EXPECT_THAT((*updated)[0].cells, ElementsAre(Id(DataType::kUint8)));
  EXPECT_THAT((*updated)[1].cells, ElementsAre(Id(DataType::kInt8)));
}

TEST(UpdateKnownDifferences, Plugin_IsNamedWhateverItsFolder) {
  Report report = ReportWith({Cell(DataType::kInt8, Verdict::kCrashed)});
  report.run.backend.name = "plugin:./build/f1.so";
  KnownDifferences known = UpdateKnownDifferences({}, report, kToday).value();
  EXPECT_EQ(known[0].backend, "plugin:f1.so");
  for (const char* entry : {"plugin:f1.so", "plugin:./f1.so"}) {
    known[0].backend = entry;
    for (const char* name :
         {"plugin:./build/f1.so", "plugin:f1.so", "plugin:/opt/f1.so"}) {
      report.run.backend.name = name;
      EXPECT_EQ(ApplyKnownDifferences(known, report, kToday).known_cells.size(), 1u)
          << entry << " " << name;
    }
    report.run.backend.name = "plugin:./f2.so";
    EXPECT_THAT(ApplyKnownDifferences(known, report, kToday).known_cells, IsEmpty());
  }
}

// Such as one that answers tensors without elements alone.
TEST(UpdateKnownDifferences, UntestedCellOfACompleteRun_GetsNoEntry) {
  const Report report = ReportWith({Cell(DataType::kUint8, Verdict::kUntested),
                                    Cell(DataType::kInt8, Verdict::kCrashed)});
  ASSERT_TRUE(report.complete);
  const auto updated = UpdateKnownDifferences({}, report, kToday);
  ASSERT_TRUE(updated) << updated.error().message;
  ASSERT_EQ(updated->size(), 1u);
  EXPECT_THAT((*updated)[0].cells, ElementsAre(Id(DataType::kInt8)));
}

TEST(UpdateKnownDifferences, ReportOfSomeCells_IsRefused) {
  Report report = ExampleOfThree();
  report.run.selection.cell_patterns = {"*UINT8*"};
  EXPECT_FALSE(UpdateKnownDifferences({}, report, kToday));
}

}  // namespace
}  // namespace qconform
