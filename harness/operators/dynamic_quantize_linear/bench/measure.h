// How fast DynamicQuantizeLinear of the built-in kernels is, compared with a peer: both
// in turns in one process.
#ifndef QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_BENCH_MEASURE_H_

#include <cstdint>
#include <vector>

#include "harness/core/bench/peer.h"
#include "harness/core/bench/turns.h"
#include "oracle/base/result.h"

namespace qconform::dynamic_quantize_linear {

// Elements of x: what fits L2, what fits L3, and what fits neither.
std::vector<int64_t> StandardSizes();

struct DynamicQuantizeBenchOptions {
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a size, about
};

struct DynamicQuantizeBenchResult {
  TurnsResult turns;
  int64_t differing = 0;  // elements of y in which the peer's answer is another
};

// `peer` may be null. Times of one thread are that thread's; of more they are the wall's.
Result<DynamicQuantizeBenchResult> BenchDynamicQuantizeLinear(
    int64_t elements, Peer* peer, const DynamicQuantizeBenchOptions& options);

}  // namespace qconform::dynamic_quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_BENCH_MEASURE_H_
