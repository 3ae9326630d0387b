#include "reports/record/totals.h"

#include <gtest/gtest.h>

#include "reports/testing/example_records.h"

namespace qconform {
namespace {

const TotalsRow* Find(const std::vector<TotalsRow>& rows, auto predicate) {
  for (const TotalsRow& row : rows) {
    if (predicate(row)) return &row;
  }
  return nullptr;
}

TEST(Totals, EveryTableCountsEveryCellOnce) {
  const Report report = ExampleReport();
  const auto sum = [](const std::vector<TotalsRow>& rows) {
    int64_t total = 0;
    for (const TotalsRow& row : rows) total += row.counts.total();
    return total;
  };
  const auto cells = static_cast<int64_t>(report.cells.size());
  EXPECT_EQ(report.totals.cells.total(), cells);
  EXPECT_EQ(sum(report.totals.by_since_version), cells);
  EXPECT_EQ(sum(report.totals.by_output_type), cells);
  EXPECT_EQ(sum(report.totals.by_since_version_and_output_type), cells);
  // The untested cell and the error have no opset_versions and no tiers.
  EXPECT_EQ(sum(report.totals.by_opset_version), 2 * (cells - 2));
  EXPECT_EQ(sum(report.totals.by_tier), 4 * (cells - 2));
}

TEST(Totals, UnsupportedAndUntestedCells_AreCountedAndNoPasses) {
  const Report report = ExampleReport();
  for (const Verdict verdict : AllVerdicts()) {
    EXPECT_EQ(report.totals.cells[verdict], verdict == Verdict::kConformant ? 2 : 1);
  }
  EXPECT_EQ(report.totals.cells.passes(), 3);
  EXPECT_EQ(report.totals.cells.deviations(), 5);
  EXPECT_EQ(report.totals.selected, 14);
}

TEST(Totals, SumsAndNames_AreThoseOfTheCells) {
  const Report report = ExampleReport();
  EXPECT_EQ(report.totals.cases, 12 * 64);
  EXPECT_EQ(report.totals.declined, 64 + 3);
  EXPECT_EQ(report.totals.elements, 11 * (123456 + 2048 + 128 + 4096));
  EXPECT_EQ(report.totals.mismatches, 17);
  EXPECT_EQ(report.totals.readings,
            (std::map<std::string, int64_t>{{"QL-04:f32_quotient", 1}}));
  EXPECT_EQ(report.totals.diagnoses, (std::map<std::string, int64_t>{{"ties_away", 1}}));
  EXPECT_EQ(report.totals.node_tests.total(), kNodeVerdictCount);
}

TEST(Totals, Rows_FollowTheSelectionsOperators) {
  const Report report = ExampleReport();
  EXPECT_EQ(report.totals.by_since_version.front().op_type, "QuantizeLinear");
  EXPECT_EQ(report.totals.by_since_version.back().op_type, "QLinearMatMul");
  EXPECT_EQ(report.totals.by_tier.front().tier, "regular");
  const TotalsRow* row =
      Find(report.totals.by_output_type, [](const TotalsRow& candidate) {
        return candidate.output_type == DataType::kUint8 &&
               candidate.op_type == "QLinearMatMul";
      });
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->counts[Verdict::kConformant], 1);
}

TEST(Totals, Unspecified_CountsWhatIsDoneAndWithWhatItVaries) {
  const Report report = ExampleReport();
  ASSERT_EQ(report.totals.unspecified.size(), 2u);
  const UnspecifiedRow& row = report.totals.unspecified[0];
  EXPECT_EQ(row.behaviours,
            (std::map<std::string, int64_t>{{"0, qmin", 1}, {"qmin", 1}}));
  EXPECT_EQ(row.varies_with, (std::map<std::string, int64_t>{{"position", 1}}));
  EXPECT_EQ(row.Text(),
            "QuantizeLinear QL-12 NaN to an integer: 0, qmin in 1 cell (such as " +
                row.examples.at("0, qmin") + "); qmin in 1 cell (such as " +
                row.examples.at("qmin") + "); varies with position in 1 cell");
  EXPECT_EQ(report.totals.unspecified[1].Text(),
            "QLinearMatMul QL-12 NaN to an integer: qmin in 1 cell; the same each time");
}

TEST(Totals, Shard_IsTheDenominator) {
  RunInfo run = ExampleRun();
  run.selection.cells = 100;
  run.selection.shard = ShardRecord{0, 9, 14};
  const Result<Report> report = BuildReport(run, ExampleCells(), {}, true);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->totals.selected, 14);
  EXPECT_TRUE(report->complete);
}

}  // namespace
}  // namespace qconform
