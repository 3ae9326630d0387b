// The limit of a quantizer: a loop of the same form that reads and writes as many
// bytes and computes nothing.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_COPY_LIMIT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_COPY_LIMIT_H_

#include <cstddef>
#include <functional>

#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::simd {

// Reads in_bytes and writes out_bytes, as near as whole vectors of the best target
// come to them; fetched ahead and past the caches, if asked. Preconditions:
// out_bytes <= in_bytes; stores is not kBySize.
void CopyLimit(const std::byte* in, size_t in_bytes, std::byte* out, size_t out_bytes,
               Stores stores);

// Calls work(part) for every part of [0, threads), on the threads that QuantizeLinear
// runs on: what it is compared with should not be better or worse off.
void OnItsThreads(int threads, const std::function<void(int part)>& work);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_COPY_LIMIT_H_
