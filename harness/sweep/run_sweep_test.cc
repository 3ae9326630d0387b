// Chunks, their journal, and going on after a kill.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/sweep/sweep.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"
#include "reports/record/sweep_record.h"

namespace qconform {
namespace {

const std::atomic<bool> kNeverStop{false};

// A plan whose chunks say that they were done, in a file.
SweepPlan Counting(const std::string& file, int64_t kill_at) {
  class Worker : public ChunkWorker {
   public:
    Worker(std::string file, int64_t kill_at)
        : file_(std::move(file)), kill_at_(kill_at) {}
    Status Run(int64_t chunk, ChunkRecord& record) override {
      if (chunk == kill_at_) raise(SIGKILL);
      std::ofstream(file_, std::ios::app) << chunk << "\n";
      record.inputs = 10;
      record.evaluations = 20;
      record.mismatches = chunk == 2 ? 1 : 0;
      if (chunk == 2) record.first.push_back({.x = 7, .expected = 1, .actual = 2});
      return Ok();
    }

   private:
    const std::string file_;
    const int64_t kill_at_;
  };
  return {.identity = "a counting sweep",
          .chunks = 9,
          .make_worker = [=]() -> Result<std::unique_ptr<ChunkWorker>> {
            return std::unique_ptr<ChunkWorker>(std::make_unique<Worker>(file, kill_at));
          }};
}

std::string TempFile(const char* name) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    (std::string("sweep_") + std::to_string(getpid()) + name);
  std::filesystem::remove(path);
  return path.string();
}

TEST(RunSweep, KilledInTheMiddle_GoesOnWithoutRepeatingFinishedChunks) {
  const std::string journal = TempFile(".journal");
  const std::string done = TempFile(".done");
  const pid_t child = fork();
  if (child == 0) {
    (void)RunSweep(Counting(done, 5), {.journal = journal}, kNeverStop);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  // What a kill in the midst of a write leaves behind.
  std::ofstream(journal, std::ios::app) << R"({"chunk":5,"inp)";

  const auto outcome =
      RunSweep(Counting(done, -1), {.journal = journal, .resume = true}, kNeverStop);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->complete());
  EXPECT_EQ(outcome->from_journal, 5);
  EXPECT_EQ(outcome->done, 9);
  EXPECT_EQ(outcome->totals.inputs, 90u);
  EXPECT_EQ(outcome->totals.evaluations, 180u);
  EXPECT_EQ(outcome->totals.mismatches, 1u);
  ASSERT_EQ(outcome->totals.first.size(), 1u);
  EXPECT_EQ(outcome->totals.first[0].x, 7u);
  std::ifstream in(done);
  std::multiset<int> chunks;
  for (int chunk; in >> chunk;) chunks.insert(chunk);
  EXPECT_EQ(chunks, (std::multiset<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(RunSweep, UntilMismatch_EndsBehindItAndTellsTheChunks) {
  SweepOptions options{.until_mismatch = true};
  auto outcome = RunSweep(Counting(TempFile(".until"), -1), options, kNeverStop);
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->complete());
  EXPECT_EQ(outcome->totals.mismatches, 1u);
  EXPECT_EQ(outcome->done_chunks, (std::vector<ChunkSpan>{{0, 2}}));
  outcome =
      RunSweep(Counting(TempFile(".part"), -1), {.first = 3, .last = 7}, kNeverStop);
  EXPECT_EQ(outcome->done_chunks, (std::vector<ChunkSpan>{{3, 6}}));
}

// A part of more parts than there are chunks.
TEST(RunSweep, NoChunks_AreDoneAtOnce) {
  const std::string journal = TempFile(".empty");
  const auto outcome = RunSweep(Counting(TempFile(".nothing"), -1),
                                {.first = 0, .last = 0, .journal = journal}, kNeverStop);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->complete());
  EXPECT_EQ(outcome->totals.inputs, 0u);
  EXPECT_TRUE(outcome->done_chunks.empty());
}

TEST(RunSweep, JournalOfAnotherSweep_IsRefused) {
  const std::string journal = TempFile(".other");
  const std::string done = TempFile(".done");
  ASSERT_TRUE(RunSweep(Counting(done, -1), {.journal = journal}, kNeverStop));
  SweepPlan other = Counting(done, -1);
  other.identity = "another";
  const auto outcome = RunSweep(other, {.journal = journal, .resume = true}, kNeverStop);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().message.find("got that of"), std::string::npos);
}

