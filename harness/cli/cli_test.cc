// The program as its users run it: exit codes, errors, reports and replay.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

#include "reports/journal.h"
#include "reports/report.h"
#include "testing/run_tool.h"  // in this folder

namespace qconform {
namespace {

namespace fs = std::filesystem;

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() /
                 ("qconform_cli_test_" + std::to_string(getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }

  fs::path directory_;
};

TEST_F(Cli, Help_OfEveryCommand_Is0) {
  for (const char* command :
       {"", "run", "replay", "list", "list cells", "prove", "prove line"}) {
    const Ran ran = RunTool(std::string(command) + " --help");
    EXPECT_EQ(ran.exit_code, 0) << command;
    EXPECT_NE(ran.output.find("--help"), std::string::npos) << command;
  }
  EXPECT_EQ(RunTool("--version").exit_code, 0);
}

TEST_F(Cli, ListCells_CountsTheLattice) {
  const Ran ran = RunTool("list cells");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* count :
       {" 4\n", " 8\n", " 48\n", " 120\n", " 528\n", " 660\n", " 780\n", " 2148\n"}) {
    EXPECT_NE(ran.output.find(count), std::string::npos) << count << ran.output;
  }
}

TEST_F(Cli, SemanticsPage_IsTheLedger) {
  std::ifstream file(fs::path(QCONFORM_SOURCE_DIR) / "docs/semantics.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(RunTool("list clauses --markdown").output, page)
      << "script/docs makes docs/semantics.md anew";
}

TEST_F(Cli, Run_WritesAReportThatReadsBack) {
  const Ran ran = RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report " +
                          Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(report->cells.size(), 4u);
  EXPECT_EQ(report->totals.cells.passes(), 4);
}

TEST_F(Cli, Run_EqualRuns_GiveEqualDigests) {
  const std::string what = "run --cells 'QuantizeLinear/13/*' --level smoke --report ";
  ASSERT_EQ(RunTool(what + Path("a.json") + " --jobs 1").exit_code, 0);
  ASSERT_EQ(RunTool(what + Path("b.json") + " --jobs 2").exit_code, 0);
  const auto a = ReadReport(Path("a.json"));
  const auto b = ReadReport(Path("b.json"));
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->results_digest, b->results_digest);
}

// A run that was killed: its journal without the footer, and half a line.
TEST_F(Cli, Resume_GoesOnToTheSameResults) {
  const std::string what = "run --cells 'QuantizeLinear/13/*' --level smoke --report ";
  ASSERT_EQ(RunTool(what + Path("whole.json")).exit_code, 0);
  ASSERT_EQ(RunTool(what + Path("cut.json")).exit_code, 0);
  std::ifstream in(Path("cut.json") + ".journal");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  size_t end = 0;
  for (int line = 0; line < 4; ++line) end = text.find('\n', end) + 1;
  std::ofstream(Path("cut.json") + ".journal") << text.substr(0, end + 20);
  fs::remove(Path("cut.json"));
  const Ran ran = RunTool(what + Path("cut.json") + " --resume");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto whole = ReadReport(Path("whole.json"));
  const auto resumed = ReadReport(Path("cut.json"));
  ASSERT_TRUE(whole.ok() && resumed.ok());
  EXPECT_TRUE(resumed->complete);
  EXPECT_EQ(whole->results_digest, resumed->results_digest);
  EXPECT_EQ(RunTool(what + Path("cut.json") + " --resume").exit_code, 2)
      << "a run that came to its end is not resumed";
}

TEST_F(Cli, UnfinishedJournal_IsKeptByANewRun) {
  const std::string what =
      "run --cells 'QuantizeLinear/10/*' --level smoke --report " + Path("r.json");
  ASSERT_EQ(RunTool(what).exit_code, 0);
  fs::resize_file(Path("r.json.journal"), fs::file_size(Path("r.json.journal")) - 1);
  const Ran ran = RunTool(what);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(ran.output, "it is now " + Path("r.json.journal.old"))) << ran.output;
  EXPECT_TRUE(fs::exists(Path("r.json.journal.old")));
}

// A closed stream's number must not become that of a file.
TEST_F(Cli, ClosedStreams_LeaveReportAndJournalWhole) {
  const Ran ran = RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report " +
                          Path("r.json") + " <&- 2>/dev/null >&- #");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_TRUE(ReadReport(Path("r.json")).ok());
  const auto journal = ReadJournal(Path("r.json.journal"));
  ASSERT_TRUE(journal.ok()) << journal.error().message;
  EXPECT_TRUE(journal->complete);
}

