// `qconform prove` as its users run it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/run_tool.h"  // in this folder

namespace qconform {
namespace {

namespace fs = std::filesystem;

Ran Prove(const std::string& arguments) {
  return RunTool("prove " + arguments + " --no-progress");
}

std::string Contents(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path TempFile(const std::string& name) {
  return fs::temp_directory_path() / ("prove_test_" + std::to_string(getpid()) + name);
}

TEST(Prove, Line_StatesWhatWasProvedAndWritesJson) {
  const fs::path report = TempFile(".json");
  const Ran ran =
      Prove("line FLOAT16-FLOAT16-INT8 --scale 0.1 --zero-point -3 --report " +
            report.string());
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "0 of 65 536 inputs differ")) << ran.output;
  const std::string json = Contents(report);
  for (const char* part : {"\"complete\": true", "\"inputs\": 65536", "\"mismatches\": 0",
                           "\"assumed\"", "inner function", "0xfd (-3)"}) {
    EXPECT_TRUE(Has(json, part)) << part << "\n" << json;
  }
  const Ran again = Prove(
      "line FLOAT16-FLOAT16-INT8 --scale 0.1 --zero-point -3 --resume "
      "--report " +
      report.string());
  EXPECT_TRUE(Has(again.output, "1 found done")) << again.output;
  const Ran other =
      Prove("line FLOAT16-FLOAT16-INT8 --scale 0.2 --resume --report " + report.string());
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(Has(other.output, "is the journal of another sweep")) << other.output;
  // Options may change what a backend answers.
  const Ran option = Prove(
      "line FLOAT16-FLOAT16-INT8 --scale 0.1 --zero-point -3 --resume "
      "--backend-option threads=2 --report " +
      report.string());
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_TRUE(Has(option.output, "is the journal of another sweep")) << option.output;
  fs::remove(report);
  fs::remove(report.string() + ".journal");
}

TEST(Prove, Mismatch_IsKeptAndItsLineShowsIt) {
  const fs::path kept = TempFile("kept.json");
  const Ran ran = Prove(
      "line FLOAT16-FLOAT16-INT8 --scale 0.1 --backend faulty:ties_away "
      "--counterexample " +
      kept.string());
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const size_t line = ran.output.find("  qconform replay ");
  ASSERT_NE(line, std::string::npos) << ran.output;
  const size_t arguments = line + std::string("  qconform ").size();
  const Ran replay =
      RunTool(ran.output.substr(arguments, ran.output.find('\n', line) - arguments));
  EXPECT_EQ(replay.exit_code, 1) << replay.output;
  EXPECT_TRUE(Has(replay.output, "1 of 1 elements differ")) << replay.output;
  fs::remove(kept);
}

TEST(Prove, Chunk_IsCalledAPart) {
  const Ran ran = Prove("all-scales FLOAT-FLOAT-INT4 --chunks 17");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "(a part of both sides")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "chunks 1 of 32640")) << ran.output;
}

TEST(Prove, AnotherBackendThanTheInnerFunction_IsAskedByTensors) {
  const Ran isolated = Prove("line FLOAT16-FLOAT16-INT8 --scale 1 --isolate");
  EXPECT_EQ(isolated.exit_code, 0) << isolated.output;
  EXPECT_TRUE(Has(isolated.output, "runs    models of one node")) << isolated.output;
  // The inner function is exact, what the option asks for is not.
  const fs::path kept = TempFile("_f32.json");
  const Ran f32 = Prove(
      "accumulators --a-scale 0.02 --backend-option "
      "requantization=f32_multiplier --counterexample " +
      kept.string());
  EXPECT_EQ(f32.exit_code, 1) << f32.output;
  EXPECT_TRUE(Has(f32.output, "runs    models of one node")) << f32.output;
  fs::remove(kept);
  EXPECT_TRUE(
      Has(Prove("line FLOAT16-FLOAT16-INT8 --scale 1 --backend-option threads=2").output,
          "runs    the inner function"));
}

TEST(Prove, InfiniteScale_IsSpelled) {
  for (const char* scale : {"inf", "-inf", "nan", "0", "65519", "0x7c00", "6e-8"}) {
    const Ran ran = Prove("line FLOAT16-FLOAT16-UINT8 --scale " + std::string(scale));
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
  }
}

TEST(Prove, BadInput_NamesItAndWhatIsRight) {
  const struct {
    const char* arguments;
    const char* words;
  } kRows[] = {
      {"line FLOAT-FLOAT-UINT8 --scale abc", "--scale 'abc' is no number"},
      {"line FLOAT-FLOAT-UINT9 --scale 1", "types 'FLOAT-FLOAT-UINT9'"},
      {"line FLOAT-FLOAT-UINT8 --scale 1 --zero-point 256", "0 to 255"},
      {"plane FLOAT-FLOAT-UINT8", "both must be FLOAT16 or BFLOAT16"},
      {"all-scales FLOAT16-FLOAT16-UINT8", "both must be FLOAT"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --chunks 4", "has chunks 0 to 0"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --chunks x", "N or FIRST-LAST"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --resume", "--journal FILE"},
      {"accumulators --y INT4", "UINT8, INT8 or a float8"},
      {"accumulators --zero-point ''", "--zero-point: '' is empty"},
      {"line FLOAT16-FLOAT16-UINT8 --scale ''", "--scale: '' is empty"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --chunks ''", "--chunks: '' is empty"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --zero-point ''", "--zero-point: ''"},
      {"line FLOAT16-JUNK-FLOAT16-UINT8 --scale 1", "FLOAT16-JUNK-FLOAT16-UINT8'"},
      {"line FLOAT16--FLOAT16-UINT8- --scale 1", "types 'FLOAT16--FLOAT16-UINT8-'"},
      {"line FLOAT16-FLOAT16-UINT8- --scale 1", "types 'FLOAT16-FLOAT16-UINT8-'"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1e999", "'1e999' is beyond what FLOAT16"},
      {"line FLOAT16-FLOAT16-UINT8 --scale -65536", "'-65536' is beyond what FLOAT16"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1e-30", "'1e-30' is beyond what FLOAT16"},
      {"line FLOAT16-FLOAT16-FLOAT4E2M1 --scale 1 --zero-point 7", "'7' is beyond"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --saturate 0", "only float8 types"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --precision INT8", "BFLOAT16 or DOUBLE"},
      {"line FLOAT-FLOAT-UINT8 --scale 1 --since-version 11", "it has 10, 13, 19"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --resume --journal nosuch", "nosuch: "},
      {"all-scales --binade 0 --binade 3 --binade 0", "--binade 0 is given twice"},
      {"all-scales --binade 010 --zero-point 3", "takes those at both ends"},
  };
  for (const auto& row : kRows) {
    const Ran ran = Prove(row.arguments);
    EXPECT_EQ(ran.exit_code, 2) << row.arguments;
    EXPECT_TRUE(Has(ran.output, row.words)) << ran.output;
  }
}

}  // namespace
}  // namespace qconform
