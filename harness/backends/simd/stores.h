// From what size on QuantizeLinear writes past the caches.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_STORES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_STORES_H_

#include <cstddef>

#include "harness/backends/simd/quantize_linear.h"

namespace qconform::simd {

// Returns kStreamed or kCached: what kBySize means for so many bytes read and written.
inline Stores StoresFor(Stores stores, size_t bytes) {
  if (stores != Stores::kBySize) return stores;
  return bytes >= kBytesToStream ? Stores::kStreamed : Stores::kCached;
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_STORES_H_
