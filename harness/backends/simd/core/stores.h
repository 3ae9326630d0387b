// How loops over large tensors read their input and write their output.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_STORES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_STORES_H_

#include <cstddef>
#include <cstdint>

namespace qconform::simd {

// kFetched and kStreamed prefetch the input, which costs more than it saves if the input
// is in a core's own caches. kStreamed also writes past the caches: large tensors are
// written faster that way, but a small one would have to be fetched from memory again by
// the next reader. kBySize chooses by StoresFor.
enum class Stores : uint8_t { kBySize, kCached, kFetched, kStreamed };

inline constexpr size_t kBytesToFetch = size_t{4} << 20;
inline constexpr size_t kBytesToStream = size_t{16} << 20;

// Returns kCached, kFetched or kStreamed for a call that reads and writes this many
// bytes. An operator may choose otherwise for kernels that are slow by themselves.
inline Stores StoresFor(size_t bytes) {
  if (bytes >= kBytesToStream) return Stores::kStreamed;
  return bytes >= kBytesToFetch ? Stores::kFetched : Stores::kCached;
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_STORES_H_
