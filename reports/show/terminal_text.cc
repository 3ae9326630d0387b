#include "reports/show/terminal_text.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "oracle/base/text.h"

namespace qconform {

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
    const auto character = FirstCharacter(text.substr(at));
    const uint32_t point = character ? character->point : 0;
    char escaped[16];
    if (point < 0x80) {
      std::snprintf(escaped, sizeof escaped, "\\x%02x",
                    static_cast<unsigned>(static_cast<uint8_t>(text[at])));
    } else {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(point));
    }
    if (character && IsPrintable(point)) {
      line += text.substr(at, character->size);
    } else if (point == '\n') {
      line += "\\n";
    } else {
      line += escaped;
    }
    at += character ? character->size : 1;
  }
  return line;
}

std::string PrintableLines(std::string_view text) {
  return Joined(Split(text, "\n"), "\n", OneLine);
}

std::string OctalEscaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (c >= 0x20 && c < 0x7F && special.find(c) == std::string_view::npos) {
      escaped += c;
    } else {
      char octal[5];
      std::snprintf(octal, sizeof octal, "\\%03o",
                    static_cast<unsigned>(static_cast<uint8_t>(c)));
      escaped += octal;
    }
  }
  return escaped;
}

std::string ShellQuoted(std::string_view text) {
  if (OneLine(text) != text) return "$'" + OctalEscaped(text, " \\'#") + "'";
  std::string inside;
  for (const char c : text) inside += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + inside + "'";
}

std::string ShellWord(std::string_view text) {
  constexpr std::string_view kPlain =  // to every shell
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  return ShellQuoted(text);
}

}  // namespace qconform
