#include "oracle/base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "oracle/base/expected.h"

namespace qconform {
namespace {

// Device files and pipes cannot be replaced by a rename.
bool IsSpecial(const std::filesystem::path& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
         !S_ISDIR(status.st_mode);
}

// The path names a descriptor that the process was started with.
bool IsInherited(const std::filesystem::path& path) {
  const std::string name = path.lexically_normal().string();
  return name == "/dev/stdin" || name == "/dev/stdout" || name == "/dev/stderr" ||
         name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

std::string KindOfFile(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// "64 MiB"
std::string SizeText(size_t bytes) {
  int unit = 0;
  for (; unit < 3 && bytes % 1024 == 0 && bytes > 0; ++unit) bytes /= 1024;
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB"};
  return std::to_string(bytes) + " " + kUnits[unit];
}

// Some of the file's bytes were never written.
bool HasHole(int file, off_t size) {
  const off_t hole = ::lseek(file, 0, SEEK_HOLE);
  ::lseek(file, 0, SEEK_SET);
  return hole >= 0 && hole < size;
}

int g_standard_output = STDOUT_FILENO;

// The descriptor of the process that the path names: of stdout or stderr; else -1.
int StandardStream(const std::filesystem::path& path) {
  const std::string name = path.lexically_normal().string();
  for (const auto& [stream, descriptor] :
       {std::pair("stdout", STDOUT_FILENO), {"stderr", STDERR_FILENO}}) {
    const std::string number = std::to_string(descriptor);
    if (name == std::string("/dev/") + stream || name == "/dev/fd/" + number ||
        name == "/proc/self/fd/" + number) {
      return descriptor == STDOUT_FILENO ? g_standard_output : descriptor;
    }
  }
  return -1;
}

Error SystemError(const std::filesystem::path& path, std::string_view action,
                  int number) {
  return Error{path.string() + ": cannot " + std::string(action) + ": " +
               std::strerror(number)};
}

// Creates an empty file next to `target`; its path goes to `created`. It has the
// mode of the file that it is to replace, or that of any new file.
int CreateBeside(const std::filesystem::path& target, std::string* created) {
  static std::atomic<unsigned> counter{0};
  const std::string prefix =
      "." + target.filename().string() + "." + std::to_string(::getpid()) + ".";
  for (;;) {
    *created = target.parent_path() / (prefix + std::to_string(counter++));
    const int descriptor =
        ::open(created->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;  // left by a run that was killed
    struct stat status;
    if (descriptor >= 0 && ::stat(target.c_str(), &status) == 0) {
      // A file system without modes is no reason to fail.
      [[maybe_unused]] const int ignored = ::fchmod(descriptor, status.st_mode & 07777);
    }
    return descriptor;
  }
}

Status CheckPath(const std::filesystem::path& path) {
  if (path.empty()) return Expected("path", "the name of a file to write", "nothing");
  if (Status named = CheckFileName(path); !named) return named;
  std::error_code ignored;
  if (path.filename().empty() || std::filesystem::is_directory(path, ignored)) {
    return Error{path.string() + ": expected a file, got a directory"};
  }
  if (!IsInherited(path) && std::filesystem::is_fifo(path, ignored)) {
    return Expected(path.string(), "a file", "a named pipe",
                    "/dev/stdout and /dev/fd/N may be pipes");
  }
  return Ok();
}

}  // namespace

bool Descriptor::Close() {
  const int number = Release();
  return number < 0 || ::close(number) == 0;
}

bool WaitUntilReady(int descriptor, short events) {
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd file{descriptor, events, 0};
  return ::poll(&file, 1, -1) > 0 || errno == EINTR;
}

bool WriteWhole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && (errno == EINTR || WaitUntilReady(descriptor, POLLOUT))) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void SetStandardOutput(int descriptor) { g_standard_output = descriptor; }

bool IsStandardStream(const std::filesystem::path& path) {
  return StandardStream(path) >= 0;
}

Status CheckFileName(const std::filesystem::path& path) {
  if (path != "-") return Ok();
  return Expected("-", "the name of a file", "the sign for standard input or output",
                  "write ./- for a file of that name, or /dev/stdin or /dev/stdout");
}

Result<std::filesystem::path> LinkTarget(const std::filesystem::path& path) {
  constexpr int kMostLinks = 40;  // as Linux has it
  std::error_code failed;
  const std::filesystem::path there = std::filesystem::canonical(path, failed);
  if (!failed) return there;
  std::filesystem::path target = path;
  for (int links = 0; std::filesystem::is_symlink(target, failed); ++links) {
    if (links == kMostLinks) return SystemError(path, "follow its links", ELOOP);
    const std::filesystem::path next = std::filesystem::read_symlink(target, failed);
    if (failed) return SystemError(path, "follow its links", failed.value());
    target = target.parent_path() / next;  // just `next` if it is absolute
  }
  return target;
}

Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text) {
  if (Status checked = CheckPath(path); !checked) return checked;
  if (const int stream = StandardStream(path); stream >= 0) {
    // Not opened anew: that would be the file's begin again, and a rename would leave
    // what is printed elsewhere.
    if (std::fflush(stdout) != 0 || !WriteWhole(stream, text)) {
      return SystemError(path, "write", errno);
    }
    return Ok();
  }
  if (IsSpecial(path)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !WriteWhole(file.get(), text) || !file.Close()) {
      return SystemError(path, "write", errno);
    }
    return Ok();
  }
  const auto target = LinkTarget(path);
  if (!target) return target.error();
  std::string temporary;
  Descriptor file(CreateBeside(*target, &temporary));
  if (file.get() < 0) return SystemError(path, "create a file in its directory", errno);
  if (!WriteWhole(file.get(), text) || ::fsync(file.get()) != 0 || !file.Close() ||
      ::rename(temporary.c_str(), target->c_str()) != 0) {
    const int number = errno;
    ::unlink(temporary.c_str());
    return SystemError(path, "write", number);
  }
  return Ok();
}

Status CheckWritable(const std::filesystem::path& path) {
  if (Status checked = CheckPath(path); !checked) return checked;
  if (const int stream = StandardStream(path); stream >= 0) {
    const int mode = ::fcntl(stream, F_GETFL);
    if (mode >= 0 && (mode & O_ACCMODE) == O_RDONLY) errno = EBADF;
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY) {
      return SystemError(path, "write", errno);
    }
    return Ok();
  }
  if (IsSpecial(path)) {
    if (::access(path.c_str(), W_OK) != 0) return SystemError(path, "write", errno);
    return Ok();
  }
  const auto target = LinkTarget(path);
  if (!target) return target.error();
  std::string temporary;
  Descriptor file(CreateBeside(*target, &temporary));
  if (file.get() < 0) return SystemError(path, "create a file in its directory", errno);
  ::unlink(temporary.c_str());
  return Ok();
}

