#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/cli/version.h"

namespace {

constexpr const char* kDescription =
    "qconform checks ONNX's quantization operators bit by bit. For each opset, data "
    "type\n"
    "and granularity that ONNX allows, it reports whether a backend gives the bits that\n"
    "the specification asks for, and if not, what the backend does instead.";

constexpr const char* kFooter =
    "Exit codes: 0 all selected cells are conformant or admissible; 1 a deviation;\n"
    "2 bad usage or input; 3 no deviation, but a legal model was refused as invalid,\n"
    "or something is partial, unsupported, mistrusted or untested, or the harness could\n"
    "not judge it (not counted against the backend); 4 nothing selected is supported; "
    "130 interrupted.";

// Opens the standard streams that are closed. Otherwise a file that is opened later would
// get their number, and what the program prints would go into that file. A closed stdout
// becomes unwritable, so that the loss of output is an error, as on a full disk.
void OpenStandardStreams() {
  for (int stream = 0; stream <= 2; ++stream) {
    const int mode = stream == STDOUT_FILENO ? O_RDONLY : O_RDWR;
    // open() returns the lowest free number, which is this one.
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", mode) != stream) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  OpenStandardStreams();
  // Makes exceeding the file size limit an error of the write instead of a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> command_line(argv, argv + argc);
  return static_cast<int>(qconform::RunCommandLine(
      {.name = "qconform",
       .description = kDescription,
       .footer = kFooter,
       .version = qconform::VersionText(),
       .examples = {{"qconform run --backend onnxruntime --level smoke",
                     "judge ONNX Runtime in all cells, in a minute"},
                    {"qconform run --cells '*/21/*-INT4/*'",
                     "only since_version 21 with INT4 output, on the built-in kernels"},
                    {"qconform explain OPERATOR NAME=VALUE...",
                     "what the right answer is, step by step"},
                    {"qconform replay CASE_ID", "rerun one case and show each element"}}},
      argc, argv, [&](qconform::Command& program) {
        qconform::AddRunCommand(program, command_line);
        qconform::AddReplayCommand(program);
        qconform::AddExplainCommand(program);
        qconform::AddReportCommands(program);
        qconform::AddProveCommand(program);
        qconform::AddBenchCommand(program);
        qconform::AddCertifyCommands(program, command_line);
        qconform::AddListCommand(program);
        qconform::AddExportCommand(program);
        qconform::AddWorkerCommands(program);
        qconform::AddFaultsCommand(program);
        qconform::AddModelCommand(program, command_line);
      }));
}
