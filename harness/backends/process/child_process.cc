#include "harness/backends/process/child_process.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "harness/backends/process/messages.h"
#include "harness/backends/process/process_tree.h"
#include "harness/backends/process/spawn.h"
#include "oracle/base/shortage.h"

namespace qconform {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kSlice{50};
constexpr size_t kStderrBytes = 4096;  // and of other last words
constexpr int kFarewellMs = 500;
constexpr const char* kClosedInput = "closed its input before it had read the request";

std::string DescribeEnd(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = sigabbrev_np(signal);
    return "was killed by signal " + std::to_string(signal) +
           (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
  }
  return "exited with code " + std::to_string(WEXITSTATUS(status)) +
         " before it had answered";
}

// Returns the resident memory of the process without shared mappings; 0 if it cannot be
// read.
uint64_t OwnMemory(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/statm";
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return 0;
  unsigned long long size = 0, resident = 0, shared = 0;
  const int got = std::fscanf(file, "%llu %llu %llu", &size, &resident, &shared);
  std::fclose(file);
  if (got != 3 || resident < shared) return 0;
  return (resident - shared) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Includes its descendants, because the command may be a script that starts the worker.
uint64_t MemoryOfTree(pid_t pid) {
  uint64_t bytes = 0;
  for (const pid_t process : ProcessTree(pid)) bytes += OwnMemory(process);
  return bytes;
}

std::string Seconds(milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s",
                static_cast<double>(time.count()) / 1000);
  return text.data();
}

// Returns what came in place of a length: a number, or the beginning of a text if the
// bytes of the number are one.
std::string AnnouncedText(std::string_view bytes) {
  const auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (!std::ranges::all_of(bytes.substr(0, worker::kLengthBytes), is_printable)) {
    return std::to_string(worker::FrameLength(bytes).value_or(0)) + " bytes";
  }
  std::string text;
  for (const char c : bytes.substr(0, 40)) text += is_printable(c) ? c : '.';
  return "'" + text + "'; does something print to stdout?";
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const std::vector<std::string>& words) {
  const auto spawned = Spawn(words);
  if (!spawned) return spawned.error();
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(spawned->pid, spawned->in, spawned->out, spawned->err));
}

ChildProcess::~ChildProcess() {
  if (!Leave(kFarewellMs)) Kill();
  // Kills the children that it left, if there are any.
  kill(-pid_, SIGKILL);
  close(out_);
  if (err_ >= 0) close(err_);
}

bool ChildProcess::Leave(int ms) {
  if (in_ >= 0) close(in_);
  in_ = -1;
  return Reap(ms);
}

bool ChildProcess::Reap(int ms) {
  if (ended_) return true;
  const auto deadline = Clock::now() + milliseconds(ms);
  for (;;) {
    const pid_t got = waitpid(pid_, &wait_status_, WNOHANG);
    if (got == pid_ || (got < 0 && errno == ECHILD)) {
      ended_ = true;
      return true;
    }
    if (Clock::now() >= deadline) return false;
    DrainStderr();
    // The end of its output wakes this thread when there is nothing left to read.
    struct pollfd out {
      out_, 0, 0
    };
    poll(&out, 1, 1);
    if ((out.revents & POLLHUP) != 0) usleep(200);
  }
}

std::string ChildProcess::Kill() {
  if (!ended_) {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    pid_t got = -1;
    do {
      got = waitpid(pid_, &wait_status_, 0);
    } while (got < 0 && errno == EINTR);
    ended_ = true;
  }
  DrainStderr();
  return DescribeEnd(wait_status_);
}

void ChildProcess::DrainStderr() {
  std::array<char, 4096> buffer;
  // Who never stops writing must not keep this thread from looking at the time.
  for (int reads = 0; err_ >= 0 && reads < 64; ++reads) {
    const ssize_t got = read(err_, buffer.data(), buffer.size());
    if (got < 0) return;
    if (got == 0) {  // closed: no reason to wake up for it any more
      close(err_);
      err_ = -1;
      return;
    }
    stderr_.append(buffer.data(), static_cast<size_t>(got));
    if (stderr_.size() > kStderrBytes) stderr_.erase(0, stderr_.size() - kStderrBytes);
  }
}

std::string ChildProcess::TakeStderr() {
  DrainStderr();
  return std::exchange(stderr_, {});
}

ssize_t ChildProcess::ReadInput() {
  std::array<char, 65536> buffer;
  const ssize_t got = read(out_, buffer.data(), buffer.size());
  if (got > 0) input_.append(buffer.data(), static_cast<size_t>(got));
  if (got < 0) EndUnlessPassing("read from");
  return got;
}

