#include "reports/report/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <regex>

#include "oracle/base/file.h"
#include "reports/testing/example_records.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Writes the example cells and a node test; finishes where asked.
std::string WriteExample(const std::filesystem::path& path, bool finish) {
  Result<JournalWriter> writer = JournalWriter::Create(path, ExampleRun());
  EXPECT_TRUE(writer);
  for (const CellRecord& cell : ExampleCells()) EXPECT_TRUE(writer->Append(cell));
  EXPECT_TRUE(writer->Append(ExampleNodeTest("test_a", NodeVerdict::kDisputed)));
  if (finish) {
    EXPECT_TRUE(writer->Finish(12.5));
  }
  return *ReadFile(path);
}

std::string ErrorOf(const std::string& text) {
  const Result<Journal> journal = ParseJournal(text, "run.jsonl");
  return journal ? "no error" : journal.error().message;
}

TEST(Journal, FinishedRun_ComesBackWhole) {
  const TemporaryDirectory directory;
  const std::string text = WriteExample(directory / "run.jsonl", true);
  const Result<Journal> journal = ReadJournal(directory / "run.jsonl");
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_TRUE(journal->complete);
  EXPECT_EQ(journal->run, ExampleRun());
  EXPECT_EQ(journal->cells, ExampleCells());
  EXPECT_EQ(journal->node_tests,
            std::vector{ExampleNodeTest("test_a", NodeVerdict::kDisputed)});
  EXPECT_EQ(journal->valid_bytes, static_cast<int64_t>(text.size()));
}

// The file's lines have checks, and its header the version that says so.
TEST(Journal, AsText_HasTheRecordsThatAreWrittenToAFile) {
  const TemporaryDirectory directory;
  RunInfo run = ExampleRun();
  run.duration_s = 12.5;
  Result<JournalWriter> writer = JournalWriter::Create(directory / "run.jsonl", run);
  ASSERT_TRUE(writer);
  for (const CellRecord& cell : ExampleCells()) ASSERT_TRUE(writer->Append(cell));
  ASSERT_TRUE(writer->Finish(12.5));
  std::string text = *ReadFile(directory / "run.jsonl");
  const auto without = [](std::string_view whole) {
    std::string kept = std::regex_replace(std::string(whole),
                                          std::regex(R"(,"check":"[0-9a-f]{16}")"), "");
    kept.replace(kept.find("1.1.0"), 5, "1.0.0");
    return kept.substr(0, kept.find("{\"footer\""));
  };
  const std::string as_text = JournalText(run, ExampleCells());
  EXPECT_EQ(as_text.substr(0, as_text.find("{\"footer\"")), without(text));
  const auto parsed = ParseJournal(as_text, "text");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->cells, ExampleCells());
}

TEST(Journal, EveryLineIsInTheFileOnceItWasAppended) {
  const TemporaryDirectory directory;
  Result<JournalWriter> writer =
      JournalWriter::Create(directory / "run.jsonl", ExampleRun());
  ASSERT_TRUE(writer);
  size_t count = 0;
  for (const CellRecord& cell : ExampleCells()) {
    ASSERT_TRUE(writer->Append(cell));
    EXPECT_EQ(ReadJournal(directory / "run.jsonl")->cells.size(), ++count);
  }
}

TEST(Journal, CutAnywhere_GivesTheWholeRecordsAndIsNeverComplete) {
  const TemporaryDirectory directory;
  const std::string text = WriteExample(directory / "run.jsonl", true);
  const size_t header = text.find('\n') + 1;
  for (size_t size = header; size < text.size();
       size += text[size - 1] == '\n' ? 1 : 13) {
    const Result<Journal> journal = ParseJournal(text.substr(0, size), "run.jsonl");
    ASSERT_TRUE(journal) << size << ": " << journal.error().message;
    ASSERT_FALSE(journal->complete) << size;
    const auto lines =
        static_cast<size_t>(std::count(text.begin(), text.begin() + size, '\n'));
    ASSERT_EQ(journal->cells.size() + journal->node_tests.size(), lines - 1);
  }
  EXPECT_THAT(ErrorOf(text.substr(0, header - 5)), HasSubstr("expected a journal"));
  EXPECT_THAT(ErrorOf(text.substr(0, header - 1)), HasSubstr("got a part of a line"));
}

