// A progress bar on stderr; silent where stderr is no terminal, or one without escapes.
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

  // Redraws at most ten times a second. Not to be called from two threads at once.
  void Update(int64_t done, int64_t deviations);

 private:
  void Clear();

  std::string what_;
  int64_t total_;
  bool visible_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
};

// Whether stdout is a terminal that shows colours, to somebody who wants them: not where
// TERM is dumb or unset, or NO_COLOR is set to anything.
bool ShowsColors();

// Columns of the terminal behind stdout; 80 where it is none.
int TerminalColumns();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_PROGRESS_H_
