// Where a command prints: its screen is stdout, unless the user wants something else
// there. The functions concern the whole process, as stdout does.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_SCREEN_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_SCREEN_H_

#include <string_view>

#include "oracle/base/result.h"

namespace qconform {

// What is printed to stdout from now on goes to stderr, or nowhere. Files that are
// written to /dev/stdout still go to the stdout that the program was started with.
Status PrintToStderr();
Status PrintNowhere();

// Whether PrintToStderr was called: somebody else reads stdout.
bool PrintsToStderr();

// Writes to the stdout that the program was started with. An Error has the system's
// words.
Status WriteToStdout(std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_SCREEN_H_
