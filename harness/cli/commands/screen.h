// Where a command prints: its screen is stdout, unless the user wants something else
// there.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_SCREEN_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_SCREEN_H_

#include <string_view>

#include "oracle/base/file.h"
#include "oracle/base/result.h"

namespace qconform {

// Moves everything that is printed from now on, and keeps the former stdout.
class Screen {
 public:
  // Nothing is moved yet.
  Screen() : stdout_(-1) {}
  // What is printed to stdout goes to stderr.
  Status MoveToStderr();
  // What is printed to stdout goes nowhere.
  Status Silence();

  // Writes to the stdout that the program was started with. An Error has the system's
  // words.
  Status WriteToStdout(std::string_view text) const;

 private:
  Status MoveTo(int descriptor);

  int stdout_;  // the former one, for as long as the program runs; -1: not moved
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_SCREEN_H_
