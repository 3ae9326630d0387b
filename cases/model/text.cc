#include "cases/model/text.h"

#include <cstdint>

#include "oracle/base/text.h"

namespace qconform {

namespace {

// The number of bytes of the first character of `text`; 0 if it is invalid, or NUL.
size_t CharacterSize(std::string_view text) {
  const auto character = FirstCharacter(text);
  return character && character->point != 0 ? character->size : 0;
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

bool IsPrintableText(std::string_view text) {
  while (!text.empty()) {
    const auto character = FirstCharacter(text);
    if (!character || !IsPrintable(character->point)) return false;
    text.remove_prefix(character->size);
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
