// The subcommands of qconform. Each adds itself to the parser; what it does
// runs after parsing and gives the process' exit code (DESIGN: exit codes).
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cases/generators/case.h"
#include "harness/backends/registry/registry.h"
#include "oracle/tensor/result.h"

namespace CLI {
class App;
}

namespace qconform {

// What main calls once parsing is done; set by the chosen subcommand.
using Action = std::function<int()>;

void AddRunCommand(CLI::App& app, const std::vector<std::string>& command_line,
                   Action& action);
void AddReplayCommand(CLI::App& app, Action& action);
void AddProveCommand(CLI::App& app, Action& action);
// worker-check, and worker, which is how a backend runs in a child.
void AddWorkerCommands(CLI::App& app, Action& action);
void AddListCommand(CLI::App& app, Action& action);
void AddBenchCommand(CLI::App& app, Action& action);
void AddExportCommand(CLI::App& app, Action& action);
void AddFaultsCommand(CLI::App& app, Action& action);
// certify and verify.
void AddCertifyCommands(CLI::App& app, const std::vector<std::string>& command_line,
                        Action& action);
// report, diff and merge: they read reports and run nothing.
void AddReportCommands(CLI::App& app, Action& action);

// --backend and --backend-option, as every subcommand that runs one has them.
struct BackendFlags {
  std::string spec = "simd";
  std::vector<std::string> options;  // KEY=VALUE
  bool in_process = false;
  bool isolate = false;
  double timeout_s = 30;       // per case, of a backend in another process
  uint64_t memory_bytes = 0;   // of a child; 0: half of the machine's
};
void AddBackendFlags(CLI::App& command, BackendFlags& flags);
// `stop` ends what children of the backend do, at once, when it becomes true.
Result<std::unique_ptr<Backend>> MakeBackend(const BackendFlags& flags,
                                             const std::atomic<bool>* stop = nullptr);
// `options` (KEY=VALUE) as a map; an Error names one that is of another form.
Result<BackendOptions> ParseBackendOptions(const std::vector<std::string>& options);

// --level, whose default is what `level` holds.
void AddLevelFlag(CLI::App& command, Level& level);

// Prints "qconform: <message>" to stderr and returns the exit code for bad input.
int Fail(const Error& error);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_H_
