// Backends in other processes, through the program: what crashes, hangs or is
// interrupted leaves a report, and nobody behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "reports/report/report.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string Plugin(const std::string& name) {
  return std::string("plugin:" QCONFORM_PLUGINS "/") + name + ".so";
}

class Isolation : public testing::Test {
 protected:
  void SetUp() override {
    // Of programs with a sanitizer too: a crash that is meant ends them by its signal.
    const char* options = std::getenv("ASAN_OPTIONS");
    const std::string given = options == nullptr ? "" : std::string(options) + ":";
    setenv("ASAN_OPTIONS", (given + "handle_segv=0:handle_sigbus=0").c_str(), 1);
    directory_ = fs::temp_directory_path() /
                 ("qconform_isolation_" + std::to_string(getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }

  std::string Text(const std::string& name) const {
    std::ifstream in(Path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // The lines of a report's cells, as they stand in the file.
  std::vector<std::string> CellLines(const std::string& name) const {
    std::ifstream in(Path(name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("{\"cell\":")) lines.push_back(line);
    }
    return lines;
  }

  // Starts the program without waiting for it.
  static pid_t Start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), QCONFORM_TOOL);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
      if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(127);
      execv(pointers[0], pointers.data());
      _exit(127);
    }
    return pid;
  }

  // The children of `pid` that have one of their own name, as the kernel lists them.
  static std::vector<pid_t> ChildrenOf(pid_t pid) {
    std::vector<pid_t> children;
    std::error_code ignored;
    for (const auto& task :
         fs::directory_iterator("/proc/" + std::to_string(pid) + "/task", ignored)) {
      std::ifstream in(task.path() / "children");
      for (pid_t child = 0; in >> child;) children.push_back(child);
    }
    return children;
  }

