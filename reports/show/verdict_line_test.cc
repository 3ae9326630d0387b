#include "reports/show/verdict_line.h"

#include <gtest/gtest.h>

#include <vector>

#include "reports/testing/example_records.h"

namespace qconform {
namespace {

std::string LineOf(const std::vector<Verdict>& verdicts, ExitCode code) {
  RunInfo run = ExampleRun();
  run.selection.cells = static_cast<int64_t>(verdicts.size());
  std::vector<CellRecord> cells;
  int since_version = 10;
  for (const Verdict verdict : verdicts) {
    cells.push_back(ExampleCell("QuantizeLinear", since_version++,
                                {DataType::kFloat, DataType::kFloat, DataType::kInt8},
                                "per_tensor", verdict));
  }
  return VerdictLine(*BuildReport(run, std::move(cells), {}, true), code);
}

TEST(VerdictLine, CountsSupportedCellsOnly) {
  const Verdict right = Verdict::kConformant;
  const Verdict wrong = Verdict::kNonconformant;
  EXPECT_EQ(LineOf({right, Verdict::kAdmissible}, ExitCode::kPass),
            "PASS  2 of 2 supported cells pass\n");
  EXPECT_EQ(LineOf({right, Verdict::kUnsupported}, ExitCode::kIncomplete),
            "INCOMPLETE  1 of 1 supported cells passes (1 unsupported)\n");
  EXPECT_EQ(LineOf({right, Verdict::kRefusedLegal, Verdict::kUnsupported},
                   ExitCode::kIncomplete),
            "INCOMPLETE  1 of 2 supported cells passes (1 refused_legal, 1 "
            "unsupported)\n");
  EXPECT_EQ(LineOf({Verdict::kUnsupported}, ExitCode::kNothingSupported),
            "UNSUPPORTED  0 of 0 supported cells pass (1 unsupported)\n");
  const std::string fail =
      LineOf({right, wrong, wrong, Verdict::kUnsupported, Verdict::kUntested},
             ExitCode::kDeviation);
  EXPECT_TRUE(
      fail.starts_with("FAIL  2 of 3 supported cells deviate (1 unsupported, 1 "
                       "untested), "))
      << fail;
  EXPECT_TRUE(fail.find(" finding") != std::string::npos) << fail;
}

TEST(VerdictLine, OneCell_IsSingular) {
  EXPECT_EQ(LineOf({Verdict::kConformant}, ExitCode::kPass),
            "PASS  1 of 1 supported cells passes\n");
  EXPECT_TRUE(
      LineOf({Verdict::kConformant, Verdict::kNonconformant}, ExitCode::kDeviation)
          .starts_with("FAIL  1 of 2 supported cells deviates, "));
}

// The journal of a run that was cut off has no rows of the cells that did not run.
TEST(VerdictLine, CellsWithoutARow_AreUntested) {
  RunInfo run = ExampleRun();
  run.selection.cells = 649;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 10, {DataType::kFloat, DataType::kFloat, DataType::kInt8},
      "per_tensor", Verdict::kConformant);
  EXPECT_EQ(VerdictLine(*BuildReport(run, {cell}, {}, false), ExitCode::kInterrupted),
            "INTERRUPTED  1 of 1 supported cells passes (648 untested)\n");
}

// Fewer columns hide how many cells are unsupported, but nothing that deviates.
TEST(VerdictLine, WhatDeviates_IsNeverLeftOut) {
  RunInfo run = ExampleRun();
  run.selection.cells = 2;
  std::vector<CellRecord> cells;
  for (const auto& [since_version, verdict] :
       {std::pair(10, Verdict::kNonconformant), {13, Verdict::kUnsupported}}) {
    cells.push_back(ExampleCell("QuantizeLinear", since_version,
                                {DataType::kFloat, DataType::kFloat, DataType::kInt8},
                                "per_tensor", verdict));
  }
  NegativeRecord refused;
  refused.id = "QuantizeLinear@21/a";
  refused.result = NegativeResult::kRefused;
  NegativeRecord crashed = refused;
  crashed.id = "QuantizeLinear@21/b";
  crashed.result = NegativeResult::kCrashed;
  const Report report =
      *BuildReport(run, cells, {ExampleNodeTest("a", NodeVerdict::kDeviates)}, true,
                   {refused, crashed});
  const std::string rows = ", 1 deviating node test, 1 deviating negative model\n";
  EXPECT_EQ(VerdictLine(report, ExitCode::kDeviation),
            "FAIL  1 of 1 supported cells deviates (1 unsupported), 1 finding" + rows);
  EXPECT_EQ(VerdictLine(report, ExitCode::kDeviation, 105),
            "FAIL  1 of 1 supported cells deviates (1 unsupported)" + rows);
  for (const size_t width : {80, 1}) {
    EXPECT_EQ(VerdictLine(report, ExitCode::kDeviation, width),
              "FAIL  1 of 1 supported cells deviates" + rows);
  }
}

}  // namespace
}  // namespace qconform
