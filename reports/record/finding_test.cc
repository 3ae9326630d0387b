#include "reports/record/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/diff/known_differences.h"
#include "reports/record/evidence.h"
#include "reports/report/report.h"
#include "reports/show/markdown.h"
#include "reports/show/summary/summary.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Lt;

CellRecord FoundRow(Verdict verdict, DataType output = DataType::kInt8,
                    int since_version = 21, std::string_view granularity = "per_tensor") {
  return ExampleCell("QuantizeLinear", since_version,
                     {DataType::kFloat, DataType::kFloat, output}, granularity, verdict);
}

std::vector<std::string> Texts(const CellRecord& row) {
  std::vector<std::string> texts;
  for (const FindingId& id : FindingsIn(row)) texts.push_back(id.Text());
  return texts;
}

TEST(Finding, IsOperatorGroupClauseDiagnosisAndClassesOfTypes) {
  EXPECT_THAT(Texts(FoundRow(Verdict::kNonconformant)),
              ElementsAre("QuantizeLinear/since_10/QL-10/ties_away/float32-integer"));
  EXPECT_THAT(
      Texts(FoundRow(Verdict::kNonconformant, DataType::kUint4, 25)),
      ElementsAre("QuantizeLinear/since_23/QL-10/ties_away/float32-packed_integer"));
  const CellRecord mat_mul = ExampleCell(
      "QLinearMatMul", 10,
      {DataType::kFloat, DataType::kUint8, DataType::kInt8, DataType::kFloat8E5M2},
      "per_tensor-per_tensor", Verdict::kNonconformant);
  EXPECT_THAT(
      Texts(mat_mul),
      ElementsAre("QLinearMatMul/since_10/QL-10/ties_away/float32+integer-float8"));
}

// Reports of before had the names in the order of the search.
TEST(Finding, NamesOfADiagnosis_AreSorted) {
  CellRecord row = FoundRow(Verdict::kNonconformant);
  row.diagnosis = "truncates or wraps_at_output+ties_away or a+b";
  EXPECT_THAT(Texts(row),
              ElementsAre("QuantizeLinear/since_10/QL-10/a+b or "
                          "ties_away+wraps_at_output or truncates/float32-integer"));
}

TEST(DiagnosisText, OfSeveralModels_NamesAll) {
  CellRecord row = FoundRow(Verdict::kNonconformant);
  row.diagnosis = "ties_away or truncates";
  row.deviation->also_explained_by = {"ties_away", "truncates"};
  row.deviation->indistinguishable_from.clear();
  const std::string text = DiagnosisText(row);
  EXPECT_THAT(text, HasSubstr("Explained by ties_away or truncates."));
  EXPECT_THAT(text, HasSubstr("No case that was asked distinguishes these."));
}

TEST(DiagnosisText, OfASecondAnswerAlone_SaysWhyNoModelIsNamed) {
  CellRecord row = FoundRow(Verdict::kNonconformant);
  row.diagnosis.clear();
  row.deviation.reset();
  for (TierCounts& tier : row.tiers) tier.mismatches = 0;
  row.counterexamples.resize(1);
  row.counterexamples[0].second_answer = SecondAnswer{.changed = kChangedPosition};
  EXPECT_THAT(DiagnosisText(row), HasSubstr("asked again differs (changed: position)"));
}

TEST(Finding, OfAClauseThatIsNewer_HasTheGroupOfTheClause) {
  OperatorRecord record;
  record.rules_since = {10, 23};
  record.clauses_since = {{"QL-27", 28}};
  EXPECT_EQ(record.GroupOf(28, "QL-27"), "since_28");
  EXPECT_EQ(record.GroupOf(28, "QL-10"), "since_23");
  EXPECT_EQ(record.GroupOf(28, ""), "since_23");
  EXPECT_EQ(record.GroupOf(21, "QL-10"), "since_10");
}

