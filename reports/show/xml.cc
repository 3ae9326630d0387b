#include "reports/show/xml.h"

#include <string_view>

#include "oracle/base/text.h"

namespace qconform {

std::string XmlEscaped(const std::string& text) {
  std::string escaped;
  for (std::string_view rest = text; !rest.empty();) {
    const auto character = FirstCharacter(rest);
    const std::string_view bytes = rest.substr(0, character ? character->size : 1);
    rest.remove_prefix(bytes.size());
    const uint32_t point = character ? character->point : 0xFFFD;
    switch (point) {
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
      case '\n':
        escaped += '\n';
        break;
      default:
        if (character && IsPrintable(point)) {
          escaped += bytes;
        } else {
          escaped += point <= 0x7F ? " " : "\uFFFD";
        }
    }
  }
  return escaped;
}

}  // namespace qconform
