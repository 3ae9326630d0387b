// What the system does not give: memory, threads, processes, open files. Whatever was
// asked meanwhile gets no verdict from it.
#ifndef QCONFORM_ORACLE_BASE_SHORTAGE_H_
#define QCONFORM_ORACLE_BASE_SHORTAGE_H_

#include <optional>
#include <stdexcept>
#include <string>

namespace qconform {

// Thrown in place of a Result, as std::bad_alloc is: nothing between the call that failed
// and the work that is to be done again can go on, or say anything about it.
class Shortage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The sentence about a std::bad_alloc.
inline constexpr const char* kNoMemory =
    "not enough memory; the machine, a container or 'ulimit -v' limits it";

// Returns whether this value of errno says that the system or a limit of this process
// gives no more: EAGAIN, ENOMEM, EMFILE, ENFILE.
bool IsShortage(int number);

// Returns the exception for a call that failed with this value of errno. `action` is what
// failed: "start a process for 'worker'". The sentence names the limit.
Shortage ShortageOf(const std::string& action, int number);

// Within a handler: returns the sentence about the exception if it is a Shortage, a
// std::bad_alloc, or a std::system_error of one of these numbers, as std::thread throws;
// else nothing.
std::optional<std::string> CaughtShortage() noexcept;

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_SHORTAGE_H_
