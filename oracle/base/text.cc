#include "oracle/base/text.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace qconform {

std::vector<std::string> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return parts;
}

std::optional<uint64_t> ParseHex(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  return ParseNumber<uint64_t>(text.substr(2), 16);
}

std::string HexText(uint64_t code) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(code));
  return text;
}

std::optional<Character> FirstCharacter(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return Character{1, first};
  if (first < 0xC2 || first > 0xF4) return std::nullopt;  // 0xC0, 0xC1: overlong
  const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (text.size() < size) return std::nullopt;
  uint32_t point = first & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    const auto next = static_cast<uint8_t>(text[i]);
    if ((next & 0xC0) != 0x80) return std::nullopt;
    point = point << 6 | (next & 0x3Fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < kLeast[size] || point > 0x10FFFF || surrogate) return std::nullopt;
  return Character{size, point};
}

bool IsPrintable(uint32_t point) {
  // Control characters, ends of lines and marks of direction, and characters without
  // width: soft hyphens, joiners, fillers, variation selectors, tags.
  constexpr std::pair<uint32_t, uint32_t> kRanges[] = {
      {0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},  {0x034F, 0x034F},
      {0x061C, 0x061C}, {0x115F, 0x1160},   {0x17B4, 0x17B5},  {0x180B, 0x180F},
      {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},  {0x3164, 0x3164},
      {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},  {0xFFF0, 0xFFFB},
      {0xFFFE, 0xFFFF}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
  return std::ranges::none_of(kRanges, [&](const auto& range) {
    return point >= range.first && point <= range.second;
  });
}

std::string Shortened(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string FirstSentences(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  size_t end = 0;  // of the sentences that are kept
  for (size_t at = 1; at < text.size() && (end == 0 || at <= most); ++at) {
    const char last = text[at - 1];
    const bool stops = (last == '.' || last == '!' || last == '?' || last == ';') &&
                       (text[at] == ' ' || text[at] == '\n');
    if (stops || text[at] == '\n') end = at;
  }
  // Nothing but blanks may be left.
  if (end == 0 || text.find_first_not_of(" \n", end) == std::string::npos) return text;
  return text.substr(0, end) + " ...";
}

}  // namespace qconform