TEST(Journal, ForeignOrNewerFile_IsRefusedByName) {
  EXPECT_THAT(ErrorOf(""), AllOf(HasSubstr("run.jsonl"), HasSubstr("got an empty file")));
  EXPECT_THAT(ErrorOf("hello\n"), HasSubstr("expected a journal"));
  EXPECT_THAT(ErrorOf("{\"a\":1}\n"), HasSubstr("expected a journal"));
  EXPECT_THAT(ErrorOf("[1]\n"), HasSubstr("expected a journal"));
  EXPECT_THAT(ErrorOf("{\"journal_version\":\"2.0.0\",\"run\":{}}\n"),
              AllOf(HasSubstr("version \"2.0.0\""),
                    HasSubstr("expected a journal of version 1.x.y")));
  EXPECT_THAT(ErrorOf("{\"journal_version\":\"1.0.0\"}\n"),
              HasSubstr("run: expected an object, got nothing"));
}

TEST(Journal, LaterMinorVersionWithFieldsUnknown_IsRead) {
  std::string text = JournalText(ExampleRun(), ExampleCells());
  text.erase(text.find("{\"footer\""));
  text.replace(text.find("1.0.0"), 5, "1.0.7");
  text.replace(text.find("{\"cell\":{"), 9, "{\"cell\":{\"news\":1,");
  EXPECT_EQ(ErrorOf(text), "no error");
}

TEST(Journal, RecordThatComesTwice_IsRefusedByName) {
  const TemporaryDirectory directory;
  Result<JournalWriter> writer =
      JournalWriter::Create(directory / "run.jsonl", ExampleRun());
  const CellRecord cell = ExampleCells().front();
  ASSERT_TRUE(writer->Append(cell));
  ASSERT_TRUE(writer->Append(cell));
  const Result<Journal> journal = ReadJournal(directory / "run.jsonl");
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().message,
              AllOf(HasSubstr("line 3"), HasSubstr(cell.cell),
                    HasSubstr("expected one line, got a second one")));
}

// A line of a run of another seed, level or backend, and one that was edited.
TEST(Journal, LineThatTheRunDidNotWrite_IsRefused) {
  const TemporaryDirectory directory;
  RunInfo other = ExampleRun();
  other.suite.seed = 2;
  {
    Result<JournalWriter> writer =
        JournalWriter::Create(directory / "other.jsonl", other);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->Append(ExampleCells().front()));
  }
  const std::string foreign = *ReadFile(directory / "other.jsonl");
  const std::string text = WriteExample(directory / "run.jsonl", false);
  const std::string header = text.substr(0, text.find('\n') + 1);
  constexpr char kExpected[] =
      "run.jsonl, line 2: expected the line that this run wrote there, got one that was "
      "changed or moved, or that another run wrote";
  EXPECT_EQ(ErrorOf(header + foreign.substr(foreign.find('\n') + 1)), kExpected);
  EXPECT_EQ(
      ErrorOf(foreign.substr(0, foreign.find('\n')) + text.substr(header.size() - 1)),
      kExpected);
  std::string edited = text;
  edited.replace(edited.find("\"cases\":64"), 10, "\"cases\":65");
  EXPECT_EQ(ErrorOf(edited), kExpected);
  // Without its check, or with a space or a return in it.
  const std::string one = text.substr(0, text.find('\n', header.size()));
  EXPECT_EQ(ErrorOf(one.substr(0, one.rfind(",\"check\"")) + "}\n"), kExpected);
  EXPECT_EQ(ErrorOf(one + " \n"), kExpected);
  EXPECT_EQ(ErrorOf(one + "\r\n"), kExpected);
  EXPECT_EQ(ErrorOf(one + "\n"), "no error");
  // In another order, without the first record, or with it again.
  const std::string two =
      text.substr(one.size() + 1, text.find('\n', one.size() + 1) + 1 - one.size() - 1);
  const std::string first = one.substr(header.size()) + "\n";
  EXPECT_EQ(ErrorOf(header + two + first), kExpected);
  EXPECT_EQ(ErrorOf(header + two), kExpected);
  EXPECT_THAT(ErrorOf(header + first + first), HasSubstr("line 3: expected the line"));
  EXPECT_EQ(ErrorOf(header + first + two), "no error");
  // Nothing is added to it.
  ASSERT_TRUE(WriteFileAtomically(directory / "run.jsonl", edited));
  Journal found;
  EXPECT_FALSE(JournalWriter::Resume(directory / "run.jsonl", ExampleRun(), &found));
  EXPECT_EQ(*ReadFile(directory / "run.jsonl"), edited);
}

