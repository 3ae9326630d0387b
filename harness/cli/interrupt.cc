#include "harness/cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "reports/record/verdict.h"

namespace qconform {

std::atomic<bool> g_interrupted{false};

namespace {

void HandleInterrupt(int) {
  if (g_interrupted.exchange(true)) _exit(static_cast<int>(ExitCode::kInterrupted));
}

}  // namespace

void CatchInterrupts() {
  struct sigaction action {};
  action.sa_handler = HandleInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace qconform
