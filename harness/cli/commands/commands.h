// The commands of qconform. Each adds itself to the program; what it does runs
// after parsing and gives the process' exit code.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_COMMANDS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_COMMANDS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/registry/registry.h"
#include "harness/cli/command_line.h"
#include "oracle/base/result.h"

namespace qconform {

struct ReplayContext;  // harness/runner/judge/cell_evidence.h

void AddRunCommand(Command& program, const std::vector<std::string>& command_line);
void AddReplayCommand(Command& program);
void AddProveCommand(Command& program);
// worker-check, and worker, which is how a backend runs in a child.
void AddWorkerCommands(Command& program);
void AddListCommand(Command& program);
void AddBenchCommand(Command& program);
void AddExportCommand(Command& program);
void AddFaultsCommand(Command& program);
// certify and verify.
void AddCertifyCommands(Command& program, const std::vector<std::string>& command_line);
// report, diff and merge: they read reports and run nothing.
void AddReportCommands(Command& program);

// --backend and --backend-option, as every subcommand that runs one has them.
struct BackendFlags {
  std::string spec = "simd";
  std::vector<std::string> options;  // KEY=VALUE
  bool in_process = false;
  bool isolate = false;
  double timeout_s = 30;      // per case, of a backend in another process
  uint64_t memory_bytes = 0;  // of a child; 0: half of the machine's
};
// Returns them all, for commands that may do without a backend.
std::vector<Flag> AddBackendFlags(Command& command, BackendFlags& flags);
// `stop` ends what children of the backend do, at once, when it becomes true.
Result<std::unique_ptr<Backend>> MakeBackend(const BackendFlags& flags,
                                             const std::atomic<bool>* stop = nullptr);
// A backend whose cells are judged.
struct JudgedBackend {
  std::unique_ptr<Backend> backend;
  // The same with another number of threads, which a case of each cell is asked again
  // of. Null for kinds without that option.
  std::unique_ptr<Backend> other_threads;
};
Result<JudgedBackend> MakeJudgedBackend(const BackendFlags& flags,
                                        const std::atomic<bool>* stop = nullptr);
// What the line that reruns a case needs to know of a run by these flags.
ReplayContext ReplayContextOf(const BackendFlags& flags, uint64_t seed);
// `options` (KEY=VALUE) as a map; an Error names one that is of another form, and the
// flag that gave it.
Result<BackendOptions> ParseBackendOptions(const std::vector<std::string>& options,
                                           const std::string& flag = "--backend-option");

// --level, whose default is what `level` holds.
void AddLevelFlag(Command& command, Level& level);

// --jobs, of which `help` tells; `jobs` becomes its default, JobsOf this machine's cores.
void AddJobsFlag(Command& command, int& jobs, const std::string& help);
// As many as cores, but no more than --jobs takes, and one where the system does not
// tell (0).
int JobsOf(unsigned cores);

// Tells where the unfinished journal of another run went; empty: there was none.
void PrintKept(const std::string& journal);
// Prints "qconform: <message>" to stderr and returns the exit code for bad input.
int Fail(const Error& error);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_COMMANDS_H_
