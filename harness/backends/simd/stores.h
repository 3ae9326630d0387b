// From what sizes on QuantizeLinear fetches x ahead and writes y past the caches.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_STORES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_STORES_H_

#include <cstddef>

#include "harness/backends/simd/quantize_linear.h"

namespace qconform::simd {

// Returns kCached, kFetched or kStreamed: what kBySize means for so many bytes read and
// written.
inline Stores StoresFor(Stores stores, size_t bytes) {
  if (stores != Stores::kBySize) return stores;
  if (bytes >= kBytesToStream) return Stores::kStreamed;
  return bytes >= kBytesToFetch ? Stores::kFetched : Stores::kCached;
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_STORES_H_
