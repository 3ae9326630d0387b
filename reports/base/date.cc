#include "reports/base/date.h"

namespace qconform {

std::optional<std::chrono::sys_days> ParseDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  bool digits = true;
  const auto number = [&](size_t begin, size_t size) {
    unsigned value = 0;
    for (const char c : text.substr(begin, size)) {
      digits = digits && c >= '0' && c <= '9';
      value = value * 10 + static_cast<unsigned>(c - '0');
    }
    return value;
  };
  const auto year = std::chrono::year(static_cast<int>(number(0, 4)));
  const auto month = std::chrono::month(number(5, 2));
  const auto day = std::chrono::day(number(8, 2));
  if (!digits || !(year / month / day).ok()) return std::nullopt;
  return std::chrono::sys_days(year / month / day);
}

}  // namespace qconform
