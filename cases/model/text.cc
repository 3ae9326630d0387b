#include "cases/model/text.h"

#include <algorithm>
#include <cstdint>

namespace qconform {

bool IsUtf8(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto first = static_cast<uint8_t>(text[i]);
    if (first == 0) return false;
    int tail = 0;
    uint32_t point = first;
    if (first >= 0x80) {
      tail = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
      if (first < 0xC2 || first > 0xF4) return false;  // 0xC0, 0xC1: overlong
      point = first & (0x3Fu >> tail);
    }
    for (int k = 1; k <= tail; ++k) {
      if (i + k >= text.size()) return false;
      const auto next = static_cast<uint8_t>(text[i + k]);
      if ((next & 0xC0) != 0x80) return false;
      point = point << 6 | (next & 0x3F);
    }
    // Overlong forms, surrogates, beyond the last code point.
    if (tail == 2 && point < 0x800) return false;
    if (tail == 3 && (point < 0x10000 || point > 0x10FFFF)) return false;
    if (point >= 0xD800 && point <= 0xDFFF) return false;
    i += static_cast<size_t>(tail) + 1;
  }
  return true;
}

std::string Printable(std::string_view text, size_t most) {
  std::string printable(text.substr(0, most));
  std::replace_if(
      printable.begin(), printable.end(), [](char c) { return c < 0x20 || c > 0x7E; },
      '?');
  if (text.size() > most) printable += "...";
  return printable;
}

std::string Quoted(std::string_view name) { return "'" + Printable(name) + "'"; }

}  // namespace qconform
