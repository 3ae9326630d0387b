// A combination of readings of the open clauses (G-01): one value that can be compared,
// kept, spelled and parsed. No other part of the program takes its text apart.
#ifndef QCONFORM_ORACLE_CORE_READING_SET_H_
#define QCONFORM_ORACLE_CORE_READING_SET_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/reading.h"

namespace qconform {

struct ReadingSet {
  // How many answers it allows an element.
  enum class Kind : uint8_t {
    kFunction,  // one, but for what is free anyway
    kBounded,   // whatever lies within Answer::bounds
    kWider,     // whatever lies within the wider ones of Answer::bounds
    kArising,   // whatever Answer::bounds says may arise
  };

  // Those that are not canonical, in the order in which they are spelled; empty:
  // canonical.
  std::vector<Reading> readings{};
  Kind kind = Kind::kFunction;
  // The operator's own encoding of what it follows; sets of equal code of one
  // BoundOperator are equal. 0 is canonical.
  uint64_t code = 0;
  // Sets of one cell's models may be followed together where these are equal.
  uint64_t shared = 0;

  bool is_canonical() const { return readings.empty(); }
  bool is_bounded() const { return kind != Kind::kFunction; }

  friend auto operator<=>(const ReadingSet&, const ReadingSet&) = default;
};

std::string Spell(const ReadingSet& set);

// A reading that is not offered for a problem because it gives the bits of another one.
struct ReadingLeftOut {
  Reading reading;
  std::optional<Reading> same_as{};  // nothing: the canonical reading

  friend bool operator==(const ReadingLeftOut&, const ReadingLeftOut&) = default;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_READING_SET_H_
