#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/version.h"
#include "reports/verdict.h"

namespace {

constexpr const char* kDescription =
    "qconform tells, for each opset, data type and granularity that ONNX allows,\n"
    "whether a backend gives the bits that the specification of its quantization\n"
    "operators asks for, and what it does instead where it does not.\n\n"
    "  qconform run                          judge the built-in SIMD kernels, all cells\n"
    "  qconform run --cells '*/21/*-INT4/*'  only QuantizeLinear-21 with INT4 output\n"
    "  qconform list cells                   what there is to judge\n"
    "  qconform replay CASE_ID               rerun one case, element by element";

constexpr const char* kFooter =
    "Exit codes: 0 all selected cells conformant or admissible; 1 a deviation;\n"
    "2 bad usage or input; 3 no deviation, but something partial, unsupported or\n"
    "untested; 4 nothing selected is supported; 130 interrupted.";

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> command_line(argv, argv + argc);
  CLI::App app(kDescription, "qconform");
  app.footer(kFooter);
  app.set_version_flag("--version", qconform::VersionText());
  app.require_subcommand(1);
  qconform::Action action;
  qconform::AddRunCommand(app, command_line, action);
  qconform::AddReplayCommand(app, action);
  qconform::AddReportCommands(app, action);
  qconform::AddProveCommand(app, action);
  qconform::AddBenchCommand(app, action);
  qconform::AddCertifyCommands(app, command_line, action);
  qconform::AddListCommand(app, action);
  qconform::AddExportCommand(app, action);
  qconform::AddWorkerCommands(app, action);
  qconform::AddFaultsCommand(app, action);
  // CLI11 would ask for a subcommand without saying what it was given instead.
  if (argc > 1 && argv[1][0] != '-') {
    std::string names;
    bool known = false;
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
      known = known || command->get_name() == argv[1];
      if (command->get_group().empty()) continue;  // for children of this program
      names += (names.empty() ? "" : ", ") + command->get_name();
    }
    if (!known) {
      return qconform::Fail(
          {"there is no command '" + std::string(argv[1]) + "'; there are " + names});
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own; ours are 0 (help, version) and 2 (bad usage).
    return app.exit(error) == 0 ? 0 : static_cast<int>(qconform::ExitCode::kBadInput);
  }
  return action();
}