TEST(Journal, ResumeOfAVersionWithoutChecks_IsRefused) {
  const TemporaryDirectory directory;
  std::string text = JournalText(ExampleRun(), ExampleCells());
  text.erase(text.find("{\"footer\""));
  ASSERT_TRUE(WriteFileAtomically(directory / "run.jsonl", text));
  Journal found;
  const auto writer =
      JournalWriter::Resume(directory / "run.jsonl", ExampleRun(), &found);
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message,
              HasSubstr("expected a journal of version 1.1.0, got one of an earlier"));
}

TEST(Journal, ChangedLine_IsFoundByTheFooter) {
  const TemporaryDirectory directory;
  const std::string text = WriteExample(directory / "run.jsonl", true);
  std::string changed = JournalText(ExampleRun(), ExampleCells());
  changed.replace(changed.find("\"cases\":64"), 10, "\"cases\":65");
  EXPECT_THAT(ErrorOf(changed), HasSubstr("footer.digest: does not agree"));
  // A line that is gone.
  std::string shorter = JournalText(ExampleRun(), ExampleCells());
  const size_t second = shorter.find('\n') + 1;
  shorter.erase(second, shorter.find('\n', second) + 1 - second);
  EXPECT_THAT(ErrorOf(shorter), HasSubstr("footer.cells: does not agree"));
  shorter = text;
  const size_t node_test = shorter.find("{\"node_test\"");
  shorter.erase(node_test, shorter.find('\n', node_test) + 1 - node_test);
  EXPECT_THAT(ErrorOf(shorter), HasSubstr("footer.node_tests: does not agree"));
  EXPECT_THAT(ErrorOf(text + "{\"cell\":{}}\n"),
              HasSubstr("expected nothing after the footer"));
}

TEST(Journal, BrokenLineInTheMiddle_IsAnErrorThatNamesTheLine) {
  const TemporaryDirectory directory;
  std::string text = WriteExample(directory / "run.jsonl", false);
  text.insert(text.find('\n') + 1, "{\"cell\":\n");
  EXPECT_THAT(ErrorOf(text), HasSubstr("line 2"));
  text = WriteExample(directory / "run.jsonl", false);
  text.insert(text.find('\n') + 1, "{\"row\":{}}\n");
  EXPECT_THAT(ErrorOf(text),
              HasSubstr("line 2: expected \"cell\", \"node_test\", \"negative\" or "
                        "\"footer\", got none of them"));
  text = JournalText(ExampleRun(), ExampleCells());
  text.replace(text.find("\"verdict\":\"crashed\""), 19, "\"verdict\":\"good\"");
  EXPECT_THAT(ErrorOf(text), AllOf(HasSubstr("line 2"),
                                   HasSubstr("cell.verdict: expected one of crashed, "),
                                   HasSubstr("conformant, got \"good\"")));
}

TEST(Journal, Resume_GoesOnAfterTheLastWholeRecord) {
  const TemporaryDirectory directory;
  const std::string whole = WriteExample(directory / "whole.jsonl", true);
  std::string cut = WriteExample(directory / "run.jsonl", false);
  cut.resize(cut.size() / 2);
  ASSERT_TRUE(WriteFileAtomically(directory / "run.jsonl", cut));

  Journal found;
  Result<JournalWriter> writer =
      JournalWriter::Resume(directory / "run.jsonl", ExampleRun(), &found);
  ASSERT_TRUE(writer) << writer.error().message;
  const std::vector<CellRecord> cells = ExampleCells();
  ASSERT_GT(found.cells.size(), 0u);
  ASSERT_LT(found.cells.size(), cells.size());
  for (size_t i = found.cells.size(); i < cells.size(); ++i) {
    ASSERT_TRUE(writer->Append(cells[i]));
  }
  ASSERT_TRUE(writer->Append(ExampleNodeTest("test_a", NodeVerdict::kDisputed)));
  ASSERT_TRUE(writer->Finish(12.5));
  EXPECT_EQ(*ReadFile(directory / "run.jsonl"), whole);
}

