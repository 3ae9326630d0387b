// Readings of open clauses by their names, and how reports spell them.
#ifndef QCONFORM_ORACLE_BASE_READING_H_
#define QCONFORM_ORACLE_BASE_READING_H_

#include <compare>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// One named reading of one clause: "A-24" and "zero_point_ignored".
struct Reading {
  std::string clause;
  std::string name;

  friend auto operator<=>(const Reading&, const Reading&) = default;
};

// Returns "canonical", or the readings as "A-02:by_float+A-24:zero_point_ignored".
std::string Spell(const std::vector<Reading>& readings);

// Returns the readings of a text that Spell gave. An Error names the part that is wrong.
Result<std::vector<Reading>> ParseReadings(std::string_view text);

// Returns the readings of all sets in the field `reading` of a report, which has one or
// several for each tier: "TIER: SET, SET; TIER: mixed by M: M = 1 SET, ...".
// None if the field is empty. An Error names the part that is wrong.
Result<std::set<Reading>> ReadingsOfTiers(std::string_view field);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_READING_H_
