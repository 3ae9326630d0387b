#include "reports/show/xml.h"

#include <string_view>

namespace qconform {

std::string XmlEscaped(const std::string& text) {
  constexpr std::string_view kLastTwo = "\xEF\xBF";  // begins U+FFC0 to U+FFFF
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\xBE':
      case '\xBF':
        escaped += escaped.ends_with(kLastTwo) ? '\xBD' : c;
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped +=
            (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace qconform
