// The command line of process:COMMAND, split as a POSIX shell would split it.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_WORDS_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// Returns the words of `command`. They are separated by blanks; '...' is literal; "..."
// keeps everything except \$ \` \" \\ and \newline; a backslash keeps the next character.
// No shell runs, so $, `, *, ~, <, >, |, & and ; are ordinary characters. Returns an
// Error if a quote is not closed, the last character is a backslash, or there is no word.
Result<std::vector<std::string>> SplitWords(std::string_view command);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_WORDS_H_
