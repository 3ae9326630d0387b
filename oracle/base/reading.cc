#include "oracle/base/reading.h"

#include "oracle/base/text.h"

namespace qconform {
namespace {

constexpr std::string_view kCanonical = "canonical";

}  // namespace

std::string Spell(const std::vector<Reading>& readings) {
  if (readings.empty()) return std::string(kCanonical);
  return Joined(readings, "+", [](const Reading& reading) {
    return reading.clause + ":" + reading.name;
  });
}

Result<std::vector<Reading>> ParseReadings(std::string_view text) {
  std::vector<Reading> readings;
  if (text == kCanonical) return readings;
  for (const std::string& part : Split(text, "+")) {
    const size_t colon = part.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == part.size()) {
      return Error{"reading '" + part + "' in '" + std::string(text) +
                   "': expected CLAUSE:NAME, or only 'canonical'"};
    }
    readings.push_back({part.substr(0, colon), part.substr(colon + 1)});
  }
  return readings;
}

Result<std::set<Reading>> ReadingsOfTiers(std::string_view field) {
  std::set<Reading> all;
  if (field.empty()) return all;
  for (const std::string& tier : Split(field, "; ")) {
    for (const std::string& part : Split(tier, ", ")) {
      // The tier, and the name of a part, stand before the set.
      const auto set = ParseReadings(part.substr(part.rfind(' ') + 1));
      if (!set) return set.error();
      all.insert(set->begin(), set->end());
    }
  }
  return all;
}

}  // namespace qconform
