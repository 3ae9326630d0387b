// How cells are judged by run and certify: by which backends, and how many at a time.
#include "harness/cli/judge_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/cli/describe_run.h"
#include "testing/cli_folder.h"  // in this folder

namespace qconform {
namespace {

BackendFlags FlagsOf(const std::string& spec, std::vector<std::string> options = {}) {
  BackendFlags flags;
  flags.spec = spec;
  flags.options = std::move(options);
  return flags;
}

std::string OtherThreads(const BackendFlags& flags) {
  const auto made = MakeJudgedBackend(flags);
  if (!made) return made.error().message;
  return made->other_threads ? made->other_threads->info().details.at("threads") : "none";
}

TEST(MakeJudgedBackend, WhereThreadsAreAnOption_MakesOneWithOtherThreads) {
  EXPECT_EQ(OtherThreads(FlagsOf("simd")), "2");
  EXPECT_EQ(OtherThreads(FlagsOf("simd", {"threads=1"})), "2");
  EXPECT_EQ(OtherThreads(FlagsOf("simd", {"threads=4"})), "1");
  EXPECT_EQ(OtherThreads(FlagsOf("oracle")), "none");
}

TEST(JobsOf, CoresThatNobodyKnows_IsOne) {
  EXPECT_EQ(JobsOf(0), 1);
  EXPECT_EQ(JobsOf(8), 8);
  EXPECT_EQ(JobsOf(5000), 1024);
}

class JudgeCellsTest : public CliFolder {};

// A number of threads that changes bits, as the faulty one does.
TEST_F(JudgeCellsTest, OtherBitsWithOtherThreads_AreADeviation) {
  JudgedBackend backend{*MakeBackend(FlagsOf("oracle")), nullptr};
  const RunInfo info =
      DescribeRun(backend.backend->info(), Level::kSmoke, 1, 1, {"qconform"});
  const RunRequest request{
      .cells = *SelectCells({"QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"}),
      .level = Level::kSmoke,
      .replay = {"oracle", {}, 1}};
  const auto judge = [&](const std::string& name) {
    auto journal = JournalWriter::Create(Path(name), info);
    return JudgeCells(backend, request, {}, *journal, /*no_progress=*/true)
        ->records.front();
  };
  EXPECT_EQ(judge("one.journal").verdict, Verdict::kConformant);
  backend.other_threads = *MakeBackend(FlagsOf("faulty:truncates"));
  const CellRecord record = judge("other.journal");
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.reason, testing::HasSubstr("threads"));
}

}  // namespace
}  // namespace qconform
