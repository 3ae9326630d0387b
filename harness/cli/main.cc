#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/cli/version.h"

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
    "2 bad usage or input; 3 no deviation, but something partial, unsupported,\n"
    "mistrusted or untested, or a node test that cannot be read or judged (which\n"
    "accuses nobody); 4 nothing selected is supported; 130 interrupted.";

// A file that is opened later must not get the number of a closed standard stream: what
// is printed would go into it. What nobody reads is an error of stdout, as on a full
// disk: it cannot be written. Nobody misses the two others.
void OpenStandardStreams() {
  for (int stream = 0; stream <= 2; ++stream) {
    const int mode = stream == STDOUT_FILENO ? O_RDONLY : O_RDWR;
    // The least number that is free is this one.
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", mode) != stream) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  OpenStandardStreams();
  // A file that gets too large for its limit is an error of the write.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> command_line(argv, argv + argc);
  return qconform::RunCommandLine(
      {"qconform", kDescription, kFooter, qconform::VersionText()}, argc, argv,
      [&](qconform::Command& program) {
        qconform::AddRunCommand(program, command_line);
        qconform::AddReplayCommand(program);
        qconform::AddReportCommands(program);
        qconform::AddProveCommand(program);
        qconform::AddBenchCommand(program);
        qconform::AddCertifyCommands(program, command_line);
        qconform::AddListCommand(program);
        qconform::AddExportCommand(program);
        qconform::AddWorkerCommands(program);
        qconform::AddFaultsCommand(program);
      });
}
