#include "reports/report/row_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/base/file.h"
#include "oracle/base/sha256.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

CellRecord Example(Verdict verdict) {
  return ExampleCell("QuantizeLinear", 21,
                     {DataType::kFloat, DataType::kFloat, DataType::kInt8}, "blocked",
                     verdict);
}

std::string Sentences(const CellRecord& row) {
  std::string text;
  for (const Contradiction& one :
       ContradictionsIn(row, OperatorRecordOf({}, row.op_type)))
    text += one.sentence + "\n";
  return text;
}

Report ReportOf(CellRecord row, std::vector<NegativeRecord> negative = {}) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  return *BuildReport(run, {std::move(row)}, {}, true, std::move(negative));
}

TEST(RowRules, RowsOfEveryVerdict_HoldThem) {
  for (const Verdict verdict : AllVerdicts()) {
    EXPECT_EQ(Sentences(Example(verdict)), "") << VerdictName(verdict);
  }
  for (const CellRecord& row : WholeLattice(Verdict::kConformant)) {
    EXPECT_EQ(Sentences(row), "");
  }
}

TEST(RowRules, PublishedReports_AreRead) {
  int read = 0;
  const auto published = std::string(QCONFORM_SOURCE_DIR) + "/reports/published";
  for (const auto& file : std::filesystem::recursive_directory_iterator(published)) {
    const auto folder = file.path().parent_path();
    if (file.path().extension() != ".json" || folder.filename() == "cases") continue;
    if (folder.parent_path().filename() == "history") continue;
    const auto report = ReadReport(file.path());
    EXPECT_TRUE(report) << report.error().message;
    ++read;
  }
  EXPECT_GE(read, 100);
}

// What was whitewashed by hand, and cut together.
struct Edit {
  const char* name;
  Verdict of;
  std::function<void(CellRecord&)> apply;
  const char* words;
};

void Raise(CellRecord& row) {
  row.verdict = Verdict::kConformant;
  for (OpsetRecord& opset : row.opset_versions) opset.verdict = Verdict::kConformant;
  for (FormRecord& form : row.forms) {
    for (TierRecord& tier : form.tiers) tier.verdict = Verdict::kConformant;
  }
}

