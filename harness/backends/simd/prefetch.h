// Hints that a cache line will be needed. Any address will do, mapped or not.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_PREFETCH_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_PREFETCH_H_

#include <cstddef>
#include <cstdint>

namespace qconform::simd {

inline constexpr size_t kLine = 64;  // bytes of a cache line

// Fetches a line, which will be written, for this core alone.
inline void WillWrite([[maybe_unused]] const void* line) {
#if defined(__x86_64__) && defined(__GNUC__)
  // Highway's targets do not have it, and the built-in function would only read.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#elif defined(__GNUC__)
  __builtin_prefetch(line, 1);
#endif
}

// Which caches a line is fetched to.
enum class Fetched : uint8_t { kToL1, kToL2 };

// Fetches the line that lies so many bytes behind p, to be read.
template <Fetched kTo>
inline void WillRead([[maybe_unused]] const void* p, [[maybe_unused]] size_t bytes) {
#if defined(__GNUC__)
  // Not by a sum of pointers, which would have to stay within the object.
  const auto* line =
      reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(p) + bytes);
  __builtin_prefetch(line, 0, kTo == Fetched::kToL1 ? 3 : 2);
#endif
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_PREFETCH_H_
