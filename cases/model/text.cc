#include "cases/model/text.h"

#include <algorithm>
#include <cstdint>

namespace qconform {

namespace {

// Bytes of the character that `text` begins with; 0 where that is none, or NUL.
size_t CharacterSize(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first == 0) return 0;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;  // 0xC0, 0xC1: overlong
  const size_t tail = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (text.size() <= tail) return 0;
  uint32_t point = first & (0x3Fu >> tail);
  for (size_t k = 1; k <= tail; ++k) {
    const auto next = static_cast<uint8_t>(text[k]);
    if ((next & 0xC0) != 0x80) return 0;
    point = point << 6 | (next & 0x3F);
  }
  // Overlong forms, surrogates, beyond the last code point.
  if (tail == 2 && point < 0x800) return 0;
  if (tail == 3 && (point < 0x10000 || point > 0x10FFFF)) return 0;
  return point >= 0xD800 && point <= 0xDFFF ? 0 : tail + 1;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string AsUtf8(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string whole;
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) {
      const auto byte = static_cast<uint8_t>(text[0]);
      whole += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      whole += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return whole;
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
