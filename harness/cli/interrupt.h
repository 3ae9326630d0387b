// Ctrl-C and SIGTERM end a command in order: what was found is written.
#ifndef QCONFORM_HARNESS_CLI_INTERRUPT_H_
#define QCONFORM_HARNESS_CLI_INTERRUPT_H_

#include <atomic>

namespace qconform {

// Set by SIGINT and SIGTERM once CatchInterrupts was called; a signal handler reaches
// nothing else. Commands set it themselves where going on makes no sense.
extern std::atomic<bool> g_interrupted;

// From now on a first signal sets g_interrupted, and a second one ends the program at
// once with ExitCode::kInterrupted.
void CatchInterrupts();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_INTERRUPT_H_
