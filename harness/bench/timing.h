// The clock and the average of all benchmarks.
#ifndef QCONFORM_HARNESS_BENCH_TIMING_H_
#define QCONFORM_HARNESS_BENCH_TIMING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/bench/dot_product_peak.h"
#include "oracle/base/result.h"

namespace qconform {

// The upper of the two in the middle where there are two; 0 of nothing.
inline double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Returns the seconds of one call, as the mean of `calls`; the first Error ends it.
// by_wall: as several threads need it; else this thread's own time counts.
template <typename Call>
Result<double> Time(int64_t calls, bool by_wall, const Call& call) {
  const auto now = by_wall ? WallSeconds : ThreadSeconds;
  const double start = now();
  for (int64_t i = 0; i < calls; ++i) {
    if (const Status done = call(); !done) return done.error();
  }
  return (now() - start) / static_cast<double>(calls);
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BENCH_TIMING_H_
