// Ctrl-C and SIGTERM end a command in an orderly way: its results so far are written.
#ifndef QCONFORM_HARNESS_CLI_INTERRUPT_H_
#define QCONFORM_HARNESS_CLI_INTERRUPT_H_

#include <atomic>

namespace qconform {

// Set by SIGINT and SIGTERM after CatchInterrupts; global, because a signal handler can
// reach nothing else. Commands also set it when it makes no sense to continue.
extern std::atomic<bool> g_interrupted;

// Lets a first signal set g_interrupted, and a second one end the program at once with
// ExitCode::kInterrupted.
void CatchInterrupts();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_INTERRUPT_H_
