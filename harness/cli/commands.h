// The subcommands of qconform. Each adds itself to the parser; what it does
// runs after parsing and gives the process' exit code (DESIGN: exit codes).
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_H_

#include <functional>
#include <string>
#include <vector>

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
void AddListCommand(CLI::App& app, Action& action);
void AddExportCommand(CLI::App& app, Action& action);
// report, diff and merge: they read reports and run nothing.
void AddReportCommands(CLI::App& app, Action& action);

// --backend and --backend-option, as every subcommand that runs one has them.
struct BackendFlags {
  std::string spec = "simd";
  std::vector<std::string> options;  // KEY=VALUE
};
void AddBackendFlags(CLI::App& command, BackendFlags& flags);
Result<std::unique_ptr<Backend>> MakeBackend(const BackendFlags& flags);

// Prints "qconform: <message>" to stderr and returns the exit code for bad input.
int Fail(const Error& error);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_H_
