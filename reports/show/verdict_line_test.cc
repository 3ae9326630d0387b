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
            "INCOMPLETE  1 of 1 supported cells pass (1 unsupported)\n");
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

}  // namespace
}  // namespace qconform
