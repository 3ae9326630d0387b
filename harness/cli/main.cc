#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/cli/version.h"
#include "oracle/base/shortage.h"

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

// Makes the stack as large as it will be needed. It grows when it is used, and where
// 'ulimit -v' is used up by then, that would be a SIGSEGV in place of a std::bad_alloc.
[[gnu::noinline]] void GrowStack() {
  constexpr size_t kBytes = size_t{1} << 20;
  struct rlimit limit {};
  const bool known = getrlimit(RLIMIT_STACK, &limit) == 0;
  if (!known || limit.rlim_cur < 4 * kBytes) return;
  [[maybe_unused]] volatile char stack[kBytes];
  for (size_t i = kBytes; i > 0; i -= 1024) stack[i - 1] = 0;
}

std::terminate_handler g_default_end = nullptr;

// Ends with a sentence and exit code 2 if memory or threads are missing where no handler
// is: before main(), or in a destructor. A journal has all that was written to it.
[[noreturn]] void EndForWant() {
  const auto end = [](const char* why) {
    for (const char* text : {"qconform: ", why, "\n"}) {
      [[maybe_unused]] const ssize_t written = write(2, text, std::strlen(text));
    }
    _exit(static_cast<int>(qconform::ExitCode::kBadInput));
  };
  try {
    if (std::current_exception()) throw;
  } catch (const qconform::Shortage& shortage) {
    end(shortage.what());
  } catch (const std::bad_alloc&) {
    end(qconform::kNoMemory);
  } catch (...) {
  }
  // Functions of the standard library that must not throw, such as directory_iterator's,
  // end here without a current exception.
  if (std::uncaught_exceptions() > 0 && std::malloc(size_t{1} << 20) == nullptr) {
    end(qconform::kNoMemory);
  }
  g_default_end();
  std::abort();
}

// Made before the static objects of all libraries that are linked in.
[[gnu::init_priority(101)]] const struct SetsEnd {
  SetsEnd() { g_default_end = std::set_terminate(EndForWant); }
} g_sets_end;

}  // namespace

int main(int argc, char** argv) {
  GrowStack();
  // What ends a process that serves may be the backend's own: the parent sees how it
  // ends.
  if (argc > 1 && std::string_view(argv[1]) == "worker") {
    std::set_terminate(g_default_end);
  }
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
        qconform::AddHistoryCommand(program);
        qconform::AddSiteCommand(program);
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