  static bool WaitFor(const std::function<bool()>& condition) {
    for (int i = 0; i < 500; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  fs::path directory_;
};

constexpr const char* kCells =
    " --cells 'QuantizeLinear/1*' --cells 'QuantizeLinear/25/FLOAT16-*-INT4/*' --level "
    "smoke "
    "--no-progress --report ";

TEST_F(Isolation, SimdInAChild_GivesTheSameDigest) {
  ASSERT_EQ(
      RunTool("run --backend simd" + std::string(kCells) + Path("a.json")).exit_code, 0);
  const Ran isolated =
      RunTool("run --backend simd --isolate" + std::string(kCells) + Path("b.json"));
  ASSERT_EQ(isolated.exit_code, 0) << isolated.output;
  const auto a = ReadReport(Path("a.json"));
  const auto b = ReadReport(Path("b.json"));
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->results_digest, b->results_digest);
}

TEST_F(Isolation, SimdAsAPlugin_GivesTheSameCells) {
  ASSERT_EQ(
      RunTool("run --backend simd" + std::string(kCells) + Path("a.json")).exit_code, 0);
  const Ran plugin = RunTool("run --backend " + Plugin("qconform_simd_plugin") + kCells +
                             Path("b.json"));
  ASSERT_EQ(plugin.exit_code, 0) << plugin.output;
  EXPECT_GT(CellLines("a.json").size(), 60u);
  EXPECT_EQ(CellLines("a.json"), CellLines("b.json"));
}

// QL-12: both answers come to the judge, out of the child.
TEST_F(Isolation, APluginsOtherCodesOfNan_AreNoDeviation) {
  const auto replay = [](const std::string& fault) {
    return RunTool(
        "replay QuantizeLinear/10@12/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/"
        "specials/0 --backend " +
        Plugin("qconform_bad_plugin") + " --backend-option fault=" + fault);
  };
  const Ran free = replay("nan_by_run");
  EXPECT_EQ(free.exit_code, 0) << free.output;
  const Ran judged = replay("by_run");
  EXPECT_EQ(judged.exit_code, 1) << judged.output;
  EXPECT_THAT(judged.output, HasSubstr("differs when the case is run a second time"));
}

TEST_F(Isolation, ACrashingPlugin_CostsItsCellsAndIsReplayable) {
  const std::string backend =
      " --backend " + Plugin("qconform_bad_plugin") + " --backend-option fault=crash";
  const Ran ran =
      RunTool("run" + backend +
              " --cells 'QuantizeLinear/13/FLOAT-*' --level smoke --no-progress "
              "--report " +
              Path("r.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->complete);
  int crashed = 0;
  for (const CellRecord& cell : report->cells) {
    if (cell.verdict != Verdict::kCrashed) continue;
    ++crashed;
    EXPECT_THAT(cell.reason, HasSubstr("SIGSEGV"));
    EXPECT_THAT(cell.reason, HasSubstr("this happened again alone in a fresh process"));
    ASSERT_FALSE(cell.counterexamples.empty());
    std::string line = cell.counterexamples[0].replay;
    ASSERT_TRUE(line.starts_with("qconform replay "));
    const Ran replay = RunTool(line.substr(sizeof "qconform" - 1));
    EXPECT_EQ(replay.exit_code, 1) << replay.output;
    EXPECT_THAT(replay.output, HasSubstr("SIGSEGV"));
    const Ran told = RunTool("report " + Path("r.json") + " --cells '" + cell.cell + "'");
    EXPECT_THAT(told.output, HasSubstr(line));
    EXPECT_THAT(told.output, testing::Not(HasSubstr("expected")));
    EXPECT_THAT(told.output, HasSubstr("gdb -ex run --args " + line + " --in-process"));
  }
  EXPECT_EQ(crashed, 2) << "UINT8 alone is implemented there, per_tensor and per_axis";
  EXPECT_GT(report->cells.size(), 1u);
}

TEST_F(Isolation, AnAccessBesideATensor_SaysWhichSideOfWhichOne) {
  const std::pair<const char*, const char*> kRows[] = {
      {"read_behind", "of the input x, behind its end"},
      {"write_behind", "of the output y, behind its end"}};
  for (const auto& [fault, words] : kRows) {
    const Ran ran =
        RunTool("run --backend " + Plugin("qconform_bad_plugin") +
                " --backend-option fault=" + fault +
                " --cells QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor --level smoke "
                "--no-progress --report " +
                Path("r.json"));
    EXPECT_EQ(ran.exit_code, 1) << ran.output;
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_THAT(report->cells[0].reason,
                HasSubstr("(SIGSEGV); stderr: crash: SIGSEGV: "));
    EXPECT_THAT(report->cells[0].reason, HasSubstr(words));
    EXPECT_THAT(report->cells[0].reason, HasSubstr("qconform_bad_plugin"));
  }
}

// A sweep's tensors are run where they lie in memory that both processes have.
TEST_F(Isolation, LargeTensors_LieBetweenInaccessiblePages) {
  struct Row {
    const char* fault;
    int exit_code;
    const char* words;
  };
  const Row kRows[] = {
      {"none", 0, "0 of 16 777 216 inputs differ"},
      {"read_behind", 1, "SIGSEGV"},
      {"write_behind", 1, "SIGSEGV"},
      {"write_input", 1, "SIGSEGV"},
      {"write_before", 1, "wrote outside of output 0"},
      {"wrong_type", 1, "another type, shape or size"},
      {"wrong_shape", 1, "another type, shape or size"},
      {"unwritten", 1, "expected 0x03 (3) actual 0x5a (90)"},
  };
  for (const Row& row : kRows) {
    const Ran ran = RunTool(
        "prove line FLOAT-FLOAT-UINT8 --scale 0.5 --zero-point 3 "
        "--since-version 13 --chunks 0 --no-progress --backend " +
        Plugin("qconform_bad_plugin") + " --backend-option fault=" + row.fault +
        " --counterexample " + Path("c.json"));
    EXPECT_EQ(ran.exit_code, row.exit_code) << row.fault << "\n" << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(row.words)) << row.fault;
  }
}

TEST_F(Isolation, AProofThatABackendDeclines_IsNoDeviation) {
  const Ran ran = RunTool(
      "prove line FLOAT-FLOAT-INT8 --scale 0.5 --zero-point 3 --since-version 13 "
      "--chunks 0 --no-progress --backend " +
      Plugin("qconform_bad_plugin"));
  EXPECT_EQ(ran.exit_code, 4) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("declines the question: FLOAT to UINT8 alone"));
}

// It says in its handshake that it begins with opset_version 13.
TEST_F(Isolation, AWorkerThatDeclinesCells_ExitsWith3UnlessThatIsAllowed) {
  const auto run = [&](const std::string& cells, const std::string& flags) {
    return RunTool("run --backend 'process:" QCONFORM_FAUX_WORKER
                   " small_support' --cells 'QuantizeLinear/" +
                   cells + "/FLOAT-FLOAT-UINT8/per_tensor' --level smoke --no-progress " +
                   flags + " --report " + Path("r.json"));
  };
  const Ran some = run("1?", "");
  EXPECT_EQ(some.exit_code, 3) << some.output;
  EXPECT_EQ(RunTool("report " + Path("r.json")).exit_code, 3);
  EXPECT_EQ(RunTool("report --allow-unsupported " + Path("r.json")).exit_code, 0);
  EXPECT_EQ(
      RunTool("report --cells '*/10/*' --cells '*/13/*' " + Path("r.json")).exit_code, 3);
  EXPECT_EQ(run("1?", "--allow-unsupported").exit_code, 0);
  EXPECT_EQ(run("13", "").exit_code, 0);
  EXPECT_EQ(run("10", "--allow-unsupported").exit_code, 4);
}

TEST_F(Isolation, AHangingPlugin_IsKilledAfterItsTime) {
  const Ran ran = RunTool("run --backend " + Plugin("qconform_bad_plugin") +
                          " --backend-option fault=hang --timeout-per-case 0.2 --cells "
                          "QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor --level smoke "
                          "--no-progress --report " +
                          Path("r.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->cells.size(), 1u);
  EXPECT_EQ(report->cells[0].verdict, Verdict::kTimedOut);
  // The line that reruns it waits for as long as the run did.
  ASSERT_FALSE(report->cells[0].counterexamples.empty());
  const std::string line = report->cells[0].counterexamples[0].replay;
  EXPECT_THAT(line, HasSubstr(" --timeout-per-case 0.2 "));
  const Ran replay = RunTool(line.substr(sizeof "qconform" - 1));
  EXPECT_EQ(replay.exit_code, 1) << replay.output;
  EXPECT_THAT(replay.output, HasSubstr("no answer within 0.2 s"));
}

TEST_F(Isolation, Interrupt_EndsAHangAtOnceWithAReadableReport) {
  const pid_t pid =
      Start({"run", "--backend", Plugin("qconform_bad_plugin"), "--backend-option",
             "fault=hang", "--cells", "QuantizeLinear/1*", "--level", "smoke",
             "--no-progress", "--report", Path("r.json")});
  std::vector<pid_t> children;
  ASSERT_TRUE(WaitFor([&] { return !(children = ChildrenOf(pid)).empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  children = ChildrenOf(pid);
  const auto start = std::chrono::steady_clock::now();
  kill(pid, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_FALSE(report->complete);
  for (const CellRecord& cell : report->cells) {
    EXPECT_NE(cell.verdict, Verdict::kCrashed) << "what we kill has not crashed";
  }
  for (const pid_t child : children) EXPECT_NE(kill(child, 0), 0);
}

// Nor has a negative model whose child we kill: --resume asks it again.
TEST_F(Isolation, Interrupt_LeavesNoRecordOfWhatItCutOff) {
  const pid_t pid =
      Start({"run", "--backend", Plugin("qconform_bad_plugin"), "--backend-option",
             "fault=hang", "--cells", "QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor",
             "--negative", "--level", "smoke", "--timeout-per-case", "0.4",
             "--no-progress", "--report", Path("r.json")});
  const auto text = [&] { return Text("r.json.journal"); };
  ASSERT_TRUE(WaitFor([&] { return text().find("{\"negative\"") != std::string::npos; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(pid, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_THAT(text(), testing::Not(HasSubstr("interrupted")));
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_FALSE(report->negative.empty());
  for (const NegativeRecord& record : report->negative) {
    EXPECT_THAT(record.text, testing::Not(HasSubstr("interrupted")));
  }
}

TEST_F(Isolation, Interrupt_LeavesASweepThatCanGoOn) {
  const pid_t pid = Start({"prove", "line", "FLOAT-FLOAT-UINT8", "--scale", "0.5",
                           "--zero-point", "3", "--since-version", "13", "--no-progress",
                           "--backend", Plugin("qconform_bad_plugin"), "--backend-option",
                           "fault=hang", "--report", Path("p.json")});
  ASSERT_TRUE(WaitFor([&] { return fs::exists(Path("p.json.journal")); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(pid, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_THAT(Text("p.json"), HasSubstr("a part of all 2^32 codes of x"));
}

// The smallest case is looked for by asking a child that is stopped with the sweep.
TEST_F(Isolation, Interrupt_LeavesACounterexampleThatDeviates) {
  const std::string backend = "--backend=" + Plugin("qconform_bad_plugin");
  const std::string fault = "--backend-option=fault=ties_away";
  // Chunk 62 has x = 0.25, a tie; those behind it take some seconds.
  const pid_t pid =
      Start({"prove", "line", "FLOAT-FLOAT-UINT8", "--scale=0.5", "--zero-point=3",
             "--chunks=62-200", "--jobs=1", backend, fault,
             "--journal=" + Path("p.journal"), "--counterexample=" + Path("kept.json")});
  ASSERT_TRUE(WaitFor([&] { return Has(Text("p.journal"), "\"mismatches\":1,"); }));
  kill(pid, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const Ran replay = RunTool("replay " + Path("kept.json") + " " + backend + " " + fault);
  EXPECT_EQ(replay.exit_code, 1) << replay.output;
  EXPECT_THAT(replay.output, HasSubstr("1 of 1 elements differ"));
}

// A plugin takes one node; its wrong kernel is accused at the nodes where it computed.
TEST_F(Isolation, AWrongKernelOfAComposedGraph_IsNamedWithItsNode) {
  const std::string backend = " --backend " + Plugin("qconform_bad_plugin") +
                              " --backend-option fault=ties_away --compose";
  const std::string cell = "graphs.choosers/21/FLOAT-FLOAT-UINT8/Relu-Q.per_tensor";
  const Ran run = RunTool("run --level smoke --no-progress -v --cells '" + cell +
                          "' --report " + Path("r.json") + backend);
  EXPECT_EQ(run.exit_code, 1) << run.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->cells.size(), 1u);
  EXPECT_EQ(report->cells[0].diagnosis, "ties_away");
  EXPECT_THAT(report->cells[0].deviation->model, HasSubstr("QuantizeLinear (node 2): "));
  ASSERT_FALSE(report->cells[0].counterexamples.empty());
  const Counterexample& shown = report->cells[0].counterexamples[0];
  EXPECT_THAT(shown.replay, HasSubstr(" --compose"));
  // Relu is the oracle's, and right.
  ASSERT_EQ(shown.steps.size(), 2u);
  EXPECT_THAT(shown.steps[0].step, HasSubstr("Relu (node 1)"));
  EXPECT_EQ(shown.steps[0].expected, shown.steps[0].actual);
  EXPECT_NE(shown.steps[1].expected, shown.steps[1].actual);
  const Ran explained = RunTool("explain " + shown.case_id + backend);
  EXPECT_EQ(explained.exit_code, 1) << explained.output;
  EXPECT_THAT(explained.output, HasSubstr("  1 Relu: "));
  EXPECT_THAT(
      explained.output,
      HasSubstr("ties_away: QuantizeLinear (node 2): Ties are rounded away from"));
}

// Nor do its samples say anything of the product.
TEST_F(Isolation, Interrupt_OfSamplesLeavesACertificateThatCanGoOn) {
  const std::string backend = "--backend=process:" QCONFORM_FAUX_WORKER " slower 0";
  const std::vector<std::string> arguments = {"certify",       "--profile=microscaling",
                                              "--level=smoke", "--vendor=V",
                                              "--product=P",   "--jobs=16",
                                              backend,         "-o",
                                              Path("p.qcert")};
  const pid_t pid = Start(arguments);
  const auto lines = [&] {
    const std::string text = Text("p.qcert.journal");
    return std::count(text.begin(), text.end(), '\n');
  };
  // A header and 32 cells: samples are asked from then on, for more than a second.
  ASSERT_TRUE(WaitFor([&] { return lines() == 33; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(pid, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(fs::exists(Path("p.qcert")));
  std::string line;
  for (const std::string& argument : arguments) line += "'" + argument + "' ";
  const Ran resumed = RunTool(line + "--resume");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
}

TEST_F(Isolation, AKilledRun_TakesItsChildrenAlong) {
  const pid_t pid =
      Start({"run", "--backend", Plugin("qconform_bad_plugin"), "--backend-option",
             "fault=hang", "--cells", "QuantizeLinear/1*", "--level", "smoke",
             "--no-progress", "--report", Path("r.json")});
  std::vector<pid_t> children;
  ASSERT_TRUE(WaitFor([&] { return !(children = ChildrenOf(pid)).empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  children = ChildrenOf(pid);
  ASSERT_FALSE(children.empty());
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  for (const pid_t child : children) {
    EXPECT_TRUE(WaitFor([&] {
      // An orphan is reaped by init in its own time: dead is enough.
      std::ifstream in("/proc/" + std::to_string(child) + "/stat");
      std::string text((std::istreambuf_iterator<char>(in)), {});
      const size_t state = text.rfind(") ");
      return state == std::string::npos || text[state + 2] == 'Z';
    })) << child;
  }
}

TEST_F(Isolation, WorkerCheck_TellsGoodFromBad) {
  const Ran good = RunTool("worker-check '" QCONFORM_FAUX_WORKER " honest'");
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_THAT(good.output, HasSubstr("ok        keeps two prepared models apart"));
  EXPECT_THAT(good.output, HasSubstr("the worker speaks the protocol"));
  for (const char* mode : {"garbage_before 1", "wrong_type 2", "out_of_order 3", "stays",
                           "future", "too_many 1"}) {
    const Ran bad =
        RunTool("worker-check '" QCONFORM_FAUX_WORKER " " + std::string(mode) + "'");
    EXPECT_EQ(bad.exit_code, 1) << mode << "\n" << bad.output;
    EXPECT_THAT(bad.output, HasSubstr("FAILED")) << mode;
  }
}

// What a run would not ask of it is nothing to fail at.
TEST_F(Isolation, WorkerCheck_KeepsToTheHandshake) {
  const Ran small = RunTool("worker-check '" QCONFORM_FAUX_WORKER " small_tensors'");
  EXPECT_EQ(small.exit_code, 0) << small.output;
  EXPECT_THAT(small.output,
              HasSubstr("declined  answers a large tensor (2^20 elements): not asked: "
                        "its handshake says that it takes at most 1 elements"));
  const Ran other = RunTool("worker-check '" QCONFORM_FAUX_WORKER " other_support'");
  EXPECT_EQ(other.exit_code, 0) << other.output;
  EXPECT_THAT(other.output,
              HasSubstr("declined  declines an operator that does not exist: not asked"));
}

// Runs the program where a process may have that many files open.
Ran RunToolWithFiles(int files, const std::string& arguments) {
  return RunTool("--version > /dev/null; ulimit -n " + std::to_string(files) +
                 "; " QCONFORM_TOOL " " + arguments);
}

// The limits are part of the machine: fewer cells at a time need fewer files.
TEST_F(Isolation, FewFileDescriptors_AreEnoughForFewerJobs) {
  const std::string run =
      "run --cells 'QuantizeLinear/13/*' --level smoke --no-progress --jobs 16 "
      "--isolate --report " +
      Path("r.json");
  const Ran few = RunToolWithFiles(64, run);
  EXPECT_EQ(few.exit_code, 0) << few.output;
  EXPECT_THAT(few.output, HasSubstr("judges 2 cells at a time, not --jobs 16"));
  // A limit that the process itself may raise costs nothing.
  const Ran raised =
      RunTool("--version > /dev/null; ulimit -S -n 64; " QCONFORM_TOOL " " + run);
  EXPECT_EQ(raised.exit_code, 0) << raised.output;
  EXPECT_THAT(raised.output, Not(HasSubstr("cells at a time")));
}

// The digest of the results of a report.
std::string DigestOf(const std::string& path) {
  const auto report = ReadReport(path);
  EXPECT_TRUE(report.ok()) << report.error().message;
  return report.ok() ? report->results_digest : "";
}

// Too few file descriptors for pipes to another worker are no fault of the backend: the
// run ends, keeps what it has, and goes on from there.
TEST_F(Isolation, AHarnessWithoutFileDescriptors_AccusesNobody) {
  const std::string kBackends[] = {"simd --isolate",
                                   "'process:" QCONFORM_TOOL " worker --backend oracle'"};
  int ended = 0;
  for (const std::string& backend : kBackends) {
    const std::string run =
        "run --cells 'QuantizeLinear/13/*' --level smoke --no-progress --jobs 8 "
        "--backend " +
        backend + " --report ";
    ASSERT_EQ(RunTool(run + Path("whole.json")).exit_code, 0);
    for (const int files : {14, 16, 17, 20}) {
      fs::remove(Path("few.json"));
      fs::remove(Path("few.json.journal"));
      const Ran ran = RunToolWithFiles(files, run + Path("few.json"));
      if (ran.exit_code == 2) {
        EXPECT_THAT(ran.output, HasSubstr("Too many open files; 'ulimit -n' limits"))
            << backend << files;
        if (!fs::exists(Path("few.json"))) continue;  // not even the first worker
        ++ended;
        EXPECT_THAT(ran.output, HasSubstr("few.json.journal, to continue: "));
        for (const CellRecord& cell : ReadReport(Path("few.json"))->cells) {
          EXPECT_TRUE(IsPass(cell.verdict) || cell.verdict == Verdict::kUntested)
              << backend << files << cell.reason;
        }
        const Ran rest = RunTool(run + Path("few.json") + " --resume");
        EXPECT_EQ(rest.exit_code, 0) << rest.output;
      } else {
        EXPECT_EQ(ran.exit_code, 0) << backend << files << ran.output;
      }
      EXPECT_EQ(DigestOf(Path("few.json")), DigestOf(Path("whole.json")));
    }
  }
  EXPECT_GT(ended, 0);
}

// Processes are limited by user, but not for root: this asks for another one.
TEST_F(Isolation, FewProcesses_AreEnoughForFewerJobs) {
  if (getuid() != 0) GTEST_SKIP() << "other processes of this user count, too";
  fs::permissions(directory_, fs::perms::all);
  const std::string run =
      " run --cells 'QuantizeLinear/13/*' --level smoke --no-progress --isolate "
      "--report ";
  ASSERT_EQ(RunTool(run + Path("whole.json")).exit_code, 0);
  const std::string user =
      "setpriv --reuid=" + std::to_string(400000 + getpid() % 100000);
  if (RunTool("--version > /dev/null; " + user +
              " prlimit --nproc=1000 " QCONFORM_TOOL " --version")
          .exit_code != 0) {
    GTEST_SKIP() << "no other user can be had, or it cannot read the program";
  }
  int fewer = 0;
  int ended = 0;
  for (const int jobs : {16, 270}) {
    for (const int processes : {1, 2, 3, 24}) {
      for (const char* file : {"few.json", "few.json.journal"}) fs::remove(Path(file));
      const Ran ran = RunTool("--version > /dev/null; " + user + " prlimit --nproc=" +
                              std::to_string(processes) + " " QCONFORM_TOOL + run +
                              Path("few.json") + " --jobs " + std::to_string(jobs));
      if (ran.exit_code == 2) {
        ++ended;
        EXPECT_THAT(ran.output, HasSubstr("'ulimit -u' or a container limits"));
        if (!fs::exists(Path("few.json"))) continue;
        EXPECT_EQ(RunTool(run + Path("few.json") + " --resume").exit_code, 0);
      } else {
        EXPECT_EQ(ran.exit_code, 0) << jobs << " " << processes << ran.output;
        fewer +=
            ran.output.find("judges fewer cells at a time from here: cannot start") !=
                    std::string::npos
                ? 1
                : 0;
      }
      EXPECT_EQ(DigestOf(Path("few.json")), DigestOf(Path("whole.json")));
    }
  }
  EXPECT_GT(ended, 0);
  EXPECT_GT(fewer, 0);
}

// Whatever the limit is, memory that is not there makes no verdict.
TEST_F(Isolation, LittleMemory_AccusesNobody) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs address space without end";
#endif
  const std::string run =
      "run --cells 'QuantizeLinear/13/*' --level smoke --no-progress --jobs 16 "
      "--report ";
  ASSERT_EQ(RunTool(run + Path("whole.json")).exit_code, 0);
  for (const char* where : {" --isolate", ""}) {
    for (const int kilobytes : {40000, 80000, 100000, 400000}) {
      for (const char* file : {"few.json", "few.json.journal"}) fs::remove(Path(file));
      const Ran ran =
          RunTool("--version > /dev/null; ulimit -v " + std::to_string(kilobytes) +
                  "; " QCONFORM_TOOL " " + run + Path("few.json") + where);
      if (ran.exit_code == 127) continue;  // the program does not load
      if (ran.exit_code == 2) {
        EXPECT_THAT(ran.output, testing::ContainsRegex("memory|thread|cannot"))
            << kilobytes;
        if (!fs::exists(Path("few.json"))) continue;
        EXPECT_EQ(RunTool(run + Path("few.json") + where + " --resume").exit_code, 0);
      } else {
        EXPECT_EQ(ran.exit_code, 0) << kilobytes << where << ran.output;
      }
      EXPECT_EQ(DigestOf(Path("few.json")), DigestOf(Path("whole.json")));
    }
  }
}

// That a process does not start says nothing of what it would have answered.
TEST_F(Isolation, AWorkerThatDoesNotStartAgain_AccusesNobody) {
  std::ofstream(Path("worker.sh"))
      << "[ -e " << Path("gone") << " ] && { echo no library >&2; exit 127; }\n"
      << "[ $(cat " << Path("mode") << ") = honest ] || touch " << Path("gone")
      << "\nexec " QCONFORM_FAUX_WORKER " $(cat " << Path("mode") << ") 3\n";
  const std::string run =
      "run --cells QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor --level smoke "
      "--no-progress --jobs 1 --backend 'process:sh " +
      Path("worker.sh") + "' --report ";
  std::ofstream(Path("mode")) << "crashes";
  const Ran ran = RunTool(run + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 2) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("cannot start the backend again: worker 'sh': exited "
                                    "with code 127 before it had answered; stderr: no "
                                    "library; the finished work is kept in"));
  fs::remove(Path("gone"));
  std::ofstream(Path("mode")) << "honest";
  const Ran resumed = RunTool(run + Path("r.json") + " --resume");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
}

// As if a device could be opened by two processes only.
TEST_F(Isolation, WorkersThatStartOnlyTwice_AreAskedByFewerThreads) {
  const std::string lock = Path("lock");
  std::ofstream(Path("worker.sh"))
      << "exec 8> " << lock << "8\nexec 9> " << lock
      << "9\nflock -n 8 || flock -n 9 || { echo device busy >&2; exit 1; }\n"
      << "exec " QCONFORM_FAUX_WORKER " honest\n";
  const Ran ran = RunTool(
      "run --cells 'QuantizeLinear/10/*' --level smoke --no-progress --jobs 4 "
      "--backend 'process:sh " +
      Path("worker.sh") + "' --report " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(
      ran.output,
      HasSubstr("judges fewer cells at a time from here: cannot start the backend "
                "again: worker 'sh': exited with code 1 before it had answered; "
                "stderr: device busy"));
}

TEST_F(Isolation, CodeThatCannotBeRead_IsNoted) {
  std::ofstream(Path("worker.sh"))
      << "cp " QCONFORM_FAUX_WORKER " " << Path("gone.so") << "\nexec 9<"
      << Path("gone.so") << "\nrm " << Path("gone.so")
      << "\nexec /proc/self/fd/9 honest\n";
  const Ran ran = RunTool(
      "run --cells QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor --level smoke "
      "--no-progress --backend 'process:sh " +
      Path("worker.sh") + "' --report " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(ran.output,
              HasSubstr("note: the report has no digest of the backend's code: " +
                        Path("gone.so") + " (deleted): cannot be read"));
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_FALSE(report->run.backend.details.contains("code_sha256"));
}

TEST_F(Isolation, ALibraryThatEndsInTheMiddle_IsNamed) {
  const fs::path whole = QCONFORM_PLUGINS "/qconform_bad_plugin.so";
  fs::copy_file(whole, directory_ / "cut.so");
  const auto size = fs::file_size(whole);
  for (const uintmax_t kept : {size / 10, size / 2, uintmax_t{100}, uintmax_t{0}}) {
    fs::resize_file(directory_ / "cut.so", kept);
    const Ran ran =
        RunTool("run --backend plugin:" + Path("cut.so") + " --report " + Path("r.json"));
    EXPECT_EQ(ran.exit_code, 2) << kept << "\n" << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(Path("cut.so"))) << kept;
    fs::resize_file(directory_ / "cut.so", 0);
    fs::copy_file(whole, directory_ / "cut.so", fs::copy_options::overwrite_existing);
  }
}

// Words and names of foreign code are bytes: they must not make it deviate.
TEST_F(Isolation, TextsThatAreNoUtf8_AreSpelled) {
  const std::string file = Path(
      "gr\xF6\xDF"
      "e.so");
  fs::copy_file(QCONFORM_PLUGINS "/qconform_bad_plugin.so", file);
  const Ran ran = RunTool(
      "run --cells QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor --level smoke "
      "--no-progress --backend-option fault=latin1 --backend 'plugin:" +
      file + "' --report " + Path("r.json"));
  EXPECT_EQ(ran.exit_code, 4) << ran.output;
  EXPECT_THAT(ran.output, Not(HasSubstr("libprotobuf")));
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->cells[0].verdict, Verdict::kUnsupported);
  EXPECT_EQ(report->cells[0].reason, "keine Gr\\xf6\\xdfe 2");
  const Ran replay = RunTool(
      "replay QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0 "
      "--backend 'process:" QCONFORM_FAUX_WORKER " escapes' --seed 1");
  EXPECT_EQ(replay.exit_code, 4) << replay.output;
  EXPECT_THAT(replay.output, HasSubstr("unsupported: \\x1b[31mred\n"));
}

TEST_F(Isolation, Help_TellsOfTheTimeThatAStartMayTake) {
  const Ran ran = RunTool("run --help");
  EXPECT_THAT(ran.output, HasSubstr("its start, which loads libraries, may always"));
}

struct BadInput {
  const char* arguments;
  const char* words;
};

TEST_F(Isolation, BadInput_IsNamedAndExitsWith2) {
  const BadInput kRows[] = {
      {"run --backend plugin:", "expected a target after the colon"},
      {"run --backend plugin", "plugin:PATH"},
      {"run --backend plugin:/nonexistent.so",
       "'/nonexistent.so': expected a shared library, got no file"},
      {"run --backend process", "process:COMMAND"},
      {"run --backend \"process:'open\"", "expected a closing '"},
      {"run --backend process:/nonexistent/worker", "/nonexistent/worker"},
      {"run --backend process:true", "exited with code 0"},
      {"run --backend process:true --in-process", "a process of its own"},
      {"run --backend process:true --backend-option a=b", "'a'"},
      {"run --backend simd --isolate --in-process", "--in-process"},
      {"run --backend simd --timeout-per-case 0", "timeout-per-case"},
      {"run --backend simd --memory-limit much", "memory-limit"},
      {"run --backend simd --timeout-per-case nan", "got 'nan'"},
      {"run --backend simd --memory-limit -5", "got '-5'"},
      {"run --backend simd --memory-limit 99999999999999999999", "to 2^64 - 1"},
      {"worker-check ' '", "no word"},
      {"worker-check '/nonexistent/worker --fast'", "cannot run '/nonexistent/worker'"},
  };
  for (const BadInput& row : kRows) {
    const Ran ran = RunTool(row.arguments);
    EXPECT_EQ(ran.exit_code, 2) << row.arguments << "\n" << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(row.words)) << row.arguments;
  }
}

}  // namespace
}  // namespace qconform
