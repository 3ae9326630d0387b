// The command line of process:COMMAND, split as a POSIX shell would split it.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_WORDS_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// Returns the words of `command`: blanks part them, '...' is literal, "..." keeps
// all but \$ \` \" \\ and \newline, a backslash keeps the next character. No
// shell runs: $, `, *, ~, <, >, |, & and ; are characters like others. An Error
// where a quote is not closed, a backslash is last, or there is no word.
Result<std::vector<std::string>> SplitWords(std::string_view command);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_WORDS_H_
