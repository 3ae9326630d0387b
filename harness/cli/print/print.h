// What the commands print: nothing else in this folder writes to the terminal, besides
// the bar of progress.
#ifndef QCONFORM_HARNESS_CLI_PRINT_PRINT_H_
#define QCONFORM_HARNESS_CLI_PRINT_PRINT_H_

#include <cstdarg>
#include <string>
#include <string_view>

namespace qconform {

// Prints to stdout as printf does, but each %s as OneLine of it: no text that is printed
// moves the cursor or begins a line, wherever it comes from. Other conversions are those
// of int, long, long long and size_t as d, u, x and c, and of double as f and g.
[[gnu::format(printf, 1, 2)]] void Print(const char* format, ...);

// Prints lines that qconform made of texts on one line each. Each line is printed as
// OneLine of it.
void PrintLines(std::string_view lines);

// Prints a document that escapes foreign texts by its own grammar, such as JSON or a
// source, or the summary, which has colors.
void PrintDocument(std::string_view document);

// Prints to stderr, each %s as OneLine of it.
[[gnu::format(printf, 1, 2)]] void PrintNote(const char* format, ...);

// Prints "qconform: " and the message to stderr. Later lines of the message are indented,
// so that foreign text cannot pass for a message.
void PrintError(const std::string& message);

// Returns what Print prints.
std::string PrintedText(const char* format, va_list arguments);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_PRINT_PRINT_H_
