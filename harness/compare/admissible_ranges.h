// Sets of codes as ranges: an output of 32 bits may have too many to be listed.
#ifndef QCONFORM_HARNESS_COMPARE_ADMISSIBLE_RANGES_H_
#define QCONFORM_HARNESS_COMPARE_ADMISSIBLE_RANGES_H_

#include <cstdint>
#include <vector>

#include "oracle/core/answer.h"

namespace qconform {

// Codes as unsigned numbers, both included.
struct AdmissibleRange {
  uint32_t first = 0;
  uint32_t last = 0;

  uint64_t size() const { return uint64_t{last} - first + 1; }

  friend bool operator==(const AdmissibleRange&, const AdmissibleRange&) = default;
};

using AdmissibleRanges = std::vector<AdmissibleRange>;

// Adds the codes that IsWithin(type, code, low, high) holds for.
void AddBetween(DataType type, uint32_t low, uint32_t high, AdmissibleRanges& ranges);

// Adds all NaNs; none for an integer.
void AddNans(DataType type, AdmissibleRanges& ranges);

// Adds the codes that `arising` holds.
void AddArising(DataType type, const ArisingCodes& arising, AdmissibleRanges& ranges);

// Adds the codes that Allows(type, element, code) is true for. Precondition: its freedom
// is not kAnyCode.
void AddElement(DataType type, const ElementAnswer& element, AdmissibleRanges& ranges);

// Sorts the ranges and joins those that touch.
void Join(AdmissibleRanges& ranges);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_ADMISSIBLE_RANGES_H_