TEST(Finding, RowsThatDoNotDeviate_HaveNone) {
  for (const Verdict verdict : AllVerdicts()) {
    EXPECT_EQ(FindingsIn(FoundRow(verdict)).empty(), !IsDeviation(verdict))
        << VerdictName(verdict);
  }
}

TEST(Finding, WithoutOutput_HasTheVerdictForADiagnosis) {
  EXPECT_THAT(Texts(FoundRow(Verdict::kFailed)),
              ElementsAre("QuantizeLinear/since_10/-/failed/float32-integer"));
  // One that also gave wrong bits elsewhere has that finding, too.
  CellRecord both = FoundRow(Verdict::kNonconformant);
  both.verdict = Verdict::kCrashed;
  EXPECT_THAT(Texts(both),
              ElementsAre("QuantizeLinear/since_10/-/crashed/float32-integer",
                          "QuantizeLinear/since_10/QL-10/ties_away/float32-integer"));
}

// Three errors may leave no room for an element.
TEST(Finding, OfBits_ShowsNoErrorForAnExample) {
  CellRecord row = FoundRow(Verdict::kFailed);
  for (Counterexample& example : row.counterexamples) example.index.reset();
  ASSERT_FALSE(row.counterexamples.empty());
  row.tiers = FoundRow(Verdict::kNonconformant).tiers;
  row.diagnosis = "ties_away";
  const std::vector<FindingRecord> found = FindFindings(std::vector{row});
  ASSERT_EQ(found.size(), 2u);
  for (const FindingRecord& finding : found) {
    EXPECT_EQ(finding.example.has_value(), finding.id.diagnosis == "failed");
  }
}

// What a seed or a run changes: counts, which element is shown, replay lines, patterns,
// words, granularity and the order of the models of a diagnosis.
TEST(Finding, IsTheSameForOtherSeedsAndRuns) {
  CellRecord row = FoundRow(Verdict::kNonconformant);
  row.diagnosis = "truncates+ties_away";
  const std::vector<FindingId> id = FindingsIn(row);
  CellRecord other = FoundRow(Verdict::kNonconformant, DataType::kUint8, 19, "per_axis");
  other.diagnosis = "ties_away+truncates";
  other.tiers[0].mismatches += 100;
  other.reason = "words";
  other.deviation->pattern = {"only ties", "only odd rows"};
  for (Counterexample& example : other.counterexamples) {
    example.case_id += "9";
    example.actual = {"0x01", "1"};
    example.replay += " --seed 7";
  }
  EXPECT_EQ(FindingsIn(other), id);
  EXPECT_THAT(id[0].Text(), HasSubstr("/ties_away+truncates/"));
}

TEST(Finding, ADiagnosisReplacesUndiagnosed_OfTheSameFindingOtherwise) {
  CellRecord row = FoundRow(Verdict::kNonconformant);
  const FindingId diagnosed = FindingsIn(row)[0];
  row.diagnosis.clear();
  const FindingId before = FindingsIn(row)[0];
  EXPECT_EQ(before.diagnosis, kUndiagnosed);
  EXPECT_TRUE(diagnosed.IsOtherNameOf(before));
  EXPECT_TRUE(before.IsOtherNameOf(diagnosed));
  EXPECT_FALSE(diagnosed.IsOtherNameOf(diagnosed));
  FindingId clause = diagnosed;
  clause.clause = "QL-11";
  EXPECT_TRUE(clause.IsOtherNameOf(diagnosed));
  clause.diagnosis = "truncates";
  EXPECT_FALSE(clause.IsOtherNameOf(diagnosed));
  EXPECT_FALSE(diagnosed.IsOtherNameOf(
      FindingsIn(FoundRow(Verdict::kNonconformant, DataType::kInt4))[0]));
}