// The footer counts what was there before, too.
TEST(Journal, ResumedAmongNodeTestsAndNegativeModels_IsWholeAtItsEnd) {
  const TemporaryDirectory directory;
  const auto path = directory / "run.jsonl";
  {
    auto writer = JournalWriter::Create(path, ExampleRun());
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->Append(ExampleNodeTest("test_a", NodeVerdict::kPass)));
    ASSERT_TRUE(writer->Append(ExampleNegative("QuantizeLinear@21/a")));
  }
  Journal found;
  auto writer = JournalWriter::Resume(path, ExampleRun(), &found);
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE(writer->Append(ExampleNodeTest("test_b", NodeVerdict::kPass)));
  ASSERT_TRUE(writer->Append(ExampleNegative("QuantizeLinear@21/b")));
  ASSERT_TRUE(writer->Finish(1));
  const auto journal = ReadJournal(path);
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_TRUE(journal->complete);
  EXPECT_EQ(journal->node_tests.size(), 2u);
  EXPECT_EQ(journal->negative.size(), 2u);
  // A line that is gone.
  std::string text = *ReadFile(path);
  const size_t line = text.rfind("{\"negative\"");
  text.erase(line, text.find('\n', line) + 1 - line);
  EXPECT_THAT(ErrorOf(text), HasSubstr("footer.negative: does not agree"));
}

TEST(Journal, ResumeOfAnotherRunOrAFinishedOne_IsRefused) {
  const TemporaryDirectory directory;
  WriteExample(directory / "run.jsonl", false);
  Journal found;
  RunInfo other = ExampleRun();
  other.suite.seed = 2;
  Result<JournalWriter> writer =
      JournalWriter::Resume(directory / "run.jsonl", other, &found);
  ASSERT_FALSE(writer);
  EXPECT_THAT(
      writer.error().message,
      HasSubstr("run.jsonl: was left by another run: suite.seed is 1 there, 2 here"));
  other = ExampleRun();
  other.selection.shard = ShardRecord{1, 4, 3};
  EXPECT_FALSE(JournalWriter::Resume(directory / "run.jsonl", other, &found));

  WriteExample(directory / "run.jsonl", true);
  writer = JournalWriter::Resume(directory / "run.jsonl", ExampleRun(), &found);
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message, HasSubstr("came to its end"));
}

TEST(Journal, UnwritablePath_NamesThePathAndTheReason) {
  EXPECT_THAT(JournalWriter::Create("/dev/null/run.jsonl", ExampleRun()).error().message,
              AllOf(HasSubstr("/dev/null/run.jsonl"), HasSubstr("Not a directory")));
  EXPECT_THAT(JournalWriter::Create("/dev/full", ExampleRun()).error().message,
              AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

TEST(Journal, Create_OverwritesAFinishedOneAndKeepsAnUnfinishedOne) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory / "run.jsonl";
  const std::string unfinished = WriteExample(path, false);
  {
    const Result<JournalWriter> writer = JournalWriter::Create(path, ExampleRun());
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_EQ(writer->kept(), path.string() + ".old");
    EXPECT_EQ(*ReadFile(writer->kept()), unfinished);
  }
  // It holds a header alone: nothing to keep.
  EXPECT_EQ(JournalWriter::Create(path, ExampleRun())->kept(), "");
  const std::string finished = WriteExample(path, true);
  EXPECT_EQ(JournalWriter::Create(path, ExampleRun())->kept(), "");
  EXPECT_LT(ReadFile(path)->size(), finished.size());
  EXPECT_EQ(*ReadFile(path.string() + ".old"), unfinished);
  // Something behind the footer: it is not known to be finished.
  const std::string longer = WriteExample(path, true) + "{\"cell\":";
  ASSERT_TRUE(WriteFileAtomically(path, longer));
  EXPECT_EQ(JournalWriter::Create(path, ExampleRun())->kept(), path.string() + ".old.1");
  EXPECT_EQ(*ReadFile(path.string() + ".old.1"), longer);
  EXPECT_EQ(*ReadFile(path.string() + ".old"), unfinished);
}

TEST(Journal, Create_RefusesAFileThatIsNoJournal) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "notes", "mine\n"));
  EXPECT_THAT(JournalWriter::Create(directory / "notes", ExampleRun()).error().message,
              AllOf(HasSubstr("notes"), HasSubstr("or a journal to write over")));
  EXPECT_EQ(*ReadFile(directory / "notes"), "mine\n");
}

