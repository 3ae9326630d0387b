// Foreign texts on a terminal: what they hold must not move the cursor, begin a line or
// change the order of what is read.
#ifndef QCONFORM_REPORTS_SHOW_TERMINAL_TEXT_H_
#define QCONFORM_REPORTS_SHOW_TERMINAL_TEXT_H_

#include <string>
#include <string_view>

namespace qconform {

// Returns the text on one line: control characters, line separators, marks of writing
// direction and bytes that are not UTF-8 as \n, \x1b or \u202e; "::" where a word begins
// as \x3a:, and "##[" as #\x23[, so that no line is a command to GitHub's runner. Done
// twice, it changes nothing more. Equal to `text` where there is nothing of the kind.
std::string OneLine(std::string_view text);

// Returns each line of a text as OneLine of it.
std::string PrintableLines(std::string_view text);

// Returns the text in single quotes, as one word of a POSIX shell.
std::string ShellQuoted(std::string_view text);

// The same for a line that people copy: in quotes only where it needs them.
std::string ShellWord(std::string_view text);

// Returns the text with each byte that is not printable ASCII, or is one of `special`, as
// \ooo of its three octal digits: the inside of a literal of C++ or of a shell's $''.
std::string OctalEscaped(std::string_view text, std::string_view special);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_TERMINAL_TEXT_H_