TEST(RunSweep, NewSweep_KeepsTheJournalOfAnUnfinishedOne) {
  const std::string journal = TempFile(".kept");
  const std::string done = TempFile(".done");
  ASSERT_TRUE(RunSweep(Counting(done, -1), {.last = 4, .journal = journal}, kNeverStop));
  const auto anew = RunSweep(Counting(done, -1), {.journal = journal}, kNeverStop);
  ASSERT_TRUE(anew) << anew.error().message;
  EXPECT_EQ(anew->journal_kept, "") << "all four chunks were done";
  // Nothing says any more that all is done, as after a kill.
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 2);
  const auto after = RunSweep(Counting(done, -1), {.journal = journal}, kNeverStop);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->journal_kept, journal + ".old");
  EXPECT_TRUE(std::filesystem::remove(journal + ".old"));
  std::ofstream(journal) << "notes\n";
  const auto foreign = RunSweep(Counting(done, -1), {.journal = journal}, kNeverStop);
  ASSERT_FALSE(foreign);
  EXPECT_NE(foreign.error().message.find("or a journal to write over"),
            std::string::npos);
}

TEST(RunSweep, ResumeWithoutAJournal_IsAnErrorAndMakesNone) {
  const std::string journal = TempFile(".nosuch");
  const auto outcome = RunSweep(Counting(TempFile(".done"), -1),
                                {.journal = journal, .resume = true}, kNeverStop);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().message.find(journal), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(journal));
}

TEST(RunSweep, ChunksThatDoNotExist_AreAnError) {
  const auto outcome =
      RunSweep(Counting(TempFile(".none"), -1), {.first = 8, .last = 12}, kNeverStop);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().message.find("chunks 0 to 8"), std::string::npos);
}

TEST(SweepJournal, ChunkTwice_IsAnError) {
  const std::string journal = TempFile(".twice");
  auto writer = SweepJournalWriter::Create(journal, "i");
  ASSERT_TRUE(writer && writer->Append({.chunk = 1}));
  EXPECT_TRUE(ParseSweepJournal(*ReadFile(journal), "j"));
  ASSERT_TRUE(writer->Append({.chunk = 1}));
  const auto twice = ParseSweepJournal(*ReadFile(journal), "j");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "j:3: expected each chunk once, got chunk 1 again");
  EXPECT_FALSE(ParseSweepJournal("", "j"));
  EXPECT_FALSE(ParseSweepJournal("{}\n", "j"));
}

// A chunk without its mismatch, chunks in another order, one that is gone, one that is
// there again, and one of another sweep. None is resumed.
TEST(SweepJournal, LineThatTheSweepDidNotWriteThere_IsRefused) {
  const auto write = [](const char* name, const char* identity) {
    const std::string path = TempFile(name);
    auto writer = SweepJournalWriter::Create(path, identity);
    EXPECT_TRUE(writer && writer->Append({.chunk = 1, .mismatches = 1}) &&
                writer->Append({.chunk = 2}) && writer->End());
    return Split(*ReadFile(path), "\n");
  };
  const std::vector<std::string> a = write(".a", "a"), b = write(".b", "b");
  ASSERT_EQ(a.size(), 5u);  // what follows the last newline is empty
  std::string edited = a[1];
  edited.replace(edited.find("\"mismatches\":1"), 14, "\"mismatches\":0");
  const std::string kExpected =
      ": expected the line that this run wrote there, got one that was changed or "
      "moved, or that another run wrote";
  const std::vector<std::pair<int, std::vector<std::string>>> forged = {
      {2, {a[0], edited, a[2], a[3]}},
      {2, {a[0], a[2], a[1], a[3]}},
      {3, {a[0], a[1], a[3]}},
      {3, {a[0], a[1], a[1], a[2]}},
      {2, {a[0], b[1]}},
      {2, {a[0], a[3]}},
  };
  for (const auto& [line, lines] : forged) {
    const std::string text = Joined(lines, "\n") + "\n";
    const auto journal = ParseSweepJournal(text, "j");
    ASSERT_FALSE(journal) << text;
    EXPECT_EQ(journal.error().message, "j:" + std::to_string(line) + kExpected) << text;
    const std::string path = TempFile(".forged");
    ASSERT_TRUE(WriteFileAtomically(path, text));
    std::vector<ChunkRecord> found;
    EXPECT_FALSE(SweepJournalWriter::Resume(path, "a", &found));
    EXPECT_EQ(*ReadFile(path), text);
  }
}

TEST(SweepJournal, OfTheVersionWithoutChecks_IsRefused) {
  const auto journal =
      ParseSweepJournal("{\"qconform_sweep\":1,\"identity\":\"i\"}\n", "j");
  ASSERT_FALSE(journal);
  EXPECT_NE(journal.error().message.find("version 2, got version 1"), std::string::npos);
}

}  // namespace
}  // namespace qconform
