#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/backends/registry/hosted_backend.h"
#include "harness/backends/registry/portable_words.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/print/print.h"
#include "harness/runner/judge/cell_evidence.h"
#include "oracle/base/expected.h"
#include "reports/record/verdict.h"
#include "reports/show/terminal_text.h"

namespace qconform {

std::vector<Flag> AddBackendFlags(Command& command, BackendFlags& flags) {
  std::vector<Flag> added;
  command.Group("Backend");
  added.push_back(command
                      .Add("--backend", flags.spec,
                           "The implementation under test, KIND or KIND:TARGET; "
                           "'qconform list backends' lists them")
                      .Type("KIND[:TARGET]")
                      .ShowDefault());
  const std::vector<Flag> options = AddBackendOptionFlags(command, flags);
  added.insert(added.end(), options.begin(), options.end());
  return added;
}

std::vector<Flag> AddBackendOptionFlags(Command& command, BackendFlags& flags) {
  std::vector<Flag> added;
  command.Group("Backend");
  added.push_back(command
                      .Add("--backend-option", flags.options,
                           "Option of the backend (repeatable), such as threads=2")
                      .Type("KEY=VALUE"));
  added.push_back(
      command
          .Add("--python", flags.python,
               "The interpreter of a backend py:; default: python3, of the virtual "
               "environment that has this program or in PATH")
          .Type("PATH"));
  added.push_back(command.AddSwitch(
      "--compose", flags.compose,
      "Run graphs node by node: the backend's kernels for the nodes that quantize, the "
      "oracle's definitions for the float nodes between them"));
  const Flag in_process = command.AddSwitch(
      "--in-process", flags.in_process,
      "Run foreign code (plugin, onnxruntime) in this process; a crash ends the run");
  added.push_back(in_process);
  added.push_back(
      command
          .AddSwitch("--isolate", flags.isolate,
                     "Run the backend in a child process, even if it is built in")
          .Excludes(in_process));
  added.push_back(
      command
          .Add("--timeout-per-case", flags.timeout_s,
               "Seconds after which a backend in another process is killed; its start, "
               "which loads libraries, may always take 30")
          .Between(0.01, 86400.0)
          .ShowDefault()
          .Type("SECONDS"));
  added.push_back(
      command
          .AddSize("--memory-limit", flags.memory_bytes,
                   "Memory that such a process may use, such as 512MB; default: half of "
                   "this machine's")
          .Type("SIZE"));
  command.Group("Options");
  return added;
}

Status CheckBackendIsNamed(const Command& command,
                           std::initializer_list<const char*> more) {
  if (command.Given("--backend")) return Ok();
  std::vector<const char*> names{"--backend-option", "--compose", "--in-process",
                                 "--isolate",        "--python",  "--timeout-per-case",
                                 "--memory-limit",   "--vary"};
  names.insert(names.end(), more.begin(), more.end());
  for (const char* name : names) {
    if (!command.Given(name)) continue;
    return Expected(name, "--backend too, which names the backend to ask",
                    "no --backend");
  }
  return Ok();
}

Result<BackendOptions> ParseBackendOptions(const std::vector<std::string>& given,
                                           const std::string& flag) {
  BackendOptions options;
  for (const std::string& option : given) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Expected(flag, "KEY=VALUE", "'" + option + "'");
    }
    const auto [entry, added] =
        options.emplace(option.substr(0, equals), option.substr(equals + 1));
    if (!added) return Expected(flag, "each key once", "'" + entry->first + "' twice");
  }
  return options;
}

Result<std::unique_ptr<Backend>> MakeBackend(const BackendFlags& flags,
                                             const std::atomic<bool>* stop) {
  const auto options = ParseBackendOptions(flags.options);
  if (!options) return options.error();
  HostOptions host;
  using Where = HostOptions::Where;
  host.where = flags.in_process ? Where::kInProcess
                                : (flags.isolate ? Where::kChild : Where::kByKind);
  host.timeout_per_case =
      std::chrono::milliseconds(static_cast<int64_t>(flags.timeout_s * 1000));
  host.memory_bytes = flags.memory_bytes;
  if (host.memory_bytes == 0) {
    host.memory_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) / 2 *
                        static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  }
  host.stop = stop;
  host.compose = flags.compose;
  host.python = flags.python;
  return MakeHostedBackend(flags.spec, *options, host);
}

namespace {

Result<std::unique_ptr<Backend>> MakeWithOtherThreads(BackendFlags flags,
                                                      const std::atomic<bool>* stop) {
  const std::string kind = flags.spec.substr(0, flags.spec.find(':'));
  if (kind != "simd" && kind != "onnxruntime") return std::unique_ptr<Backend>();
  std::string other = "threads=2";
  std::erase_if(flags.options, [&](const std::string& option) {
    if (!option.starts_with("threads=")) return false;
    if (option != "threads=1") other = "threads=1";
    return true;
  });
  flags.options.push_back(other);
  return MakeBackend(flags, stop);
}

}  // namespace

Result<JudgedBackend> MakeJudgedBackend(const BackendFlags& flags,
                                        const std::atomic<bool>* stop) {
  auto backend = MakeBackend(flags, stop);
  if (!backend) return backend.error();
  auto other_threads = MakeWithOtherThreads(flags, stop);
  if (!other_threads) return other_threads.error();
  return JudgedBackend{*std::move(backend), *std::move(other_threads)};
}

ReplayContext ReplayContextOf(const BackendFlags& flags, uint64_t seed) {
  const BackendFlags defaults;
  std::ostringstream more;
  if (flags.compose) more << " --compose";
  if (flags.in_process) more << " --in-process";
  if (flags.isolate) more << " --isolate";
  if (flags.timeout_s != defaults.timeout_s) {
    more << " --timeout-per-case " << flags.timeout_s;
  }
  if (flags.memory_bytes != 0) more << " --memory-limit " << flags.memory_bytes;
  if (!flags.python.empty())
    more << " --python " << ShellWord(PortablePath(flags.python));
  std::vector<std::string> options;
  for (const std::string& option : flags.options) {
    options.push_back(PortableOption(option));
  }
  return {PortableBackend(flags.spec), std::move(options), seed, more.str()};
}

void AddLevelFlag(Command& command, Level& level) {
  command
      .Add(
          "--level", [&level](const std::string& name) { level = *ParseLevel(name); },
          "How many cases each cell is asked; exhaustive adds larger tensors, which "
          "kernels split into parts (proofs are run by 'prove')")
      .OneOf({"exhaustive", "smoke", "standard"})
      .ShowDefault(std::string(LevelName(level)));
}

constexpr int kMostJobs = 1024;

int JobsOf(unsigned cores) {
  return static_cast<int>(std::clamp<unsigned>(cores, 1, kMostJobs));
}

void AddJobsFlag(Command& command, int& jobs, const std::string& help) {
  jobs = JobsOf(std::thread::hardware_concurrency());
  command.Add("--jobs", jobs, help).Between(1, kMostJobs).ShowDefault();
}

void PrintKept(const std::string& journal) {
  if (journal.empty()) return;
  Print("renamed the journal of an unfinished run to %s\n", journal.c_str());
}

ExitCode Fail(const Error& error, ExitCode code) {
  PrintError(error.message);
  return code;
}

}  // namespace qconform
