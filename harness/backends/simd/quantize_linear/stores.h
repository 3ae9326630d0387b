// From what sizes on QuantizeLinear fetches x ahead and most kernels write y past the
// caches.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_STORES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_STORES_H_

#include <cstddef>

#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::simd {

// Returns kCached, kFetched or kStreamed: what kBySize means for so many bytes read and
// written, but for kernels that are slow by themselves (StoresOf).
inline Stores StoresFor(size_t bytes) {
  if (bytes >= kBytesToStream) return Stores::kStreamed;
  return bytes >= kBytesToFetch ? Stores::kFetched : Stores::kCached;
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_STORES_H_
