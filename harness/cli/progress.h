// A progress bar on stderr; silent if stderr is not a terminal that takes escapes.
#ifndef QCONFORM_HARNESS_CLI_PROGRESS_H_
#define QCONFORM_HARNESS_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace qconform {

class Progress {
 public:
  // `what` names the things that are counted, such as "cells".
  Progress(std::string what, int64_t total, bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Redraws at most ten times a second. Must not be called from two threads at once.
  void Update(int64_t done, int64_t deviations);

 private:
  void Clear();

  std::string what_;
  int64_t total_;
  bool visible_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
};

// Returns whether to print colours: stdout is a terminal, TERM is set and not dumb, and
// NO_COLOR is not set.
bool ShowsColors();

// Returns the columns of the terminal, or 80 if stdout is none.
int TerminalColumns();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_PROGRESS_H_
