// The program as its users meet it: help, errors, flags, what it prints and where.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "reports/report/report.h"
#include "testing/cli_folder.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class Cli : public CliFolder {};

TEST_F(Cli, Help_OfEveryCommand_Is0) {
  for (const char* command :
       {"", "run", "replay", "list", "list cells", "prove", "prove line"}) {
    const Ran ran = RunTool(std::string(command) + " --help");
    EXPECT_EQ(ran.exit_code, 0) << command;
    EXPECT_NE(ran.output.find("--help"), std::string::npos) << command;
  }
  EXPECT_EQ(RunTool("--version").exit_code, 0);
}

TEST_F(Cli, HelpCommand_IsTheFlag) {
  for (const char* command : {"", "run", "list cells", "prove line"}) {
    const Ran ran = RunTool("help " + std::string(command));
    EXPECT_EQ(ran.exit_code, 0) << command;
    EXPECT_EQ(ran.output, RunTool(std::string(command) + " --help").output) << command;
  }
  EXPECT_NE(RunTool("--help").output.find("help COMMAND"), std::string::npos);
  const Ran unknown = RunTool("help rn");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(Has(unknown.output, "command: expected one of run, ")) << unknown.output;
  EXPECT_TRUE(Has(unknown.output, "got 'rn'")) << unknown.output;
}

TEST_F(Cli, ListCells_CountsTheLattice) {
  const Ran ran = RunTool("list cells");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* count : {" 4\n", " 8\n", " 48\n", " 120\n", " 528\n", " 660\n",
                            " 780\n", " 900\n", " 3048\n"}) {
    EXPECT_NE(ran.output.find(count), std::string::npos) << count << ran.output;
  }
}

TEST_F(Cli, SchemaMarkdown_IsOfTheNamedOneAlone) {
  for (const char* name : {"report", "known-differences", "diff", "faults", "profile"}) {
    const Ran ran = RunTool("list schema --markdown " + std::string(name));
    EXPECT_EQ(ran.exit_code, 0) << name;
    EXPECT_TRUE(ran.output.starts_with("# ")) << name << ran.output.substr(0, 80);
    EXPECT_EQ(ran.output.find("\n# "), std::string::npos) << name;
    EXPECT_EQ(ran.output.find("# The formats of reports"), std::string::npos) << name;
  }
}

