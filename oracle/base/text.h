// Small work on texts: lists, numbers, and characters of UTF-8.
#ifndef QCONFORM_ORACLE_BASE_TEXT_H_
#define QCONFORM_ORACLE_BASE_TEXT_H_

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

// Returns the items with `between` between each two; `text` gives the text of an item.
template <typename Items, typename Text = std::identity>
std::string Joined(const Items& items, std::string_view between, Text text = {}) {
  std::string joined;
  bool first = true;
  for (const auto& item : items) {
    if (!first) joined += between;
    joined += std::invoke(text, item);
    first = false;
  }
  return joined;
}

// Returns the parts of a text between separators: one more than there are of these.
std::vector<std::string> Split(std::string_view text, std::string_view separator);

// Returns the number that is all of the text; nothing where it is none, or does not fit.
template <std::integral Number>
std::optional<Number> ParseNumber(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// The code that a text such as "0x1f" shows, and such a text.
std::optional<uint64_t> ParseHex(std::string_view text);
std::string HexText(uint64_t code);

// A character of UTF-8: its bytes and its code point.
struct Character {
  size_t size = 0;
  uint32_t point = 0;
};

// Returns the character that a text begins with; nothing where it begins with none, as it
// is empty, overlong, cut off or a surrogate.
std::optional<Character> FirstCharacter(std::string_view text);

// Whether a terminal shows the character where it stands: it is no control character,
// ends no line, and does not change the direction of writing.
bool IsPrintable(uint32_t point);

// Returns the text, or where it has more than `most` bytes as many whole characters of it
// as fit, and "...".
std::string Shortened(const std::string& text, size_t most);

// Returns the text, or if it has more than `most` bytes as many of its sentences as fit,
// but at least the first one, and " ...". A line is the end of a sentence too. The first
// sentence is never cut, however long it is: its end is often what matters.
std::string FirstSentences(const std::string& text, size_t most);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_TEXT_H_
