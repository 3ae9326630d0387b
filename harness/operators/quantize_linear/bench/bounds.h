// The bounds that `qconform bench --all` holds rows of QuantizeLinear to
// (docs/measurements/quantize_linear.md).
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_BOUNDS_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/operators/quantize_linear/bench/measure.h"

namespace qconform::quantize_linear {

// The rows that were measured in cache with one width of y, one layout and one number of
// threads.
struct QuantizeBenchGroup {
  int y_bits = 0;
  BenchLayout layout = BenchLayout::kPerTensor;
  int64_t block = 0;
  int64_t elements = 0;
  int threads = 1;
  size_t rows = 0;
  double fastest_ns = 0;
  double slowest_ns = 0;
  std::string slowest{};  // its name
};

std::vector<QuantizeBenchGroup> GroupsInCache(
    const std::vector<QuantizeBenchResult>& results);

// Rows that break a bound: less than 60 % of the limit at 64 Mi elements; in cache,
// slower than five times the fastest of its group, if groups are whole. One sentence
// each.
std::vector<std::string> BrokenBounds(const std::vector<QuantizeBenchResult>& results,
                                      bool whole_groups);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_BENCH_BOUNDS_H_
