#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include "harness/backends/registry/hosted_backend.h"
#include "harness/cli/commands.h"
#include "reports/verdict.h"

namespace qconform {

void AddBackendFlags(CLI::App& command, BackendFlags& flags) {
  command
      .add_option("--backend", flags.spec,
                  "The implementation under test, KIND or KIND:TARGET; "
                  "'qconform list backends' prints them")
      ->type_name("KIND[:TARGET]")
      ->capture_default_str();
  command
      .add_option("--backend-option", flags.options,
                  "An option of the backend (repeatable), such as threads=2")
      ->type_name("KEY=VALUE");
  CLI::Option* in_process = command.add_flag(
      "--in-process", flags.in_process,
      "Run foreign code (plugin, onnxruntime) in this process: a crash ends the run");
  command
      .add_flag("--isolate", flags.isolate,
                "Run a backend of this program in a child process too")
      ->excludes(in_process);
  command
      .add_option("--timeout-per-case", flags.timeout_s,
                  "Seconds after which a backend in another process is killed")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str()
      ->type_name("SECONDS");
  command
      .add_option("--memory-limit", flags.memory_bytes,
                  "Memory that such a process may use, such as 512MB; default: half of "
                  "the machine's")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
}

Result<BackendOptions> ParseBackendOptions(const std::vector<std::string>& given) {
  BackendOptions options;
  for (const std::string& option : given) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{"--backend-option '" + option + "' is not of the form KEY=VALUE"};
    }
    const auto [entry, added] =
        options.emplace(option.substr(0, equals), option.substr(equals + 1));
    if (!added) return Error{"--backend-option '" + entry->first + "' is given twice"};
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
  return MakeHostedBackend(flags.spec, *options, host);
}

void AddLevelFlag(CLI::App& command, Level& level) {
  static const std::map<std::string, Level> names{{"smoke", Level::kSmoke},
                                                  {"standard", Level::kStandard},
                                                  {"exhaustive", Level::kExhaustive}};
  // Not a transformer: its error would show the enumeration's empty text.
  command
      .add_option_function<std::string>(
          "--level", [&level](const std::string& name) { level = names.at(name); },
          "How much is asked of each cell")
      ->check(CLI::IsMember(names))
      ->default_str(std::string(LevelName(level)));
}

int Fail(const Error& error) {
  std::fprintf(stderr, "qconform: %s\n", error.message.c_str());
  return static_cast<int>(ExitCode::kBadInput);
}

}  // namespace qconform
