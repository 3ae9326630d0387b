// A foreign program as a child process: started without a shell, connected by pipes,
// limited in time and memory, and never left running.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_CHILD_PROCESS_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

struct ChildLimits {
  // For one exchange; time in which this process was stopped is not counted.
  std::chrono::milliseconds timeout{10000};
  // Private memory that the child and its descendants may have resident; 0: no limit.
  // Checked every 50 ms, so they may exceed it for that long.
  uint64_t memory_bytes = 0;
  // Ends every exchange at once when it becomes true; may be null.
  const std::atomic<bool>* stop = nullptr;
  // The longest reply, without its length prefix.
  uint64_t reply_bytes = uint64_t{64} << 20;
};

// Why an exchange gave no message. The child has then ended or was killed.
struct ChildFailure {
  enum class Kind : uint8_t {
    kExited,  // by itself, or by a signal
    kTimedOut,
    kMemory,
    kClosed,   // its input or its output, while it went on
    kTooLong,  // announced a message over the limit: it wrote something else
    kStopped   // ChildLimits::stop
  };
  Kind kind = Kind::kExited;
  std::string text;    // "was killed by signal 11 (SIGSEGV)"
  std::string left{};  // what it sent before it closed its input, with its lengths
};

class ChildProcess {
 public:
  // Starts words[0], searched in PATH, in a process group of its own that gets SIGKILL
  // when this process ends for any reason. An Error and Shortage as of Spawn.
  static Result<std::unique_ptr<ChildProcess>> Start(
      const std::vector<std::string>& words);
  // Closes its input, gives it half a second to exit, kills the rest of its group, and
  // reaps it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes `frames`, then reads one message (without its length). The bytes stay
  // valid until the next call. After a failure there is no further exchange.
  std::variant<std::string_view, ChildFailure> Exchange(std::string_view frames,
                                                        const ChildLimits& limits);

  // Kills it and its group at once and reaps it; returns how it ended.
  std::string Kill();

  // Closes its input and waits; returns whether it exited within that time.
  bool Leave(int milliseconds);

  // Returns the last bytes that it wrote to stderr since the last call, at most 4 KiB.
  std::string TakeStderr();

  pid_t pid() const { return pid_; }
  bool ended() const { return ended_; }

 private:
  ChildProcess(pid_t pid, int in, int out, int err)
      : pid_(pid), in_(in), out_(out), err_(err) {}

  // Takes a message if `input_` holds a complete one; sets too_long if it announces more
  // than `longest` bytes.
  bool TakeFrame(uint64_t longest, std::string_view& frame, bool& too_long);
  void DrainStderr();
  // Both throw Shortage if the pipe cannot be used, which is not the child's fault.
  ssize_t ReadInput();
  // Writes what the pipe takes and removes it from `frames`. Returns false if the child
  // has closed its input.
  bool WriteOutput(std::string_view& frames);
  // Kills the child and throws, unless errno says to try again.
  void EndUnlessPassing(const char* action);
  ChildFailure Fail(ChildFailure::Kind kind, std::string text);
  // Returns how it ended, or `what` it closed if it is still running.
  ChildFailure Closed(const char* what);
  bool Reap(int milliseconds);

  pid_t pid_;
  int in_;   // the child's stdin
  int out_;  // its stdout
  int err_;  // its stderr
  bool ended_ = false;
  int wait_status_ = 0;
  std::string input_;  // read and not yet taken
  size_t taken_ = 0;   // bytes of input_ that the last message took
  std::string stderr_;
  std::chrono::steady_clock::time_point last_memory_check_{};
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_CHILD_PROCESS_H_
