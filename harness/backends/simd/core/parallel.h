// Splits work over threads. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PARALLEL_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PARALLEL_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "harness/backends/simd/core/fp_environment.h"
#include "harness/backends/simd/core/thread_pool.h"

namespace qconform::simd {

// Calls work(begin, end) for up to `threads` equal parts of [0, n), the first of
// them on this thread, all in the default floating-point modes.
template <typename Work>
void InParallel(int64_t n, int64_t threads, const Work& work) {
  const int64_t parts = std::clamp<int64_t>(n, 1, std::max<int64_t>(threads, 1));
  const auto bound = [&](int64_t part) {
    return n / parts * part + std::min(part, n % parts);
  };
  const auto run = [&](int64_t part) {
    const DefaultFpEnvironment environment;
    work(bound(part), bound(part + 1));
  };
  InParts(parts, run);
}

// Hands out [0, n) in parts of `grain`, to any thread that asks.
class Parts {
 public:
  Parts(int64_t n, int64_t grain) : n_(n), grain_(grain) {}

  // Returns whether there was a part left: [*begin, *end).
  bool Next(int64_t* begin, int64_t* end) {
    *begin = next_.fetch_add(grain_, std::memory_order_relaxed);
    *end = std::min(*begin + grain_, n_);
    return *begin < n_;
  }

 private:
  const int64_t n_, grain_;
  std::atomic<int64_t> next_ = 0;
};

// Calls work(parts) once on each of up to `threads` threads: a thread that starts late,
// or is held up, does less. One thread gets everything as one part.
template <typename Work>
void InTurns(int64_t n, int64_t threads, const Work& work) {
  threads = std::clamp<int64_t>(n, 1, std::max<int64_t>(threads, 1));
  constexpr int64_t kPartsPerThread = 32;  // at most
  Parts parts(n,
              threads == 1 ? n : std::max<int64_t>(n / (threads * kPartsPerThread), 1));
  InParallel(threads, threads, [&](int64_t, int64_t) { work(parts); });
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PARALLEL_H_
