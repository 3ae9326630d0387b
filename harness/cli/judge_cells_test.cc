// How cells are judged by run and certify: by which backends, and how many at a time.
#include "harness/cli/commands/judge_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/commands/describe_run.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress/budget.h"
#include "testing/cli_folder.h"

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

TEST(EstimatedSeconds, IsTheMeanWithoutExplanationsForAllCellsAndTheirShare) {
  CellRecord cheap;
  cheap.time_ms = 1000;
  CellRecord explained;
  explained.time_ms = 10000;
  explained.explain_ms = 7000;
  // 2 s for each of 100 cells, four at a time, and a fifth of all for explanations.
  EXPECT_DOUBLE_EQ(EstimatedSeconds({cheap, explained}, 100, 4), 62.5);
  EXPECT_EQ(EstimatedSeconds({}, 100, 4), 0);
}

TEST(Minutes, AreReadableWhetherFewOrMany) {
  EXPECT_EQ(Minutes(0.001), "0.01 min");
  EXPECT_EQ(Minutes(15), "0.25 min");
  EXPECT_EQ(Minutes(150), "2.5 min");
  EXPECT_EQ(Minutes(250 * 60), "250 min");
}

TEST(Spread, TakesTheMiddleOfEqualParts) {
  std::vector<SelectedCell> cells(10);
  for (size_t i = 0; i < cells.size(); ++i) cells[i].sequence = static_cast<int64_t>(i);
  const auto places = [&](size_t most) {
    std::vector<int64_t> all;
    for (const SelectedCell& cell : Spread(cells, most)) all.push_back(cell.sequence);
    return all;
  };
  EXPECT_THAT(places(2), testing::ElementsAre(2, 7));
  EXPECT_THAT(places(3), testing::ElementsAre(1, 5, 8));
  EXPECT_THAT(places(20), testing::SizeIs(10));
  cells.clear();
  EXPECT_THAT(places(3), testing::IsEmpty());
}

class JudgeCellsTest : public CliFolder {};

// A number of threads that changes bits, as the faulty one does.
TEST_F(JudgeCellsTest, OtherBitsWithOtherThreads_AreADeviation) {
  JudgedBackend backend{*MakeBackend(FlagsOf("oracle")), nullptr};
  const RunInfo info =
      DescribeRun(backend.backend->info(), {}, Level::kSmoke, 1, 1, {"qconform"});
  const RunRequest request{
      .cells = *SelectCells({"QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"}),
      .level = Level::kSmoke,
      .replay = {"oracle", {}, 1}};
  const auto judge = [&](const std::string& name) {
    auto journal = JournalWriter::Create(Path(name), info);
    return JudgeCells(backend, request, {}, *journal, /*no_progress=*/true)
        .records.front();
  };
  EXPECT_EQ(judge("one.journal").verdict, Verdict::kConformant);
  backend.other_threads = *MakeBackend(FlagsOf("faulty:truncates"));
  const CellRecord record = judge("other.journal");
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.reason, testing::HasSubstr("threads"));
}

// Answers nothing, as a process that dies in each case.
class CrashingBackend : public Backend {
 public:
  explicit CrashingBackend(int answered) : answered_(answered) {}
  const BackendInfo& info() const override { return oracle_->info(); }
  PrepareResult Prepare(const Model& model) override {
    if (answered_-- > 0) return oracle_->Prepare(model);
    return BackendError{BackendError::Kind::kCrashed, "was killed by signal 11"};
  }

 private:
  std::unique_ptr<Backend> oracle_ = *MakeBackend(FlagsOf("oracle"));
  int answered_;
};

TEST_F(JudgeCellsTest, BackendThatCrashesEverywhere_IsToldSoonAndOnce) {
  const auto errors_of = [&](int answered, bool fail_fast) {
    const JudgedBackend backend{std::make_unique<CrashingBackend>(answered), nullptr};
    const RunInfo info =
        DescribeRun(backend.backend->info(), {}, Level::kSmoke, 1, 1, {"qconform"});
    const RunRequest request{
        .cells = *SelectCells({"QuantizeLinear/10/*", "QuantizeLinear/13/*",
                               "QuantizeLinear/19/FLOAT-FLOAT-*"}),
        .level = Level::kSmoke,
        .replay = {"oracle", {}, 1}};
    EXPECT_GT(request.cells.size(), static_cast<size_t>(kCrashedBeforeTold) + 1);
    auto journal = JournalWriter::Create(Path("crashes.journal"), info);
    testing::internal::CaptureStderr();
    const auto judged = JudgeCells(backend, request, {}, *journal,
                                   /*no_progress=*/true, fail_fast);
    g_interrupted = false;
    EXPECT_EQ(judged.records.size(), fail_fast ? 1u : request.cells.size());
    return testing::internal::GetCapturedStderr();
  };
  const std::string told = errors_of(0, false);
  const std::string line = "the backend crashed in each of the first 8 cells";
  EXPECT_THAT(told, testing::HasSubstr(line + ": was killed by signal 11"));
  EXPECT_THAT(told, testing::HasSubstr("to see one: qconform replay "));
  EXPECT_EQ(told.find(line), told.rfind(line));
  EXPECT_EQ(errors_of(0, true), "");
  EXPECT_EQ(errors_of(100000, false), "");
}

// What comes after a full disk would not be in the journal.
TEST_F(JudgeCellsTest, JournalThatCannotBeWritten_EndsTheWork) {
  const JudgedBackend backend{*MakeBackend(FlagsOf("oracle")), nullptr};
  const RunInfo info =
      DescribeRun(backend.backend->info(), {}, Level::kSmoke, 1, 1, {"qconform"});
  const RunRequest request{.cells = *SelectCells({"QuantizeLinear/10/*"}),
                           .level = Level::kSmoke,
                           .replay = {"oracle", {}, 1}};
  ASSERT_GT(request.cells.size(), 1u);
  auto journal = JournalWriter::Create(Path("full.journal"), info);
  ASSERT_TRUE(journal.ok());
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit low = before;
  low.rlim_cur = static_cast<rlim_t>(Text("full.journal").size());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  const auto judged = JudgeCells(backend, request, {}, *journal, /*no_progress=*/true);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  g_interrupted = false;
  ASSERT_TRUE(judged.fault.has_value());
  EXPECT_THAT(judged.fault->message, testing::HasSubstr("File too large"));
  EXPECT_FALSE(judged.finished);
  EXPECT_EQ(judged.records.size(), 1u);
}

}  // namespace
}  // namespace qconform
