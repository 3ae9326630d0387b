#include "oracle/core/reading_set.h"

#include <algorithm>

namespace qconform {

constexpr std::string_view kCanonical = "canonical";

std::string Spell(const std::vector<Reading>& readings) {
  std::string text;
  for (const Reading& reading : readings) {
    text += (text.empty() ? "" : "+") + reading.clause + ":" + reading.name;
  }
  return text.empty() ? std::string(kCanonical) : text;
}

std::string Spell(const ReadingSet& set) { return Spell(set.readings); }

Result<std::vector<Reading>> ParseReadings(std::string_view text) {
  std::vector<Reading> readings;
  if (text == kCanonical) return readings;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('+', start), text.size());
    const std::string_view part = text.substr(start, end - start);
    const size_t colon = part.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == part.size()) {
      return Error{"reading '" + std::string(part) + "' in '" + std::string(text) +
                   "': expected CLAUSE:NAME, or only 'canonical'"};
    }
    readings.push_back(
        {std::string(part.substr(0, colon)), std::string(part.substr(colon + 1))});
    start = end + 1;
  }
  return readings;
}

}  // namespace qconform
