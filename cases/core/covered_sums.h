// Which lengths of sums every kernel of matrices or windows is asked, by covering arrays.
#ifndef QCONFORM_CASES_CORE_COVERED_SUMS_H_
#define QCONFORM_CASES_CORE_COVERED_SUMS_H_

#include <cstdint>

namespace qconform::generators {

// The number of products in a sum: 0 to 64, and from there to 257 the multiples of 16
// with both neighbours.
inline constexpr int kShortSums = 65;
inline constexpr int kCoveredSums = kShortSums + 3 * 12;

// Returns the length of a place of that list. Precondition: 0 <= place < kCoveredSums.
constexpr int64_t CoveredSum(int place) {
  if (place < kShortSums) return place;
  const int beyond = place - kShortSums;
  return 80 + 16 * (beyond / 3) + beyond % 3 - 1;
}

static_assert(CoveredSum(kCoveredSums - 1) == 257);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_COVERED_SUMS_H_
