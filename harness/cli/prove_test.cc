// `qconform prove` as its users run it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cases/lattice/lattice.h"
#include "testing/run_tool.h"

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
  EXPECT_TRUE(
      Has(ran.output, NewestOpsetVersion() >= 28
                          ? "asks    operator QuantizeLinear, since_version 28, "
                          : "asks    operator QuantizeLinear, since_version 25, "))
      << ran.output;
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
  EXPECT_TRUE(Has(other.output, "expected the journal of the sweep")) << other.output;
  // Options may change what a backend answers.
  const Ran zero_point =
      Prove("line FLOAT16-FLOAT16-INT8 --scale 0.1 --zero-point 4 --resume --report " +
            report.string());
  EXPECT_EQ(zero_point.exit_code, 2);
  EXPECT_TRUE(Has(zero_point.output, "expected the journal of the sweep"));
  const Ran option = Prove(
      "line FLOAT16-FLOAT16-INT8 --scale 0.1 --zero-point -3 --resume "
      "--backend-option threads=2 --report " +
      report.string());
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_TRUE(Has(option.output, "expected the journal of the sweep")) << option.output;
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

TEST(Prove, ReadingThatHasEveryAnswer_IsNoDeviation) {
  const fs::path report = TempFile("_reading.json");
  const fs::path kept = TempFile("_reading_kept.json");
  const std::string files =
      " --report " + report.string() + " --counterexample " + kept.string();
  // P of FLOAT16 operands is FLOAT16, or FLOAT by the other reading.
  const std::string line =
      "line FLOAT16-FLOAT16-INT8 --since-version 21 --scale 0.3 --backend "
      "faulty:float_division";
  const Ran ran = Prove(line + files);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "121 of 65 536 inputs differ from the oracle"))
      << ran.output;
  EXPECT_TRUE(Has(ran.output, "by the reading QL-04:f32_quotient 0 of 65 536 differ"))
      << ran.output;
  EXPECT_TRUE(Has(Contents(report), "\"name\": \"QL-04:f32_quotient\""));
  EXPECT_EQ(
      RunTool("replay " + kept.string() + " --backend faulty:float_division").exit_code,
      0);
  const Ran asked = Prove(line + files + " --reading QL-04:f32_quotient");
  EXPECT_EQ(asked.exit_code, 0) << asked.output;
  EXPECT_TRUE(Has(asked.output, "0 of 65 536 inputs differ")) << asked.output;
  // The canonical answers are not those of the reading.
  const Ran simd = Prove(
      "line FLOAT16-FLOAT16-INT8 --since-version 21 --scale 0.3 --reading "
      "QL-04:f32_quotient --counterexample " +
      kept.string());
  EXPECT_EQ(simd.exit_code, 1) << simd.output;
  EXPECT_TRUE(Has(simd.output, "121 of 65 536 inputs differ")) << simd.output;
  for (const fs::path& path : {report, kept, fs::path(report.string() + ".journal")}) {
    fs::remove(path);
  }
}

TEST(Prove, NoReadingHasEveryAnswer_IsADeviation) {
  const fs::path kept = TempFile("_away.json");
  const Ran ran = Prove(
      "line FLOAT16-FLOAT16-INT8 --since-version 21 --scale 0.25 --backend "
      "faulty:ties_away --counterexample " +
      kept.string());
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "no reading of the open clauses has every answer"))
      << ran.output;
  fs::remove(kept);
}

