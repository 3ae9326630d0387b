// `qconform faults` and `--backend faulty:NAME` as their users run them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "testing/run_tool.h"

namespace qconform {
namespace {

std::string Report() {
  return (std::filesystem::temp_directory_path() /
          ("faults_test_" + std::to_string(getpid()) + ".json"))
      .string();
}

TEST(FaultsCommand, AllFound_ExitsWithZeroAndTheHeadline) {
  const Ran ran = RunTool(
      "faults --cells 'QuantizeLinear/21/FLOAT-FLOAT-INT8/*' --faults 'ties_*' --faults "
      "compare_one_ulp --no-progress");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "4 of 4 planted faults found")) << ran.output;
}

TEST(FaultsCommand, FaultThatDeviatesNowhere_IsNotCounted) {
  const Ran ran = RunTool(
      "faults --cells 'QuantizeLinear/25/FLOAT-FLOAT-INT8/per_tensor' --faults ties_away "
      "--faults operands_not_converted --no-progress");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "1 of 1 planted faults found; 1 more deviates nowhere"))
      << ran.output;
  EXPECT_TRUE(Has(ran.output, "explained operands_not_converted ")) << ran.output;
}

// A few cases do not meet subnormal scales: the fault survives, and that is told.
TEST(FaultsCommand, Survivor_ExitsWithOneAndNamesTheCell) {
  const Ran ran = RunTool(
      "faults --cells QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor --level smoke "
      "--faults "
      "zero_scale_is_one --no-progress");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "SURVIVES  zero_scale_is_one")) << ran.output;
  EXPECT_TRUE(
      Has(ran.output, "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor: declared deviates"))
      << ran.output;
}

TEST(FaultsCommand, UnknownNames_AreToldAsBadInput) {
  const Ran faults = RunTool("faults --faults rounds_sideways");
  EXPECT_EQ(faults.exit_code, 2);
  EXPECT_TRUE(Has(
      faults.output,
      "expected a pattern that matches a fault, such as 'ties_*', got 'rounds_sideways'"))
      << faults.output;
  const Ran backend =
      RunTool("run --backend faulty:rounds_sideways --report " + Report());
  EXPECT_EQ(backend.exit_code, 2);
  EXPECT_TRUE(Has(backend.output, "qconform list faults")) << backend.output;
}

TEST(FaultsCommand, FaultAsABackend_IsDiagnosed) {
  const Ran ran = RunTool(
      "run -v --backend faulty:truncates --cells "
      "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor --no-progress --report " +
      Report());
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "diagnosed as")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "diagnosis truncates")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "Explained by truncates.")) << ran.output;
}

TEST(Faults, Operator_SelectsItsCells) {
  const Ran ran = RunTool(
      "faults --operator QuantizeLinear --cells '*/10/*' --faults ties_away --level "
      "smoke "
      "--no-progress");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, " 4 cells, level smoke")) << ran.output;
}

}  // namespace
}  // namespace qconform
