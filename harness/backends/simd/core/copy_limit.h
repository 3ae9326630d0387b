// The memory limit of a kernel that reads x and writes y once: a loop of the same form that
// reads and writes the same number of bytes and computes nothing.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_COPY_LIMIT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_COPY_LIMIT_H_

#include <cstddef>
#include <functional>

#include "harness/backends/simd/core/stores.h"

namespace qconform::simd {

// Reads in_bytes and writes out_bytes, rounded to whole vectors of the best target.
// One of them is 1, 2, 4, 8 or 16 times as large as the other, or 8/3 or 16/3 times.
// Precondition: stores is not kBySize.
void CopyLimit(const std::byte* in, size_t in_bytes, std::byte* out, size_t out_bytes,
               Stores stores);

// Calls work(part) for every part of [0, threads), on the threads that kernels run on, so
// that a limit is measured under the same conditions as a kernel.
void OnKernelThreads(int threads, const std::function<void(int part)>& work);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_COPY_LIMIT_H_