TEST(Prove, Shards_AreMergedToTheWhole) {
  const std::string line = "all-scales FLOAT-FLOAT-INT4 --binade 3";
  std::string merged = "merge -o " + TempFile("_whole.json").string();
  std::vector<fs::path> parts;
  for (const char* shard : {"0/3", "1/3", "2/3"}) {
    parts.push_back(TempFile("_part" + std::to_string(parts.size()) + ".json"));
    const Ran ran =
        Prove(line + " --shard " + shard + " --report " + parts.back().string());
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_TRUE(Has(ran.output, "a part of the proof")) << ran.output;
    EXPECT_TRUE(Has(Contents(parts.back()), "\"complete\": false"));
  }
  const Ran missing = RunTool(merged + " " + parts[0].string() + " " + parts[2].string());
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(Has(missing.output, "expected all 128 chunks, got all but 42-84"))
      << missing.output;
  for (const fs::path& part : parts) merged += " " + part.string();
  const Ran whole = RunTool(merged);
  EXPECT_EQ(whole.exit_code, 0) << whole.output;
  EXPECT_TRUE(Has(whole.output, "0 of 536 870 912 inputs differ from the oracle (both"))
      << whole.output;
  EXPECT_TRUE(Has(Contents(TempFile("_whole.json")), "\"complete\": true"));
  // A part to which nothing falls, and one that the environment names.
  setenv("TEST_SHARD_INDEX", "0", 1);
  setenv("TEST_TOTAL_SHARDS", "3", 1);
  const Ran none = Prove("line FLOAT16-FLOAT16-INT8 --scale 1");
  unsetenv("TEST_SHARD_INDEX");
  unsetenv("TEST_TOTAL_SHARDS");
  EXPECT_EQ(none.exit_code, 0) << none.output;
  EXPECT_TRUE(Has(none.output, "chunks 0 of 1")) << none.output;
  parts.push_back(TempFile("_whole.json"));
  for (const fs::path& part : parts) {
    fs::remove(part);
    fs::remove(part.string() + ".journal");
  }
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
  EXPECT_EQ(f32.exit_code, 0) << f32.output;  // MM-02 is open
  EXPECT_TRUE(Has(f32.output, "by the reading MM-02:f32_multiplier_ab_first 0 of"));
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
      {"line FLOAT-FLOAT-UINT8 --scale abc", "--scale: expected a number such as 0.05"},
      {"line FLOAT-FLOAT-UINT9 --scale 1", "got 'FLOAT-FLOAT-UINT9'"},
      {"line FLOAT-FLOAT-UINT8 --scale 1 --zero-point 256", "0 to 255"},
      {"plane FLOAT-FLOAT-UINT8", "both must be FLOAT16 or BFLOAT16"},
      {"all-scales FLOAT16-FLOAT16-UINT8", "both must be FLOAT"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --chunks 4", "has chunks 0 to 0"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --chunks x", "N or FIRST-LAST"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --resume", "--journal FILE"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --shard 4/4", "'4' of '4'"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --shard 0/2 --chunks 0", "--chunks"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --reading QL-99:x", "got 'QL-99:x'"},
      {"accumulators --y INT4", "UINT8, INT8 or a float8"},
      {"accumulators --zero-point ''",
       "--zero-point: expected a value, got an empty text"},
      {"line FLOAT16-FLOAT16-UINT8 --scale ''",
       "--scale: expected a value, got an empty text"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --chunks ''",
       "--chunks: expected a value, got an empty text"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --zero-point ''", "--zero-point: expected"},
      {"line FLOAT16-JUNK-FLOAT16-UINT8 --scale 1", "FLOAT16-JUNK-FLOAT16-UINT8'"},
      {"line FLOAT16--FLOAT16-UINT8- --scale 1", "got 'FLOAT16--FLOAT16-UINT8-'"},
      {"line FLOAT16-FLOAT16-UINT8- --scale 1", "got 'FLOAT16-FLOAT16-UINT8-'"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1e999",
       "from -65504 to 65504, inf or nan (FLOAT16), or a code such as 0x1, got '1e999'"},
      {"line FLOAT16-FLOAT16-UINT8 --scale -65536", "got '-65536'"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1e-30", "got '1e-30'"},
      {"line FLOAT16-FLOAT16-FLOAT4E2M1 --scale 1 --zero-point 7",
       "a value from -6 to 6 (FLOAT4E2M1)"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --saturate 0",
       "expected y of a float8 type"},
      {"line FLOAT16-FLOAT16-UINT8 --scale 1 --precision INT8", "BFLOAT16 or DOUBLE"},
      {"line FLOAT-FLOAT-UINT8 --scale 1 --since-version 11",
       "QuantizeLinear's, 10, 13, 19"},
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
