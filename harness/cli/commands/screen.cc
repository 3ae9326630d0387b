#include "harness/cli/commands/screen.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace qconform {
namespace {

Error SystemError() { return Error{std::string("stdout: ") + std::strerror(errno)}; }

}  // namespace

Status Screen::MoveTo(int descriptor) {
  std::fflush(stdout);
  if (stdout_ < 0) {
    // Not handed to the children of a backend.
    stdout_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (stdout_ < 0) return SystemError();
  }
  if (dup2(descriptor, STDOUT_FILENO) < 0) return SystemError();
  return Ok();
}

Status Screen::MoveToStderr() { return MoveTo(STDERR_FILENO); }

Status Screen::Silence() {
  const Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere.get() < 0) return SystemError();
  return MoveTo(nowhere.get());
}

Status Screen::WriteToStdout(std::string_view text) const {
  std::fflush(stdout);
  if (!WriteWhole(stdout_ < 0 ? STDOUT_FILENO : stdout_, text)) return SystemError();
  return Ok();
}

}  // namespace qconform
