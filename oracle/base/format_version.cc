#include "oracle/base/format_version.h"

#include <cstddef>
#include <optional>

namespace qconform {
namespace {

bool IsNumber(std::string_view text) {
  return !text.empty() && text.size() <= 6 &&
         text.find_first_not_of("0123456789") == std::string_view::npos &&
         (text.size() == 1 || text[0] != '0');
}

}  // namespace

std::optional<FormatVersion> ParseFormatVersion(std::string_view version) {
  FormatVersion numbers;
  for (int* number : {&numbers.major, &numbers.minor, &numbers.patch}) {
    const bool last = number == &numbers.patch;
    const size_t end = last ? version.size() : version.find('.');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view digits = version.substr(0, end);
    if (!IsNumber(digits)) return std::nullopt;
    for (const char digit : digits) *number = *number * 10 + (digit - '0');
    if (!last) version.remove_prefix(end + 1);
  }
  return numbers;
}

bool IsFormatVersion1(std::string_view version) {
  const auto numbers = ParseFormatVersion(version);
  return numbers && numbers->major == 1;
}

}  // namespace qconform