TEST(Finding, TypesOfAllWidths_HaveAClass) {
  for (const DataType type : AllDataTypes()) EXPECT_NE(TypeClass(type), "other");
  EXPECT_EQ(TypeClass(DataType::kInt32), "integer");
  EXPECT_EQ(TypeClass(DataType::kBfloat16), "float16");
  EXPECT_EQ(TypeClass(DataType::kFloat8E4M3FN), "float8");
  EXPECT_EQ(TypeClass(DataType::kFloat4E2M1), "packed_float");
  EXPECT_EQ(TypeClass(DataType::kUndefined), "other");
}

TEST(FindFindings, OfMostCellsComesFirst_WithItsSmallestExample) {
  CellRecord large = FoundRow(Verdict::kNonconformant);
  for (Counterexample& example : large.counterexamples) {
    example.operands[0].value.value = "0x1.23456p+100";
  }
  const CellRecord small = FoundRow(Verdict::kNonconformant, DataType::kUint8, 19);
  const std::vector<CellRecord> rows = {FoundRow(Verdict::kCrashed), large, small,
                                        FoundRow(Verdict::kConformant, DataType::kInt16)};
  const std::vector<FindingRecord> findings = FindFindings(rows);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].id.diagnosis, "ties_away");
  EXPECT_THAT(findings[0].cells, ElementsAre(large.cell, small.cell));
  EXPECT_THAT(findings[0].since_versions, ElementsAre(19, 21));
  EXPECT_EQ(findings[0].elements, large.mismatches() + small.mismatches());
  EXPECT_EQ(findings[0].patterns, (std::map<std::string, int64_t>{{"only ties", 2}}));
  EXPECT_EQ(findings[0].example, small.counterexamples[0]);
  EXPECT_EQ(findings[1].id.diagnosis, "crashed");
  EXPECT_EQ(findings[1].elements, 0);
  EXPECT_THAT(FindFindings({}), IsEmpty());
}

TEST(ApplyKnownDifferences, EntryOfAFinding_AnswersForItAlone) {
  const CellRecord cell = FoundRow(Verdict::kNonconformant);
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const Report report = *BuildReport(run, {cell}, {}, true);
  KnownDifference entry;
  entry.cells = {cell.cell};
  entry.reason = "a reason";
  entry.finding = "QuantizeLinear/*/QL-10/*/float32-integer";
  const char* today = "2026-08-01";
  EXPECT_NE(ApplyKnownDifferences({entry}, report, today).Find(cell.cell), nullptr);
  entry.finding = "QuantizeLinear/*/QL-11/*";
  const KnownOutcome other = ApplyKnownDifferences({entry}, report, today);
  EXPECT_EQ(other.Find(cell.cell), nullptr);
  ASSERT_FALSE(other.problems.empty());
  EXPECT_EQ(other.problems[0].kind, KnownProblem::Kind::kDifferentFailure);
  EXPECT_THAT(other.problems[0].sentence,
              HasSubstr("finding " + FindingsIn(cell)[0].Text() +
                        "; entry 0 expects nonconformant, finding "
                        "QuantizeLinear/*/QL-11/*"));
  const std::string text = KnownDifferencesText({entry});
  EXPECT_EQ(SchemaViolations(KnownDifferencesSchema(), text), "");
  const auto read = ParseKnownDifferences(text, "known.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)[0], entry);
}

TEST(FindFindings, ReportsListThemFirst) {
  const Report report = ExampleReport();
  ASSERT_EQ(report.findings.size(), 5u);
  const std::string id = report.findings[0].id.Text();
  const std::string text = ReportText(report);
  EXPECT_THAT(text, HasSubstr("\"findings\":[\n{\"finding\":\"" + id + "\""));
  EXPECT_LT(text.find("\"findings\":"), text.find("\"cells\":[\n"));
  const std::string summary = DetailedSummaryText(report, {});
  EXPECT_LT(summary.find(id), summary.find("verdict  "));
  const std::string markdown = MarkdownText(report, nullptr);
  EXPECT_LT(markdown.find(id), markdown.find("| verdict |"));
}

}  // namespace
}  // namespace qconform
