#include "reports/show/terminal_text.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace qconform {
namespace {

// Returns the bytes of the character that begins at `at`, and the character; 0 bytes
// where it is none.
size_t Decode(std::string_view text, size_t at, uint32_t& point) {
  const auto first = static_cast<uint8_t>(text[at]);
  point = first;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (text.size() - at < size) return 0;
  point = first & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    const auto next = static_cast<uint8_t>(text[at + i]);
    if ((next & 0xC0) != 0x80) return 0;
    point = point << 6 | (next & 0x3Fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < kLeast[size] || point > 0x10FFFF || surrogate ? 0 : size;
}

bool Prints(uint32_t point) {
  if (point < 0x20 || (point >= 0x7F && point <= 0x9F)) return false;
  const bool line = point == 0x2028 || point == 0x2029;
  const bool direction = point == 0x061C || point == 0x200E || point == 0x200F ||
                         (point >= 0x202A && point <= 0x202E) ||
                         (point >= 0x2066 && point <= 0x2069);
  return !line && !direction;
}

}  // namespace

std::string OneLine(std::string_view text) {
  std::string line;
  for (size_t at = 0; at < text.size();) {
    // GitHub takes a line for a command that begins so, blanks before it or not; where a
    // line is wrapped any word may begin the next.
    if (text.substr(at, 2) == "::" && (line.empty() || line.back() == ' ')) {
      line += "\\x3a";
      ++at;
      continue;
    }
    // Its older commands may stand anywhere in a line.
    if (text.substr(at, 3) == "##[") {
      line += "#\\x23";
      at += 2;
      continue;
    }
    uint32_t point = 0;
    const size_t size = Decode(text, at, point);
    char escaped[16];
    if (size == 0 || point < 0x80) {
      std::snprintf(escaped, sizeof escaped, "\\x%02x",
                    static_cast<unsigned>(static_cast<uint8_t>(text[at])));
    } else {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(point));
    }
    if (size > 0 && Prints(point)) {
      line += text.substr(at, size);
    } else if (point == '\n') {
      line += "\\n";
    } else {
      line += escaped;
    }
    at += size == 0 ? 1 : size;
  }
  return line;
}

std::string ShellWord(std::string_view text) {
  constexpr std::string_view kPlain =  // to every shell
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string inside;
  for (const char c : text) inside += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + inside + "'";
}

}  // namespace qconform
