// Progress on stderr: a bar, or now and then a line if stderr is no terminal that takes
// escapes.
#ifndef QCONFORM_HARNESS_CLI_PROGRESS_PROGRESS_H_
#define QCONFORM_HARNESS_CLI_PROGRESS_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace qconform {

// Returns how far it is, and the time since the beginning: "512/5672 cells, 9 %, 3
// deviating, 0:12".
std::string ProgressText(const std::string& what, int64_t done, int64_t total,
                         int64_t deviations, double seconds);

// Returns the same after a bar that fills the columns; without a bar where it would be
// too short to tell anything.
std::string ProgressBar(const std::string& text, int64_t done, int64_t total,
                        int columns);

class Progress {
 public:
  // `what` names the things that are counted, such as "cells". Where stderr is no
  // terminal, a line is printed every `line_every`.
  Progress(std::string what, int64_t total, bool wanted,
           std::chrono::seconds line_every = std::chrono::seconds(30));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Redraws at most ten times a second. Must not be called from two threads at once.
  void Update(int64_t done, int64_t deviations);

 private:
  void Clear();

  std::string what_;
  int64_t total_;
  int64_t began_at_ = -1;  // done before this process began; -1: nothing was told yet
  bool wanted_;
  bool draws_;  // a bar
  std::chrono::seconds line_every_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
};

// Returns whether to print colours: stdout is a terminal, TERM is set and not dumb, and
// NO_COLOR is not set.
bool ShowsColors();

// Returns the columns of the terminal, or 80 if stdout is none.
int TerminalColumns();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_PROGRESS_PROGRESS_H_
