// Splits work over threads. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_THREADS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_THREADS_H_

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "harness/backends/simd/fp_environment.h"

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
  std::vector<std::thread> others;
  for (int64_t part = 1; part < parts; ++part) others.emplace_back(run, part);
  run(0);
  for (std::thread& thread : others) thread.join();
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_THREADS_H_