TEST_F(Cli, FullStdout_IsAnError) {
  for (const char* arguments : {"list cells --ids", "--help", "list cells"}) {
    const Ran ran =
        RunTool(std::string(arguments) + " 2>" + Path("errors") + " >/dev/full #");
    EXPECT_EQ(ran.exit_code, 2) << arguments;
    std::ifstream errors(Path("errors"));
    const std::string text((std::istreambuf_iterator<char>(errors)), {});
    EXPECT_TRUE(Has(text, "stdout: No space left on device")) << arguments << text;
  }
}

TEST_F(Cli, OneFileForTwoThings_IsRefusedAndUntouched) {
  const std::string one = Path("one.json");
  ASSERT_EQ(RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report " + one)
                .exit_code,
            0);
  const auto read = [&] {
    std::ifstream file(one);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  };
  const std::string before = read();
  fs::create_symlink(one, Path("link.json"));
  std::ofstream(Path("known.json"))
      << R"({"known_differences_version": "1.0.0", "entries": []})";
  const std::string other = Path("other.json");
  const std::string rows[] = {
      "run --known " + Path("known.json") + " --report " + Path("known.json"),
      "report " + one + " --junit " + one,
      "report " + one + " --json " + Path("link.json"),
      "report " + one + " --junit " + other + " --markdown " + Path("./other.json"),
      "diff " + one + " " + one + " --json " + one,
      "merge " + one + " -o " + Path("link.json"),
      "prove line FLOAT16-FLOAT16-INT8 --scale 1 --report " + other +
          " --counterexample " + other,
      "prove line FLOAT16-FLOAT16-INT8 --scale 1 --report " + other + " --journal " +
          other,
  };
  for (const std::string& row : rows) {
    const Ran ran = RunTool(row);
    EXPECT_EQ(ran.exit_code, 2) << row << "\n" << ran.output;
    EXPECT_TRUE(Has(ran.output, "is named for two things")) << row << "\n" << ran.output;
  }
  EXPECT_EQ(read(), before);
  EXPECT_FALSE(fs::exists(other));
  EXPECT_EQ(RunTool("report " + one + " --csv /dev/null --html /dev/null").exit_code, 0);
}

TEST_F(Cli, UpdateKnown_OfSomeCells_IsRefusedBeforeTheWork) {
  const std::string known = Path("known.json");
  std::ofstream(known) << R"({"known_differences_version": "1.0.0", "entries": []})";
  for (const char* part : {" --cells 'QuantizeLinear/10/*'", " --shard 0/2"}) {
    const Ran ran = RunTool("run --level smoke --update-known --known " + known + part +
                            " --report " + Path("r.json"));
    EXPECT_EQ(ran.exit_code, 2) << ran.output;
    EXPECT_TRUE(Has(ran.output, "--update-known rewrites")) << ran.output;
    EXPECT_FALSE(fs::exists(Path("r.json.journal"))) << part;
  }
}

TEST_F(Cli, UpdateKnown_WithExitZero_RewritesTheFile) {
  const std::string known = Path("known.json");
  std::ofstream(known) << R"({"known_differences_version": "1.0.0", "entries": [{"cells":
      ["QuantizeLinear/10/*"], "verdict": "nonconformant", "reason": "long ago"}]})";
  const Ran ran =
      RunTool("run --level smoke --no-negative --update-known --exit-zero --known " +
              known + " --report " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  std::ifstream file(known);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(Has(text, "known_differences_version")) << text;
  EXPECT_FALSE(Has(text, "long ago")) << text;
}

TEST_F(Cli, DiffHelp_TellsItsOwnExitCodes) {
  const Ran ran = RunTool("diff --help");
  EXPECT_TRUE(Has(ran.output, "or rows lost")) << ran.output;
  EXPECT_FALSE(Has(ran.output, "nothing selected is supported")) << ran.output;
}

TEST_F(Cli, Replay_OfAListedCase_RerunsIt) {
  const Ran list =
      RunTool("list cases --level smoke --cells 'QuantizeLinear/10/FLOAT-*'");
  ASSERT_EQ(list.exit_code, 0);
  const std::string id = list.output.substr(0, list.output.find('\n'));
  const Ran ran = RunTool("replay " + id + " --backend simd");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_NE(ran.output.find("case " + id), std::string::npos);
  EXPECT_NE(ran.output.find("conformant"), std::string::npos);
}

// Each row: arguments, and words that the one error must contain.
struct BadInput {
  const char* arguments;
  const char* words;
};