Error TooLong(const std::filesystem::path& path, size_t most) {
  return Expected(path.string(), "a file of at most " + SizeText(most), "a longer one",
                  "is this the file that was meant?");
}

Result<std::string> ReadFile(const std::filesystem::path& path, size_t most) {
  if (Status named = CheckFileName(path); !named) return named.error();
  if (!IsInherited(path)) {
    // To open a pipe would wait for its writer.
    struct stat named;
    if (::stat(path.c_str(), &named) != 0) return SystemError(path, "read", errno);
    if (!S_ISREG(named.st_mode)) {
      return Expected(path.string(), "a file", KindOfFile(named.st_mode));
    }
  }
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
    return SystemError(path, "read", errno);
  }
  std::string text;
  if (S_ISDIR(status.st_mode)) return Expected(path.string(), "a file", "a directory");
  if (S_ISREG(status.st_mode)) {
    if (static_cast<uint64_t>(status.st_size) > most) return TooLong(path, most);
    if (HasHole(file.get(), status.st_size)) {
      return Expected(path.string(), "a file whose bytes were all written",
                      "one with holes");
    }
    text.reserve(static_cast<size_t>(status.st_size));
  }
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path, "read", errno);
    if (count == 0) return text;
    text.append(buffer, static_cast<size_t>(count));
    if (text.size() > most) return TooLong(path, most);
  }
}

}  // namespace qconform