const Edit kEdits[] = {
    {"Headline", Verdict::kNonconformant,
     [](CellRecord& row) { row.verdict = Verdict::kConformant; },
     "is conformant, but its parts make it nonconformant"},
    {"AllVerdicts", Verdict::kNonconformant, Raise,
     "14 elements of tier regular mismatch, but it is conformant"},
    {"OpsetVersions", Verdict::kNonconformant,
     [](CellRecord& row) {
       for (OpsetRecord& opset : row.opset_versions) opset.verdict = Verdict::kConformant;
     },
     "per opset_version do not agree"},
    {"NoOpsetVersions", Verdict::kConformant,
     [](CellRecord& row) { row.opset_versions.clear(); }, "no opset_versions"},
    {"NoVerdicts", Verdict::kNonconformant, [](CellRecord& row) { row.forms.clear(); },
     "its parts make it untested"},
    {"Mismatches", Verdict::kNonconformant,
     [](CellRecord& row) { row.tiers[0].mismatches = 999'999; },
     "more mismatches than elements in tier regular"},
    {"NoMismatches", Verdict::kNonconformant,
     [](CellRecord& row) { row.tiers[0].mismatches = 0; }, "no mismatch is counted"},
    {"NoCases", Verdict::kConformant, [](CellRecord& row) { row.cases = 0; },
     "no case was asked"},
    {"Tier", Verdict::kConformant,
     [](CellRecord& row) {
       row.tiers[0].tier = "irregular";
       for (FormRecord& form : row.forms) form.tiers[0].tier = "irregular";
     },
     "the tier 'irregular', which does not exist"},
    {"Form", Verdict::kConformant, [](CellRecord& row) { row.forms[0].form = "fed"; },
     "the operand form 'fed'"},
    {"FormOfMatMul", Verdict::kConformant,
     [](CellRecord& row) { row.forms[0].form = "parameters"; },
     "the operand form 'parameters'"},
    {"OpsetBeforeItsDefinition", Verdict::kConformant,
     [](CellRecord& row) { row.opset_versions[0].opset_version = 20; },
     "opset_version 20, which is before its since_version"},
    {"JudgedAt", Verdict::kConformant,
     [](CellRecord& row) { row.judged_at_opset_version = 20; },
     "judged at opset 20, for which it has no verdict"},
    {"Id", Verdict::kConformant,
     [](CellRecord& row) { row.cell = "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor"; },
     "are not those of its id"},
    {"Type", Verdict::kConformant,
     [](CellRecord& row) { row.types[2] = DataType::kInt4; }, "are not those of its id"},
    {"Counterexample", Verdict::kConformant,
     [](CellRecord& row) {
       row.counterexamples = Example(Verdict::kNonconformant).counterexamples;
     },
     "has a counterexample, but is conformant"},
    {"NoCounterexample", Verdict::kCrashed,
     [](CellRecord& row) { row.counterexamples.clear(); }, "without a counterexample"},
    {"CaseOfAnotherCell", Verdict::kNonconformant,
     [](CellRecord& row) {
       row.counterexamples[0].case_id =
           "QuantizeLinear/21@22/FLOAT-FLOAT-INT4/blocked/inputs/saturate=1/ties/17";
     },
     "which does not belong to the cell"},
    {"Reading", Verdict::kConformant,
     [](CellRecord& row) { row.reading = "QL-04:f32_quotient"; }, "names a reading"},
    {"NoReading", Verdict::kAdmissible, [](CellRecord& row) { row.reading.clear(); },
     "is admissible without a reading"},
    {"Declined", Verdict::kPartial, [](CellRecord& row) { row.declined = 0; },
     "no case was declined"},
    {"AllDeclined", Verdict::kPartial, [](CellRecord& row) { row.declined = row.cases; },
     "is partial, but every case was declined"},
    {"MoreDeclinedThanAsked", Verdict::kPartial,
     [](CellRecord& row) { row.declined = row.cases + 1; },
     "declines more cases than there are"},
    {"RefusedLegalHidden", Verdict::kRefusedLegal,
     [](CellRecord& row) {
       Raise(row);
       row.counterexamples.clear();
     },
     "is conformant, but legal cases were refused"},
    {"RefusedLegalWithoutACase", Verdict::kRefusedLegal,
     [](CellRecord& row) { row.counterexamples.clear(); }, "without a counterexample"},
    {"MoreRefusedThanAsked", Verdict::kRefusedLegal,
     [](CellRecord& row) { row.refused_legal = row.cases + 1; },
     "declines more cases than there are"},
    {"SomeDeclined", Verdict::kUnsupported,
     [](CellRecord& row) { row.declined = row.cases - 1; },
     "is unsupported, but only some cases were declined"},
    {"Mistrusted", Verdict::kNonconformant,
     [](CellRecord& row) {
       row.verdict = Verdict::kMistrusted;
       row.counterexamples.clear();
     },
     "is mistrusted, but its parts make it nonconformant"},
    {"TierWithoutVerdict", Verdict::kConformant,
     [](CellRecord& row) {
       row.tiers.push_back({"accumulator_overflow", 5, 0});
     },
     "counts elements of tier accumulator_overflow, which has no verdict"},
    {"ExampleOfAnotherCell", Verdict::kAdmissible,
     [](CellRecord& row) {
       row.example = Example(Verdict::kNonconformant).counterexamples.at(0);
       row.example->case_id =
           "QuantizeLinear/21@22/FLOAT-FLOAT-INT4/blocked/inputs/saturate=1/ties/17";
     },
     "shows a case as an example that does not belong to the cell"},
    {"Time", Verdict::kConformant, [](CellRecord& row) { row.time_ms = -5; },
     "cell_times_ms[0]: expected a number from 0 up, got -5.0"},
};

class EditedRow : public testing::TestWithParam<Edit> {};

TEST_P(EditedRow, IsReadByNobody) {
  CellRecord row = Example(GetParam().of);
  GetParam().apply(row);
  const auto report = ParseReport(ReportText(ReportOf(row)), "r.json");
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr(GetParam().words));

  const TemporaryDirectory directory;
  const auto path = directory / "run.jsonl";
  {
    auto writer = JournalWriter::Create(path, ExampleRun());
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->Append(row));
  }
  EXPECT_FALSE(ReadJournal(path));
  Journal found;
  EXPECT_FALSE(JournalWriter::Resume(path, ExampleRun(), &found));
  // One reader tells of all rows itself.
  EXPECT_EQ(bool(ParseJournal(*ReadFile(path), "j", RowReading::kAsTheyStand)),
            row.time_ms >= 0);
}