TEST_F(Cli, SemanticsPage_IsTheLedger) {
  std::ifstream file(fs::path(QCONFORM_SOURCE_DIR) / "docs/semantics.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(RunTool("list clauses --markdown").output, page)
      << "script/docs makes docs/semantics.md anew";
}

TEST_F(Cli, ListClauses_TellsSourceAndVersionsInNarrowLines) {
  const Ran ran = RunTool("list clauses");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_TRUE(Has(ran.output, "\nQL-04 (open, parametric; since "));
  std::istringstream lines(ran.output);
  int clauses = 0;
  int sources = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    clauses += line.empty() || line[0] == ' ' ? 0 : 1;
    sources += line.starts_with("  Source: ") ? 1 : 0;
  }
  EXPECT_GT(clauses, 40);
  EXPECT_EQ(sources, clauses);
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

TEST_F(Cli, ClosedStdout_IsAnErrorWhereSomethingIsPrinted) {
  for (const char* arguments : {"list cells --ids", "--help", "list cells"}) {
    const Ran ran = RunTool(std::string(arguments) + " 2>" + Path("errors") + " >&- #");
    EXPECT_EQ(ran.exit_code, 2) << arguments;
    EXPECT_TRUE(Has(Text("errors"), "stdout: Bad file descriptor")) << Text("errors");
  }
  EXPECT_EQ(RunTool("list cells --ids <&- 2>&- #").exit_code, 0);
}

TEST_F(Cli, FileOverTheLimit_IsAnErrorAndLeavesNothing) {
  ASSERT_EQ(RunTool("run --cells 'QuantizeLinear/10/*' --level smoke --report " +
                    Path("r.json"))
                .exit_code,
            0);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 20000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  const Ran ran = RunTool("report " + Path("r.json") + " --html " + Path("page.html"));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(ran.exit_code, 2) << ran.output;
  EXPECT_TRUE(Has(ran.output, "page.html: cannot write: File too large")) << ran.output;
  for (const auto& entry : fs::directory_iterator(directory_)) {
    EXPECT_FALSE(Has(entry.path().string(), "page.html")) << entry.path();
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
      "replay " + one + " --shrink " + Path("link.json"),
      "prove line FLOAT16-FLOAT16-INT8 --scale 1 --report " + other +
          " --counterexample " + other,
      "prove line FLOAT16-FLOAT16-INT8 --scale 1 --report " + other + " --journal " +
          other,
  };
  for (const std::string& row : rows) {
    const Ran ran = RunTool(row);
    EXPECT_EQ(ran.exit_code, 2) << row << "\n" << ran.output;
    EXPECT_TRUE(Has(ran.output, "expected different files for ")) << row << "\n"
                                                                  << ran.output;
  }
  EXPECT_EQ(read(), before);
  EXPECT_FALSE(fs::exists(other));
  EXPECT_EQ(RunTool("report " + one + " --csv /dev/null --html /dev/null").exit_code, 0);
}

TEST_F(Cli, ReportOfSeveralFiles_JoinsPartsAndComparesBackends) {
  const auto run = [&](const std::string& name, const std::string& flags) {
    RunTool("run --level smoke -q " + flags + " -o " + Path(name));
    return Path(name) + " ";
  };
  const std::string a = run("a.json", "--cells 'QuantizeLinear/10/*'");
  const std::string b = run("b.json", "--cells 'QuantizeLinear/13/*'");
  const std::string c =
      run("c.json", "--backend faulty:ties_away --cells 'QuantizeLinear/10/*'");
  const std::string d =
      run("d.json", "--backend faulty:truncates --cells 'QuantizeLinear/10/*'");
  Ran ran = RunTool("report " + a + b + "--csv " + Path("cells.csv"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(Has(Text("cells.csv"), "QuantizeLinear/10/"));
  EXPECT_TRUE(Has(Text("cells.csv"), "QuantizeLinear/13/"));
  ran = RunTool("report " + a + c + b + "--html " + Path("page.html"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(Has(ran.output, "PASS")) << ran.output;
  EXPECT_TRUE(Has(ran.output, "\nB  faulty:ties_away")) << ran.output;
  EXPECT_TRUE(Has(Text("page.html"), "\"models\""));
  for (const std::string& arguments : {a + c, a + c + "--html h.html --csv c.csv"}) {
    ran = RunTool("report " + arguments);
    EXPECT_EQ(ran.exit_code, 2) << ran.output;
    EXPECT_TRUE(Has(ran.output, "expected --html FILE and no other output"))
        << ran.output;
  }
  ran = RunTool("report " + a + c + d + "--html h.html");
  EXPECT_EQ(ran.exit_code, 2) << ran.output;
  EXPECT_TRUE(Has(ran.output, "d.json: expected other cells of one of the two backends"))
      << ran.output;
}

TEST_F(Cli, HelpOfACommand_TellsItsOwnExitCodes) {
  const struct {
    const char* command;
    const char* words;
  } kRows[] = {
      {"diff", "newly_supported_wrong *"},
      {"certify", "0 the product conforms"},
      {"verify", "3 the\npackage is genuine, but incomplete"},
      {"prove line", "4 the backend declines"},
      {"bench", "1 a bound of --all"},
      {"faults", "1 a fault survives"},
      {"export", "0 all cases are written"},
      {"list cells", "0 success"},
      {"worker-check", "0 the worker speaks the protocol"},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunTool(std::string(row.command) + " --help");
    EXPECT_TRUE(Has(ran.output, row.words)) << row.command << ran.output;
    EXPECT_FALSE(Has(ran.output, "nothing selected is supported")) << ran.output;
  }
  EXPECT_TRUE(Has(RunTool("run --help").output, "nothing selected is supported"));
  EXPECT_FALSE(Has(RunTool("verify --help").output, "=simd")) << "none is asked";
}

// Each row: arguments, and words that the one error must contain.
struct BadInput {
  const char* arguments;
  const char* words;
};

TEST_F(Cli, BadInput_IsNamedAndExitsWith2) {
  const BadInput kRows[] = {
      {"", "qconform: command: expected one of run, "},
      {"completion", "qconform: shell: expected one of bash, "},
      {"list", "qconform: command: expected one of "},
      {"run --bogus",
       "qconform: option: expected one of 'qconform run --help', got '--bogus'"},
      {"run --timeout 10 --backend simd",
       "qconform: option: expected one of 'qconform run --help', got '--timeout'"},
      {"diff a.json b.json c.json", "qconform: argument: expected no more, got 'c.json'"},
      {"run --level thorough", "qconform: --level: expected one of "},
      {"run --cells '*/2[1'", "--cells: expected a ']' for the '[', got '*/2[1'"},
      {"run --cells Foo", "--cells: expected one of ids such as "},
      {"run --cells Foo", "the operators are QuantizeLinear, "},
      {"frobnicate", "frobnicate"},
      {"run --frobnicate", "--frobnicate"},
      {"--frobnicate run", "expected a command first, got '--frobnicate'"},
      {"run --backend cuda", "'cuda'"},
      {"run --backend simd:AVX9", "AVX9"},
      {"run --backend simd:", "expected a target after the colon"},
      {"run --backend oracle:AVX2", "expected no target, got 'AVX2'"},
      {"run --backend-option threads", "KEY=VALUE"},
      {"run --backend-option threads=0", "threads"},
      {"run --backend-option speed=9",
       "requantization=exact|f32_multiplier, got 'speed'"},
      {"run --backend-option requantization=fast",
       "expected exact|f32_multiplier, got 'fast'"},
      {"run --cells 'QuantiseLinear/*'", "'QuantiseLinear/*'"},
      {"run --level thorough",
       "expected one of exhaustive, smoke, standard, got 'thorough'"},
      {"run --seed minus", "seed"},
      {"run --seed -1", "got '-1'"},
      {"verify --sample-seed -1 package", "got '-1'"},
      {"run --jobs 0", "jobs"},
      {"run --jobs 99999999999", "to 2147483647, got '99999999999'"},
      {"run --seed 18446744073709551616", "to 18446744073709551615"},
      {"run --seed 0x10", "got '0x10'"},
      {"run --seed ''", "expected a decimal integer from 0"},
      {"run --report ''", "--report: expected a value, got an empty text"},
      {"run --report --resume", "got the flag '--resume'"},
      {"run --shard 0/100001", "N from 1 to 100000"},
      {"export ''", "directory: expected a value, got an empty text"},
      {"prove line FLOAT16-FLOAT16-INT8 --scale= 0.1",
       "--scale=: expected a value after '='"},
      {"run --report= --resume", "--report=: expected a value after '='"},
      {"prove bogus", "expected one of rewrite, line, plane"},
      {"list bogus", "'list bogus'"},
      {"replay --backend-option threads=2 nonsense", "nonsense"},
      {"report --cells '*' /nonexistent.json", "/nonexistent.json"},
      {"report --cells '*' --json j.json r.json",
       "--json: expected the whole report, got --cells"},
      {"report --cells '*' --html h.html r.json",
       "--html: expected the whole report, got --cells"},
      {"report - < /dev/null", "/dev/stdin"},
      {"report -v -q r.json", "--quiet"},
      {"run --report - --resume", "--resume: expected --report FILE"},
      {"export --stored cases --profile int8-core out", "--profile excludes --stored"},
      {"export --stored cases --operator QuantizeLinear out",
       "--operator excludes --stored"},
      {"export -", "write ./- for a file of that name"},
      {"bench --seconds nan", "got 'nan'"},
      {"bench --operators QLinearMatMul --report b.json", "--report is only of"},
      {"bench --operators QLinearMatMul --rows '*'", "--rows is only of"},
      {"bench --operators QLinearMatMul --elements 4096", "--elements is only of"},
      {"bench --operators QLinearMatMul --zero-points", "--zero-points is only of"},
      {"bench --threads 1 --threads 0", "got '0'"},
      {"bench --vs-option threads=1", "'threads=1' needs --vs"},
      {"bench --vs onnxruntime --vs-option foo",
       "--vs-option: expected KEY=VALUE, got 'foo'"},
      {"bench --elements 4096 --elements 5000",
       "--elements: expected a multiple of 4096, got 5000"},
      {"run --report /nonexistent/dir/r.json", "/nonexistent/dir"},
      {"run --no-cells", "--node-tests"},
      {"run --no-cells --negative --cells 'QuantizeLinear/10/*'", "got both"},
      {"run --negative --no-negative", "got both"},
      {"run --memory-limit 0", "from 1 to 2^64 - 1"},
      {"report /dev/zero", "/dev/zero: expected a file, got a device"},
      {"diff /dev/null /dev/null", "/dev/null: expected a file, got a device"},
      {"report /dev/null --beside /dev/null", "--beside: expected --html FILE too"},
      {"prove plane", "qconform: types: expected "},
      {"prove line FLOAT-FLOAT-INT9 --scale 1", "'qconform list cells --ids'"},
      {"run --update-known", "--known FILE"},
      {"run --update-known --cells 'QuantizeLinear/10/*'", "--known FILE"},
      {"run --node-tests /nonexistent", "/nonexistent"},
      {"bench --operators QuantizeLinear --rows 'INT5 *'",
       "got 'INT5 *', which matches none"},
      {"replay", "case"},
      {"replay nonsense", "nonsense"},
      {"replay nonsense --emit cpp --shrink small.json", "--shrink excludes --emit"},
      {"replay nonsense --emit cpp --backend simd", "--backend excludes --emit"},
      {"replay nonsense --emit cpp --timeout-per-case 1",
       "--timeout-per-case excludes --emit"},
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

bool HasTerminals() {
  int terminal = -1;
  int program = -1;
  if (openpty(&terminal, &program, nullptr, nullptr, nullptr) != 0) return false;
  close(terminal);
  close(program);
  return true;
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
  if (!HasTerminals())
    GTEST_SKIP() << "no terminal can be opened here: is /dev/pts there?";
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

TEST_F(Cli, TooLittleMemory_IsAnError) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs address space without end";
#endif
  const Ran ran =
      RunTool("--version >/dev/null; ulimit -v 4000000; " QCONFORM_TOOL
              " bench --operators QuantizeLinear --rows 'FLOAT-FLOAT-UINT8 per_tensor' "
              "--elements 4294967296 --seconds 0.01");
  EXPECT_EQ(ran.exit_code, 2) << ran.output;
  EXPECT_TRUE(Has(ran.output, "not enough memory")) << ran.output;
}

TEST_F(Cli, RepeatableFlag_LeavesTheArgumentAlone) {
  const Ran ran =
      RunTool("export --level smoke --cells 'QuantizeLinear/10/FLOAT-*' " + Path("out"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(fs::exists(Path("out/manifest.json")));
}

TEST_F(Cli, Export_TakesTheFlagsThatChooseCells) {
  const Ran ran = RunTool(
      "export --no-progress --level smoke --profile int8-core --operator QuantizeLinear "
      "--cells '*/10/FLOAT-*' " +
      Path("out"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const std::string manifest = Text("out/manifest.json");
  EXPECT_TRUE(Has(manifest, R"("profile":"own:int8-core-part")")) << manifest;
  EXPECT_TRUE(Has(manifest, "test_QuantizeLinear.10-10.FLOAT-FLOAT-INT8")) << manifest;
  EXPECT_FALSE(Has(manifest, "QLinearMatMul.10")) << manifest;
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

TEST_F(Cli, BenchAll_TellsOfGroupsThatAreWhole) {
  const std::string bench =
      "bench --operators QuantizeLinear --all --zero-points --threads 1 --threads 2 "
      "--elements 4096 --seconds 0.01 --rows 'FLOAT-FLOAT-UINT4 per_*'";
  const Ran ran = RunTool(bench);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  // A line of each by one thread and by two, with as many columns.
  size_t rows = 0;
  std::set<size_t> lengths;
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("FLOAT-FLOAT-UINT4 per_")) continue;
    EXPECT_NE(line.find(" zero_point "), std::string::npos) << line;
    lengths.insert(line.size());
    ++rows;
  }
  EXPECT_EQ(rows, 6u) << ran.output;
  EXPECT_EQ(lengths.size(), 1u) << ran.output;
  EXPECT_EQ(ran.output.find("the slowest"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("0 of 6 measurements are outside"), std::string::npos);
}

// Not every CPU has the instruction whose peak it is.
TEST_F(Cli, BenchPeak_IsNoZero) {
  const Ran ran = RunTool("bench --operators QLinearMatMul --seconds 0.01");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(ran.output.find(" 0.0%"), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace qconform
