#include "reports/show/markdown_text.h"

#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// The text without what moves a cursor; line ends and tabs are blanks in Markdown.
std::string OnOneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return OneLine(text);
}

}  // namespace

std::string MarkdownEscaped(const std::string& text) {
  std::string escaped;
  for (const char c : OnOneLine(text)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '@':  // names nobody
        escaped += "&#64;";
        break;
      case '#':
        escaped += "&#35;";
        break;
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '|':
      case '~':
        escaped += '\\';
        escaped += c;
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string MarkdownCode(const std::string& text) {
  const std::string inside = OnOneLine(text);
  std::string fence = "`";
  while (inside.find(fence) != std::string::npos) fence += "`";
  const bool padded = fence.size() > 1;
  return fence + (padded ? " " : "") + inside + (padded ? " " : "") + fence;
}

std::string MarkdownTableCode(const std::string& text) {
  return Joined(Split(MarkdownCode(text), "|"), "\\|");
}

}  // namespace qconform
