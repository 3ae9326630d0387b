// The commands of qconform. Each function adds its commands to the program; their actions
// run after parsing and return the exit code.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_COMMANDS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_COMMANDS_H_

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/registry/registry.h"
#include "harness/cli/command_line.h"
#include "oracle/base/result.h"
#include "reports/record/verdict.h"

namespace qconform {

struct ReplayContext;  // harness/runner/judge/cell_evidence.h

void AddRunCommand(Command& program, const std::vector<std::string>& command_line);
void AddReplayCommand(Command& program);
void AddExplainCommand(Command& program);
void AddProveCommand(Command& program);
// Adds worker-check, and the hidden command worker that serves a backend in a child.
void AddWorkerCommands(Command& program);
void AddListCommand(Command& program);
void AddBenchCommand(Command& program);
void AddExportCommand(Command& program);
void AddFaultsCommand(Command& program);
void AddModelCommand(Command& program, const std::vector<std::string>& command_line);
// Adds certify and verify.
void AddCertifyCommands(Command& program, const std::vector<std::string>& command_line);
// Adds report, diff and merge, which read reports and run nothing.
void AddReportCommands(Command& program);
void AddHistoryCommand(Command& program);
void AddSiteCommand(Command& program);

// The flags of every command that runs a backend.
struct BackendFlags {
  std::string spec = "simd";
  std::vector<std::string> options;  // KEY=VALUE
  std::string python;                // the interpreter of py:; empty: the default
  bool compose = false;              // graphs are run node by node
  bool in_process = false;
  bool isolate = false;
  double timeout_s = 30;      // per case, of a backend in another process
  uint64_t memory_bytes = 0;  // of a child; 0: half of the machine's
};
// Returns the flags, for commands that can do without a backend.
std::vector<Flag> AddBackendFlags(Command& command, BackendFlags& flags);
// Adds these flags except --backend, for commands that take several backends.
std::vector<Flag> AddBackendOptionFlags(Command& command, BackendFlags& flags);
// Returns an Error if one of the flags of a backend is given, or one of `more`, and
// --backend is not, for commands that ask a backend only if it is named.
Status CheckBackendIsNamed(const Command& command,
                           std::initializer_list<const char*> more = {});
// When `stop` becomes true, children of the backend are stopped at once.
Result<std::unique_ptr<Backend>> MakeBackend(const BackendFlags& flags,
                                             const std::atomic<bool>* stop = nullptr);
// A backend whose cells are judged.
struct JudgedBackend {
  std::unique_ptr<Backend> backend;
  // The same backend with another number of threads, which is asked a case of each cell
  // again. Null for kinds without that option.
  std::unique_ptr<Backend> other_threads;
};
Result<JudgedBackend> MakeJudgedBackend(const BackendFlags& flags,
                                        const std::atomic<bool>* stop = nullptr);
// Returns what the command line that reruns a case needs to know about these flags.
ReplayContext ReplayContextOf(const BackendFlags& flags, uint64_t seed);
// Returns `options` (KEY=VALUE) as a map. An Error names the flag and a malformed option.
Result<BackendOptions> ParseBackendOptions(const std::vector<std::string>& options,
                                           const std::string& flag = "--backend-option");

// Adds --level; its default is the present value of `level`.
void AddLevelFlag(Command& command, Level& level);

// Adds --jobs with this help and sets `jobs` to its default, JobsOf this machine's cores.
void AddJobsFlag(Command& command, int& jobs, const std::string& help);
// Returns the number of cores, limited to what --jobs takes; 1 if it is unknown (0).
int JobsOf(unsigned cores);

// Prints where the unfinished journal of another run was moved to; prints nothing if
// `journal` is empty.
void PrintKept(const std::string& journal);
// Prints "qconform: <message>" to stderr and returns the exit code.
ExitCode Fail(const Error& error, ExitCode code = ExitCode::kBadInput);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_COMMANDS_H_