bool ChildProcess::WriteOutput(std::string_view& frames) {
  const ssize_t wrote = write(in_, frames.data(), frames.size());
  if (wrote > 0) frames.remove_prefix(static_cast<size_t>(wrote));
  if (wrote < 0 && errno == EPIPE) return false;
  if (wrote < 0) EndUnlessPassing("write to");
  return true;
}

void ChildProcess::EndUnlessPassing(const char* action) {
  const int number = errno;
  if (number == EAGAIN || number == EINTR) return;
  Kill();
  throw Shortage(std::string("cannot ") + action +
                 " the pipe of a child process: " + std::strerror(number));
}

bool ChildProcess::TakeFrame(uint64_t longest, std::string_view& frame, bool& too_long) {
  const auto length = worker::FrameLength(input_);
  if (!length) return false;
  too_long = *length > longest;
  if (too_long) return false;
  if (input_.size() < worker::kLengthBytes + *length) {
    input_.reserve(worker::kLengthBytes + *length);
    return false;
  }
  frame = std::string_view(input_).substr(worker::kLengthBytes, *length);
  taken_ = worker::kLengthBytes + *length;
  return true;
}

ChildFailure ChildProcess::Fail(ChildFailure::Kind kind, std::string text) {
  Kill();
  return {kind, std::move(text)};
}

ChildFailure ChildProcess::Closed(const char* what) {
  if (Reap(kFarewellMs)) {
    DrainStderr();
    while (input_.size() < kStderrBytes && ReadInput() > 0) {
      // its last output
    }
    return {ChildFailure::Kind::kExited, DescribeEnd(wait_status_), input_};
  }
  return Fail(ChildFailure::Kind::kClosed, what);
}

std::variant<std::string_view, ChildFailure> ChildProcess::Exchange(
    std::string_view frames, const ChildLimits& limits) {
  using Kind = ChildFailure::Kind;
  if (ended_) return ChildFailure{Kind::kExited, DescribeEnd(wait_status_)};
  input_.erase(0, taken_);
  taken_ = 0;
  Clock::duration left = limits.timeout;
  auto now = Clock::now();
  if (!frames.empty()) {  // usually the pipe takes all of it at once
    if (!WriteOutput(frames)) return Closed(kClosedInput);
  }
  for (;;) {
    std::string_view frame;
    bool too_long = false;
    if (frames.empty() && TakeFrame(limits.reply_bytes, frame, too_long)) return frame;
    if (too_long) {
      return Fail(Kind::kTooLong, "expected a length of at most " +
                                      std::to_string(limits.reply_bytes) +
                                      " bytes, got " + AnnouncedText(input_));
    }
    if (limits.memory_bytes > 0 && now - last_memory_check_ >= kSlice) {
      last_memory_check_ = now;
      const uint64_t used = MemoryOfTree(pid_);
      if (used > limits.memory_bytes) {
        return Fail(Kind::kMemory, "used more memory than the limit of " +
                                       std::to_string(limits.memory_bytes >> 20) +
                                       " MiB and was killed");
      }
    }
    if (limits.stop != nullptr && *limits.stop)
      return Fail(Kind::kStopped, "was interrupted");
    struct pollfd fds[3] = {
        {out_, POLLIN, 0}, {err_, POLLIN, 0}, {frames.empty() ? -1 : in_, POLLOUT, 0}};
    // The limit also holds for a child that is busy without answering (endless printing).
    if (left <= Clock::duration::zero()) {
      return Fail(Kind::kTimedOut,
                  "gave no answer within " + Seconds(limits.timeout) + " and was killed");
    }
    const auto slice =
        std::chrono::ceil<milliseconds>(std::min<Clock::duration>(left, kSlice));
    const int ready = poll(fds, 3, static_cast<int>(slice.count()));
    const auto then = std::exchange(now, Clock::now());
    // A gap much longer than the slice was spent stopped, not waiting.
    left -= std::min<Clock::duration>(now - then, 2 * kSlice);
    if (ready == 0) {
      // Another process may hold its output open, so that reading never ends.
      if (Reap(0)) {
        while (input_.size() <= limits.reply_bytes && ReadInput() > 0) {
          // its last output
        }
        if (frames.empty() && TakeFrame(limits.reply_bytes, frame, too_long))
          return frame;
        return ChildFailure{Kind::kExited, DescribeEnd(wait_status_)};
      }
      continue;
    }
    if (ready < 0) continue;  // a signal
    if (fds[1].revents != 0) DrainStderr();
    if (fds[2].revents != 0 && !WriteOutput(frames)) return Closed(kClosedInput);
    if (fds[0].revents != 0) {
      const ssize_t got = ReadInput();
      if (got == 0) return Closed("closed its output without an answer");
      if (!frames.empty() && input_.size() > limits.reply_bytes) {
        return Fail(Kind::kTooLong, "kept writing without reading its input");
      }
    }
  }
}

}  // namespace qconform
