// Names from foreign files, which may contain any bytes.
#ifndef QCONFORM_CASES_MODEL_TEXT_H_
#define QCONFORM_CASES_MODEL_TEXT_H_

#include <string>
#include <string_view>

namespace qconform {

// Returns whether `text` is well-formed UTF-8 without NUL. Reports are JSON and cannot
// contain other names.
bool IsUtf8(std::string_view text);

// Returns whether it is UTF-8 whose characters are all printable, as names of operands,
// nodes and attributes have to be: they go to terminals, into code and tables.
bool IsPrintableText(std::string_view text);

// Returns the text with each byte that belongs to no character of UTF-8 (and NUL) as
// \xff. Equal to `text` where IsUtf8.
std::string AsUtf8(std::string_view text);

// Returns the text for an error message: with '?' in place of each control or non-ASCII
// character, and cut after `most` characters.
std::string Printable(std::string_view text, size_t most = 60);

// Returns Printable in single quotes.
std::string Quoted(std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_TEXT_H_
