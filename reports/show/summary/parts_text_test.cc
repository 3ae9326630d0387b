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

CellRecord Part(const char* name, int64_t position, Verdict verdict) {
  CellRecord row = ExampleCell("QuantizeLinear", 21,
                               {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                               "per_tensor", verdict);
  const std::string id = row.cell;
  row.part = PartRecord{name, position, {}, {}};
  row.cell += "#" + row.part->name;
  for (Counterexample& example : row.counterexamples) {
    example.case_id = "QuantizeLinear/21@21/FLOAT-FLOAT-UINT8/per_tensor#" +
                      row.part->name + "/initializers/model/directed/0";
  }
  if (row.example) {
    row.example->case_id = "QuantizeLinear/21@21/FLOAT-FLOAT-UINT8/per_tensor#" +
                           row.part->name + "/initializers/model/directed/0";
  }
  return row;
}

Report ReportOf(std::vector<CellRecord> rows) {
  RunInfo run = ExampleRun();
  run.selection.shard.reset();
  run.selection.profile.clear();
  run.selection.model = ModelRecord{
      "net.onnx",
      std::string(64, 'a'),
      {{"attention", "domain com.microsoft"}, {"attention2", "domain com.microsoft"}}};
  run.selection.cells = static_cast<int64_t>(rows.size());
  return *BuildReport(std::move(run), std::move(rows), {}, /*finished=*/true);
}

TEST(PartsText, TheWorstComeFirst) {
  const Report report = ReportOf({Part("first", 0, Verdict::kConformant),
                                  Part("/second/Conv", 1, Verdict::kNonconformant),
                                  Part("third", 2, Verdict::kAdmissible)});
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
  const Report report =
      ReportOf({Part("b", 1, Verdict::kNonconformant), Part("a", 7, Verdict::kConformant),
                Part("c", 0, Verdict::kAdmissible)});
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
  const Report one =
      ReportOf({Part("a", 0, Verdict::kConformant), Part("b", 1, Verdict::kNonconformant),
                Part("c", 2, Verdict::kAdmissible)});
  const Report other =
      ReportOf({Part("a", 0, Verdict::kConformant), Part("b", 1, Verdict::kConformant),
                Part("c", 2, Verdict::kAdmissible)});
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
  const Report one = ReportOf({Part("b", 1, Verdict::kNonconformant)});
  Report other = one;
  other.cells.front().counterexamples.clear();
  const std::vector<BackendReport> both = {{"mine", &one}, {"theirs", &other}};
  EXPECT_THAT(PartsSideBySide(both, {}),
              HasSubstr("the backends differ about 1 of 1 part"));
}

}  // namespace
}  // namespace qconform