TEST_F(Cli, BadInput_IsNamedAndExitsWith2) {
  const BadInput kRows[] = {
      {"", "subcommand"},
      {"frobnicate", "frobnicate"},
      {"run --frobnicate", "--frobnicate"},
      {"run --backend cuda", "'cuda'"},
      {"run --backend simd:AVX9", "AVX9"},
      {"run --backend simd:", "names no target"},
      {"run --backend oracle:AVX2", "no targets"},
      {"run --backend-option threads", "KEY=VALUE"},
      {"run --backend-option threads=0", "threads"},
      {"run --backend-option speed=9", "'speed'"},
      {"run --cells 'QuantiseLinear/*'", "'QuantiseLinear/*'"},
      {"run --level thorough", "thorough not in {exhaustive,smoke,standard}"},
      {"run --seed minus", "seed"},
      {"run --seed -1", "-1 is negative"},
      {"verify --sample-seed -1 package", "-1 is negative"},
      {"run --jobs 0", "jobs"},
      {"run --jobs 99999999999", "'99999999999' is no decimal integer"},
      {"run --seed 18446744073709551616", "to 18446744073709551615"},
      {"run --seed 0x10", "'0x10' is no decimal integer"},
      {"run --seed ''", "'' is no decimal integer"},
      {"run --report ''", "--report: '' is empty"},
      {"run --report --resume", "'--resume' is a flag"},
      {"run --shard 0/100001", "a count from 1 to 100000"},
      {"export ''", "directory: '' is empty"},
      {"prove bogus", "'prove bogus'; there are line, plane"},
      {"list bogus", "'list bogus'"},
      {"replay --backend-option threads=2 nonsense", "nonsense"},
      {"report --cells '*' /nonexistent.json", "/nonexistent.json"},
      {"bench --seconds nan", "'nan' is not"},
      {"bench --operators QLinearMatMul --report b.json", "--report is of"},
      {"bench --operators QLinearMatMul --rows '*'", "--rows is of"},
      {"bench --operators QLinearMatMul --elements 4096", "--elements is of"},
      {"bench --vs-option threads=1", "'threads=1' needs --vs"},
      {"bench --elements 4096 --elements 5000", "--elements 5000: a multiple"},
      {"run --report /nonexistent/dir/r.json", "/nonexistent/dir"},
      {"run --no-cells", "--node-tests"},
      {"run --update-known", "--known FILE"},
      {"run --update-known --cells 'QuantizeLinear/10/*'", "--known FILE"},
      {"run --node-tests /nonexistent", "/nonexistent"},
      {"bench --operators QuantizeLinear --rows 'INT5 *'",
       "--rows 'INT5 *' matches no row"},
      {"replay", "case"},
      {"replay nonsense", "nonsense"},
      {"replay /nonexistent.json", "/nonexistent.json"},
      {"run --resume --report /nonexistent.json", "/nonexistent.json"},
      {"replay QuantizeLinear/10@10/FLOAT-FLOAT-UINT8/per_axis/inputs/saturate=1/ties/0",
       "per_axis"},
      {"replay "
       "QuantizeLinear/10@99/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0",
       "99"},
  };
  for (const BadInput& row : kRows) {
    const Ran ran = RunTool(row.arguments);
    EXPECT_EQ(ran.exit_code, 2) << row.arguments << "\n" << ran.output;
    EXPECT_NE(ran.output.find(row.words), std::string::npos) << row.arguments << "\n"
                                                             << ran.output;
  }
}

// The node tests of a release, some of them, in a new folder.
void CopyNodeTests(const fs::path& to, std::initializer_list<const char*> names) {
  const fs::path from = fs::path(QCONFORM_DEPS_DIR) / "node-tests" / "1.20.0";
  fs::create_directories(to);
  for (const char* name : names) {
    fs::copy(from / name, to / name, fs::copy_options::recursive);
  }
}

