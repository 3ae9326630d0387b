// Sets of codes as ranges: an output of 32 bits may have too many to be listed.
#ifndef QCONFORM_HARNESS_COMPARE_CODE_RANGES_H_
#define QCONFORM_HARNESS_COMPARE_CODE_RANGES_H_

#include <cstdint>
#include <vector>

#include "oracle/core/answer.h"

namespace qconform {

// Codes as unsigned numbers, both included.
struct CodeRange {
  uint32_t first = 0;
  uint32_t last = 0;

  uint64_t size() const { return uint64_t{last} - first + 1; }

  friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

using CodeRanges = std::vector<CodeRange>;

// Adds the codes that IsWithin(type, code, low, high) holds for.
void AddBetween(DataType type, uint32_t low, uint32_t high, CodeRanges& ranges);

// Adds all NaNs; none for an integer.
void AddNans(DataType type, CodeRanges& ranges);

// Adds the codes that `arising` holds.
void AddArising(DataType type, const ArisingCodes& arising, CodeRanges& ranges);

// Adds the codes that Allows(type, element, code) is true for. Precondition: its freedom
// is not kAnyCode.
void AddElement(DataType type, const ElementAnswer& element, CodeRanges& ranges);

// Sorts the ranges and joins those that touch.
void Join(CodeRanges& ranges);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_CODE_RANGES_H_