TEST(Journal, SecondWriter_IsRefusedWhileTheFirstWrites) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory / "run.jsonl";
  Result<JournalWriter> first = JournalWriter::Create(path, ExampleRun());
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->Append(ExampleCells().front()));
  Journal found;
  EXPECT_THAT(JournalWriter::Create(path, ExampleRun()).error().message,
              HasSubstr("another run is writing this journal"));
  EXPECT_THAT(JournalWriter::Resume(path, ExampleRun(), &found).error().message,
              HasSubstr("another run is writing this journal"));
  ASSERT_TRUE(first->Finish(1));
  EXPECT_EQ(ReadJournal(path)->cells.size(), 1u);
  EXPECT_TRUE(JournalWriter::Create(path, ExampleRun()));
}

// As on a disk that gets full and is cleared again while the run goes on.
TEST(Journal, LineThatWasNotWrittenWhole_StaysTheLast) {
  const TemporaryDirectory directory;
  const auto path = directory / "run.jsonl";
  const std::vector<CellRecord> cells = ExampleCells();
  ASSERT_GE(cells.size(), 3u);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  {
    Result<JournalWriter> writer = JournalWriter::Create(path, ExampleRun());
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->Append(cells[0]));
    rlimit full = before;
    full.rlim_cur = std::filesystem::file_size(path) + 20;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    const Status cut = writer->Append(cells[1]);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(cut);
    EXPECT_THAT(cut.error().message, HasSubstr("cannot write the journal"));
    EXPECT_FALSE(writer->Append(cells[2]));
    EXPECT_FALSE(writer->Finish(1));
  }
  EXPECT_FALSE(ReadFile(path)->ends_with('\n'));
  Journal found;
  Result<JournalWriter> resumed = JournalWriter::Resume(path, ExampleRun(), &found);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(found.cells, std::vector{cells[0]});
  EXPECT_TRUE(resumed->Append(cells[1]));
  EXPECT_TRUE(resumed->Finish(2));
  EXPECT_EQ(ReadJournal(path)->cells.size(), 2u);
}

// A run that was killed, or had no room, before its first line.
TEST(Journal, ResumedWithoutALine_SaysToStartAnew) {
  const TemporaryDirectory directory;
  const auto path = directory / "run.jsonl";
  for (const char* text : {"", "{\"jour", "{\"journal_version\":\"1.0.0\",\"run\":{"}) {
    ASSERT_TRUE(WriteFileAtomically(path, text));
    Journal found;
    EXPECT_THAT(JournalWriter::Resume(path, ExampleRun(), &found).error().message,
                HasSubstr("; start the run without --resume"));
    EXPECT_TRUE(JournalWriter::Create(path, ExampleRun()));
  }
}

TEST(CheckSameRun, NamesTheFirstDifference) {
  const RunInfo run = ExampleRun();
  RunInfo other = run;
  other.start_time = "later";
  other.machine.cpu_model = "another";
  other.selection.shard = ShardRecord{0, 2, 5};
  EXPECT_TRUE(CheckSameRun(run, other, ShardRule::kAnyShard));
  EXPECT_FALSE(CheckSameRun(run, other, ShardRule::kSameShard));
  other = run;
  other.backend.digest = std::string(64, 'f');
  EXPECT_THAT(CheckSameRun(run, other, ShardRule::kAnyShard).error().message,
              HasSubstr("backend.digest"));
  other.backend.digest.clear();
  EXPECT_TRUE(CheckSameRun(run, other, ShardRule::kAnyShard));
  other.backend.details["threads"] = "2";
  EXPECT_THAT(CheckSameRun(run, other, ShardRule::kAnyShard).error().message,
              HasSubstr("backend.details.threads"));
  other = run;
  other.tool.commit += "0";
  EXPECT_THAT(CheckSameRun(run, other, ShardRule::kAnyShard).error().message,
              HasSubstr("tool.commit"));
}

}  // namespace
}  // namespace qconform