INSTANTIATE_TEST_SUITE_P(All, EditedRow, testing::ValuesIn(kEdits),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RowRules, Error_NamesPlaceAndCell) {
  CellRecord row = Example(Verdict::kNonconformant);
  row.verdict = Verdict::kConformant;
  EXPECT_THAT(ParseReport(ReportText(ReportOf(row)), "r.json").error().message,
              AllOf(HasSubstr("r.json: QuantizeLinear/21/FLOAT-FLOAT-INT8/blocked: is "),
                    HasSubstr("its parts make it")));
}

// The lattice is not known here, but its versions that the rows have are.
TEST(RowRules, OpsetVersionOfALaterDefinition_IsReadByNobody) {
  CellRecord row = Example(Verdict::kConformant);
  row.opset_versions.back().opset_version = 25;
  EXPECT_TRUE(ParseReport(ReportText(ReportOf(row)), "r.json"));
  RunInfo run = ExampleRun();
  run.selection.cells = 2;
  const CellRecord later =
      ExampleCell("QuantizeLinear", 25, row.types, row.granularity, Verdict::kConformant);
  const Report both = *BuildReport(run, {row, later}, {}, true);
  EXPECT_THAT(ParseReport(ReportText(both), "r.json").error().message,
              HasSubstr("has opset_version 25, which selects QuantizeLinear-25"));
  EXPECT_THAT(ParseJournal(JournalText(run, {row, later}), "j").error().message,
              HasSubstr("j: " + row.cell + ": has opset_version 25"));
}

// The harness failed: the row says why, and nothing of the backend.
TEST(RowRules, Error_HasWordsAndNoVerdictsOfParts) {
  const CellRecord row = Example(Verdict::kError);
  EXPECT_EQ(ContradictionsIn(row, OperatorRecordOf({}, row.op_type)),
            std::vector<Contradiction>());
  CellRecord wrong = row;
  wrong.reason.clear();
  EXPECT_THAT(CheckRow("r", wrong, OperatorRecordOf({}, wrong.op_type)).error().message,
              HasSubstr("does not say what failed"));
  wrong = Example(Verdict::kConformant);
  wrong.verdict = Verdict::kError;
  EXPECT_THAT(CheckRow("r", wrong, OperatorRecordOf({}, wrong.op_type)).error().message,
              HasSubstr("is error, but its parts make it conformant"));
  wrong.forms = {{"inputs", {{"regular", Verdict::kError}}}};
  wrong.opset_versions = {{21, Verdict::kError}};
  EXPECT_THAT(CheckRow("r", wrong, OperatorRecordOf({}, wrong.op_type)).error().message,
              HasSubstr("is error, but has verdicts of operand forms"));
}

TEST(RowRules, NegativeModels_ComeToWhatTheirKindCan) {
  const auto error = [](const std::string& kind, NegativeResult result) {
    const NegativeRecord record{.id = "QuantizeLinear@21/a",
                                .kind = kind,
                                .clause = "QL-34",
                                .op_type = "QuantizeLinear",
                                .opset_version = 21,
                                .phase = "load",
                                .result = result,
                                .text = "words"};
    const auto read = ParseReport(
        ReportText(ReportOf(Example(Verdict::kConformant), {record})), "r.json");
    return read ? "" : read.error().message;
  };
  using R = NegativeResult;
  const std::pair<const char*, std::vector<R>> right[] = {
      {"invalid", {R::kLax, R::kRefused}},
      {"legal", {R::kPass, R::kDeclined, R::kRefusedLegal}},
      {"open", {R::kAccepted, R::kRefused}}};
  for (const auto& [kind, results] : right) {
    for (const R result : AllNegativeResults()) {
      const bool fits = IsDeviation(result) || result == R::kError ||
                        std::ranges::count(results, result) > 0;
      EXPECT_EQ(error(kind, result).empty(), fits)
          << kind << ", " << NegativeResultName(result);
    }
  }
  EXPECT_THAT(error("invalid", R::kPass),
              HasSubstr("is pass, which a model of the kind invalid cannot be"));
  EXPECT_THAT(error("odd", R::kCrashed),
              HasSubstr("kind: expected invalid, legal or open, got 'odd'"));
}

TEST(RowRules, NegativeDuration_IsNone) {
  Report report = ReportOf(Example(Verdict::kConformant));
  report.run.duration_s = -5;
  EXPECT_THAT(ParseReport(ReportText(report), "r.json").error().message,
              HasSubstr("run.duration_s: expected a number from 0 up, got -5.0"));
}

}  // namespace
}  // namespace qconform
