#include "harness/cli/commands/screen.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "oracle/base/file.h"

namespace qconform {
namespace {

int g_stdout = STDOUT_FILENO;  // that of the start, for as long as the program runs
bool g_prints_to_stderr = false;

Error SystemError() { return Error{std::string("stdout: ") + std::strerror(errno)}; }

Status MoveTo(int descriptor) {
  std::fflush(stdout);
  if (g_stdout == STDOUT_FILENO) {
    // Not handed to the children of a backend.
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy < 0) return SystemError();
    g_stdout = copy;
    SetStandardOutput(copy);
  }
  if (dup2(descriptor, STDOUT_FILENO) < 0) return SystemError();
  return Ok();
}

}  // namespace

Status PrintToStderr() {
  g_prints_to_stderr = true;
  return MoveTo(STDERR_FILENO);
}

Status PrintNowhere() {
  const Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere.get() < 0) return SystemError();
  return MoveTo(nowhere.get());
}

bool PrintsToStderr() { return g_prints_to_stderr; }

Status WriteToStdout(std::string_view text) {
  std::fflush(stdout);
  if (!WriteWhole(g_stdout, text)) return SystemError();
  return Ok();
}

}  // namespace qconform
