#include <CLI/CLI.hpp>
#include <cstdio>

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
}

Result<std::unique_ptr<Backend>> MakeBackend(const BackendFlags& flags) {
  BackendOptions options;
  for (const std::string& option : flags.options) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{"--backend-option '" + option + "' is not of the form KEY=VALUE"};
    }
    const auto [entry, added] =
        options.emplace(option.substr(0, equals), option.substr(equals + 1));
    if (!added) return Error{"--backend-option '" + entry->first + "' is given twice"};
  }
  return MakeBackend(flags.spec, options);
}

int Fail(const Error& error) {
  std::fprintf(stderr, "qconform: %s\n", error.message.c_str());
  return static_cast<int>(ExitCode::kBadInput);
}

}  // namespace qconform
