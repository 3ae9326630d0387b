// What a crash of foreign code in this process was, on stderr: where the address lies
// beside the tensors of the present call, and in which file the code is.
#ifndef QCONFORM_HARNESS_BACKENDS_CRASH_REPORT_H_
#define QCONFORM_HARNESS_BACKENDS_CRASH_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace qconform {

// A tensor that foreign code was given.
struct CalledTensor {
  const char* name;  // "x"; must outlive the call
  std::span<const std::byte> bytes;
  bool is_output = false;
};

// The tensors of a call while this lives; there is one at a time in a process.
class TensorsOfCall {
 public:
  // `tensors` must outlive this.
  explicit TensorsOfCall(std::span<const CalledTensor> tensors);
  ~TensorsOfCall();
  TensorsOfCall(const TensorsOfCall&) = delete;
  TensorsOfCall& operator=(const TensorsOfCall&) = delete;
};

enum class Access : uint8_t { kUnknown, kReads, kWrites };

// Returns where an address lies: "reads byte 64 of x, behind its end (64 bytes)", "writes
// to byte 3 of the input x", "reads 4 bytes before the start of x", "reads address 0x0, a
// null pointer"; the plain address if no tensor is near. It is the same in every run
// except in the last case.
std::string CrashPlaceText(uint64_t address, Access access,
                           std::span<const CalledTensor> tensors);

// From now on a SIGSEGV, SIGBUS, SIGFPE or SIGILL writes "crash: SIGSEGV: " and where to
// stderr, and then ends the process as without this. Code that installs handlers of its
// own later replaces it.
void ReportCrashes();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_CRASH_REPORT_H_
