#include "harness/backends/registry/hosted_backend.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/backends/compose/compose_backend.h"
#include "harness/backends/process/process_backend.h"
#include "harness/backends/process/words.h"
#include "harness/backends/registry/python_backend.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

// Returns whether the backend is foreign code, which may do anything.
bool IsForeign(std::string_view kind) {
  return kind == "plugin" || kind == "onnxruntime";
}

Result<std::vector<std::string>> ProcessCommand(std::string_view command,
                                                const BackendOptions& options) {
  if (command.empty()) {
    return Expected("backend process", "process:COMMAND, the command of a worker",
                    "no command");
  }
  if (!options.empty()) {
    return Expected("backend process", "no option", "'" + options.begin()->first + "'",
                    "give the worker its options in its command");
  }
  return SplitWords(command);
}

std::string WorkerSocket() {
  const char* socket = std::getenv("QCONFORM_WORKER_SOCKET");
  return socket == nullptr ? "" : socket;
}

Result<std::unique_ptr<Backend>> Composed(Result<std::unique_ptr<Backend>> made,
                                          bool compose) {
  if (!made || !compose) return made;
  return MakeComposeBackend(*std::move(made));
}

}  // namespace

Result<std::unique_ptr<Backend>> MakeHostedBackend(std::string_view spec,
                                                   const BackendOptions& options,
                                                   const HostOptions& host) {
  using Where = HostOptions::Where;
  const size_t colon = spec.find(':');
  const std::string_view kind = spec.substr(0, colon);
  const ChildLimits limits{.timeout = host.timeout_per_case,
                           .memory_bytes = host.memory_bytes,
                           .stop = host.stop};
  if (kind == "process" || kind == "py" || kind == "worker") {
    if (host.where == Where::kInProcess) {
      return Expected("--in-process", "a backend that can run in this process",
                      "'" + std::string(kind) + "', which is a process of its own");
    }
    const std::string_view target =
        colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
    auto words = kind == "process" ? ProcessCommand(target, options)
                 : kind == "worker"
                     ? NamedWorkerCommand(target, options)
                     : PythonCommand(target, options, host.python, WorkerSocket());
    if (!words) return words.error();
    ProcessBackendOptions made;
    made.command.words = *std::move(words);
    if (kind != "process") made.command.name = std::string(spec);
    made.command.limits = limits;
    made.name = std::string(spec);
    made.kind = std::string(kind);
    return Composed(MakeProcessBackend(std::move(made)), host.compose);
  }
  if (host.where == Where::kInProcess ||
      (host.where == Where::kByKind && !IsForeign(kind))) {
    return Composed(MakeBackend(spec, options), host.compose);
  }
  std::error_code error;
  std::string program = host.program;
  if (program.empty()) {
    program = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (error)
      return Error{"the path of this program cannot be read: " + error.message()};
  }
  ProcessBackendOptions made;
  made.command.words = {program, "worker", "--backend", std::string(spec)};
  for (const auto& [key, value] : options) {
    made.command.words.push_back("--backend-option");
    made.command.words.push_back(key + "=" + value);
  }
  if (host.compose) made.command.words.emplace_back("--compose");
  made.command.is_own = true;
  made.command.name = std::string(spec);
  made.command.limits = limits;
  made.name = std::string(spec) + (host.compose ? kComposedSuffix : "");
  made.kind = std::string(kind);
  made.ask_twice = kind != "plugin";  // its loader does that by itself
  return MakeProcessBackend(std::move(made));
}

}  // namespace qconform
