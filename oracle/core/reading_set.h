// A combination of readings of the open clauses (G-01), as a value that can be compared,
// stored, spelled and parsed. No other part of the program parses its text.
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
  // The answers that it allows for an element.
  enum class Kind : uint8_t {
    kFunction,  // one, apart from freedoms
    kBounded,   // every code within Answer::bounds
    kWider,     // every code within the wider ones of Answer::bounds
    kArising,   // every code that Answer::bounds says may arise
  };

  // The readings that are not canonical, in the order in which they are spelled; empty:
  // all are canonical.
  std::vector<Reading> readings{};
  Kind kind = Kind::kFunction;
  // The operator's own encoding of the readings; sets of one BoundOperator with equal
  // codes are equal. 0 is canonical.
  uint64_t code = 0;
  // Sets of a cell's different models belong together if these are equal.
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
