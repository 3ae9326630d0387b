#include "reports/show/summary/parts_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/show/summary/summary.h"
#include "reports/show/verdict_line.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(PartsText, TheWorstComeFirst) {
  const Report report =
      ExampleModelReport({ExamplePart("first", 0, Verdict::kConformant),
                          ExamplePart("/second/Conv", 1, Verdict::kNonconformant),
                          ExamplePart("third", 2, Verdict::kAdmissible)});
  const std::string text = SummaryText(report, {});
  EXPECT_EQ(text.find("! /second/Conv (QuantizeLinear, FLOAT-FLOAT-UINT8)"), 0u) << text;
  EXPECT_LT(text.find("/second/Conv"), text.find("third"));
  EXPECT_THAT(text, AllOf(HasSubstr("1 part conformant"), Not(HasSubstr("first")),
                          HasSubstr("2 parts: domain com.microsoft (attention, ...)")));
  EXPECT_THAT(DetailedSummaryText(report, {}), HasSubstr("first"));
  EXPECT_THAT(VerdictLine(report, ExitCode::kDeviation),
              HasSubstr("1 of 3 supported parts deviates"));
}

// Rows come in the order of the model, and the document is read again.
TEST(PartsText, AReportOfAModel_IsRead) {
  const Report report = ExampleModelReport({ExamplePart("b", 1, Verdict::kNonconformant),
                                            ExamplePart("a", 7, Verdict::kConformant),
                                            ExamplePart("c", 0, Verdict::kAdmissible)});
  ASSERT_EQ(report.cells.size(), 3u);
  EXPECT_EQ(report.cells[0].part->name, "c");
  EXPECT_EQ(report.cells[2].part->name, "a");
  const std::string text = ReportText(report);
  const auto read = ParseReport(text, "r.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->run.selection.model, report.run.selection.model);
  EXPECT_EQ(read->cells[1].part, report.cells[1].part);
  EXPECT_EQ(SchemaViolations(ReportSchema(), text), "");
}

TEST(PartsSideBySide, OnlyThoseThatDiffer) {
  const Report one = ExampleModelReport({ExamplePart("a", 0, Verdict::kConformant),
                                         ExamplePart("b", 1, Verdict::kNonconformant),
                                         ExamplePart("c", 2, Verdict::kAdmissible)});
  const Report other = ExampleModelReport({ExamplePart("a", 0, Verdict::kConformant),
                                           ExamplePart("b", 1, Verdict::kConformant),
                                           ExamplePart("c", 2, Verdict::kAdmissible)});
  const std::vector<BackendReport> both = {{"mine", &one},
                                           {"theirs opt_level=all", &other}};
  const std::string text = PartsSideBySide(both, {});
  EXPECT_THAT(text, AllOf(HasSubstr("b (QuantizeLinear"), HasSubstr("! mine"),
                          HasSubstr("ok theirs opt_level=all"), HasSubstr("expected"),
                          Not(HasSubstr("a (QuantizeLinear")),
                          HasSubstr("the backends differ about 1 of 3 parts")));
}

// A report may have a deviation of which no element is kept.
TEST(PartsSideBySide, ADeviationWithoutAnExample_DiffersFromOneThatHasOne) {
  const Report one = ExampleModelReport({ExamplePart("b", 1, Verdict::kNonconformant)});
  Report other = one;
  other.cells.front().counterexamples.clear();
  const std::vector<BackendReport> both = {{"mine", &one}, {"theirs", &other}};
  EXPECT_THAT(PartsSideBySide(both, {}),
              HasSubstr("the backends differ about 1 of 1 part"));
}

// Both are admissible, and so neither is wrong.
TEST(PartsSideBySide, OtherBitsOfEqualVerdicts_AreShown) {
  const Report one = ExampleModelReport({ExamplePart("b", 1, Verdict::kAdmissible)});
  const std::string row = one.cells.front().cell;
  std::vector<BackendReport> both = {{"mine", &one}, {"theirs", &one, {{row, ""}}}};
  EXPECT_THAT(PartsSideBySide(both, {}),
              HasSubstr("the backends give the same bits for all cases of 1 part"));
  both[1].bits[row] = "in 2 of 9 cases";
  EXPECT_THAT(PartsSideBySide(both, {}),
              AllOf(HasSubstr("other than those of mine in 2 of 9 cases"),
                    HasSubstr("the backends differ about 1 of 1 part")));
  both[1].bits.clear();
  EXPECT_THAT(PartsSideBySide(both, {}),
              HasSubstr("the bits of their answers were not compared for 1"));
}

}  // namespace
}  // namespace qconform
