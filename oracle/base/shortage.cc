#include "oracle/base/shortage.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

namespace qconform {
namespace {

const char* LimitOf(int number) {
  switch (number) {
    case EMFILE:
      return "'ulimit -n' limits the open files of a process";
    case ENFILE:
      return "/proc/sys/fs/file-max limits the open files of the system";
    case ENOMEM:
      return "the machine, a container or 'ulimit -v' limits the memory";
    default:
      return "'ulimit -u' or a container limits processes and threads";
  }
}

// Within a handler; may throw std::bad_alloc itself.
std::optional<std::string> TextOfCaught() {
  try {
    throw;
  } catch (const Shortage& shortage) {
    return shortage.what();
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  } catch (const std::system_error& error) {
    const bool has_errno = error.code().category() == std::generic_category() ||
                           error.code().category() == std::system_category();
    if (!has_errno || !IsShortage(error.code().value())) return std::nullopt;
    const int number = error.code().value();
    const char* action = number == EAGAIN   ? "start a thread"
                         : number == ENOMEM ? "get memory"
                                            : "open a file";
    return ShortageOf(action, number).what();
  } catch (...) {
    return std::nullopt;
  }
}

}  // namespace

bool IsShortage(int number) {
  return number == EAGAIN || number == ENOMEM || number == EMFILE || number == ENFILE;
}

Shortage ShortageOf(const std::string& action, int number) {
  return Shortage("cannot " + action + ": " + std::strerror(number) + "; " +
                  LimitOf(number));
}

std::optional<std::string> CaughtShortage() noexcept {
  try {
    return TextOfCaught();
  } catch (...) {
    return "out of memory";  // so short that it takes none
  }
}

}  // namespace qconform
