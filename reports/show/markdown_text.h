// Text as part of a Markdown document.
#ifndef QCONFORM_REPORTS_SHOW_MARKDOWN_TEXT_H_
#define QCONFORM_REPORTS_SHOW_MARKDOWN_TEXT_H_

#include <string>

namespace qconform {

// Returns the text so that Markdown shows it as it is, in tables too.
std::string MarkdownEscaped(const std::string& text);

// Returns the text as code; not for tables.
std::string MarkdownCode(const std::string& text);

// The same for a field of a table, which a "|" would end in code too.
std::string MarkdownTableCode(const std::string& text);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_MARKDOWN_TEXT_H_