// The rows of the others are kept.
TEST_F(Cli, BadNodeTests_AreNamedAndTheOthersRun) {
  CopyNodeTests(directory_ / "nodes",
                {"test_quantizelinear_axis", "test_quantizelinear_uint4"});
  fs::remove(directory_ / "nodes/test_quantizelinear_uint4/test_data_set_0/input_0.pb");
  const Ran ran = RunTool("run --no-cells --node-tests " + Path("nodes") + " --report " +
                          Path("r.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->node_tests.size(), 2u);
  EXPECT_EQ(report->node_tests[0].verdict, NodeVerdict::kPass);
  EXPECT_EQ(report->node_tests[1].verdict, NodeVerdict::kError);
  EXPECT_NE(report->node_tests[1].reason.find("input_0.pb"), std::string::npos)
      << report->node_tests[1].reason;
}

// ONNX's are always in .../data/node.
TEST_F(Cli, NodeTestsOfEqualFolderNames_AreToldApart) {
  for (const char* release : {"one", "two"}) {
    CopyNodeTests(directory_ / release / "data/node", {"test_quantizelinear_axis"});
  }
  CopyNodeTests(directory_ / "other", {"test_quantizelinear_axis"});
  const Ran ran = RunTool("run --no-cells --node-tests " + Path("one/data/node") +
                          " --node-tests " + Path("two/data/node/") + " --node-tests " +
                          Path("other") + " --report " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << ran.output;
  ASSERT_EQ(report->node_tests.size(), 3u);
  EXPECT_EQ(report->node_tests[0].release, "one/data/node");
  EXPECT_EQ(report->node_tests[1].release, "other");
  EXPECT_EQ(report->node_tests[2].release, "two/data/node");
}

TEST_F(Cli, NodeTests_OfTheFolderItself_HaveItsName) {
  CopyNodeTests(directory_ / "1.20.0", {"test_quantizelinear_axis"});
  const fs::path before = fs::current_path();
  fs::current_path(directory_ / "1.20.0");
  const Ran ran = RunTool("run --no-cells --node-tests . --report " + Path("r.json"));
  fs::current_path(before);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << ran.output;
  ASSERT_EQ(report->node_tests.size(), 1u);
  EXPECT_EQ(report->node_tests[0].release, "1.20.0");
}

TEST_F(Cli, NodeTests_NamedTwice_AreRefusedBeforeTheWork) {
  CopyNodeTests(directory_ / "data/node", {"test_quantizelinear_axis"});
  fs::create_directory_symlink(directory_ / "data", directory_ / "link");
  for (const char* second : {"data/node", "data/../data/node/", "data", "link",
                             "data/node/test_quantizelinear_axis"}) {
    const Ran ran =
        RunTool("run --no-cells --node-tests " + Path("data/node") + " --node-tests " +
                Path(second) + " --report " + Path("r.json"));
    EXPECT_EQ(ran.exit_code, 2) << second << "\n" << ran.output;
    EXPECT_TRUE(Has(ran.output, "both hold test_quantizelinear_axis")) << ran.output;
    EXPECT_FALSE(fs::exists(Path("r.json")));
  }
}

// What the program sends to a terminal, with these settings in its environment.
std::string OnATerminal(const std::string& environment, const std::string& arguments) {
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == 0) {
    const std::string command = "exec env -u NO_COLOR -u TERM " + environment + " " +
                                std::string(QCONFORM_TOOL) + " " + arguments;
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::string output;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = read(terminal, buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<size_t>(n));
  }
  close(terminal);
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << output;
  return output;
}

TEST_F(Cli, Escapes_AreSentWhereTheTerminalTakesThem) {
  const std::string run =
      "run --cells 'QuantizeLinear/10/*' --level smoke --report " + Path("r.json");
  const std::string all = OnATerminal("TERM=xterm", run);
  EXPECT_TRUE(Has(all, "\033[1m") && Has(all, "\033[K")) << all;
  const std::string without_color = OnATerminal("TERM=xterm NO_COLOR=1", run);
  EXPECT_FALSE(Has(without_color, "\033[0m")) << without_color;
  EXPECT_TRUE(Has(without_color, "\033[K")) << without_color;
  EXPECT_TRUE(Has(OnATerminal("TERM=xterm NO_COLOR=", run), "\033[1m"));
  for (const char* environment : {"TERM=dumb", "TERM=", ""}) {
    EXPECT_FALSE(Has(OnATerminal(environment, run), "\033")) << environment;
    EXPECT_FALSE(Has(OnATerminal(environment, "report " + Path("r.json")), "\033"))
        << environment;
  }
  EXPECT_FALSE(Has(RunTool(run).output, "\033"));
}

TEST_F(Cli, RepeatableFlag_LeavesTheArgumentAlone) {
  const Ran ran =
      RunTool("export --level smoke --cells 'QuantizeLinear/10/FLOAT-*' " + Path("out"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(fs::exists(Path("out/manifest.json")));
}

TEST_F(Cli, Seed_IsDecimal) {
  const std::string what =
      "run --cells 'QuantizeLinear/10/FLOAT-*' --level smoke --no-progress --report " +
      Path("r.json") + " --seed ";
  for (const char* seed : {"010", "10"}) {
    const Ran ran = RunTool(what + seed);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_NE(ran.output.find("seed 10\n"), std::string::npos) << ran.output;
  }
}

TEST_F(Cli, BenchRows_MeasuresWhatThePatternNames) {
  const Ran ran = RunTool(
      "bench --operators QuantizeLinear --elements 4096 --seconds 0.01 --rows "
      "'FLOAT-FLOAT-INT4 *' --rows '*UINT16 per_tensor'");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_NE(ran.output.find("FLOAT-FLOAT-INT4 per_tensor"), std::string::npos);
  EXPECT_NE(ran.output.find("FLOAT-FLOAT-UINT16 per_tensor"), std::string::npos);
  EXPECT_EQ(ran.output.find("INT8"), std::string::npos) << ran.output;
}

TEST_F(Cli, EmptyNodeTests_IsAnError) {
  fs::create_directories(directory_ / "nodes");
  const Ran ran = RunTool("run --no-cells --node-tests " + Path("nodes"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.output.find("node test"), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace qconform
