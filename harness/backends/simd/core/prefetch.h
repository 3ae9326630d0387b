// Hints that a cache line will be needed. Any address will do, mapped or not.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PREFETCH_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PREFETCH_H_

#include <cstddef>
#include <cstdint>

namespace qconform::simd {

inline constexpr size_t kLine = 64;  // bytes of a cache line

// All of these are always inlined: GCC believes that a function which only fetches has no
// effect, and drops calls to it.

// Returns the address that lies `ahead` bytes after p. A sum of pointers would have to
// stay within the object.
[[gnu::always_inline]] inline const void* Ahead(const void* p, size_t ahead) {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(p) + ahead);
}

// Fetches the line that lies `ahead` bytes after p, which only this core is going to
// write.
[[gnu::always_inline]] inline void WillWrite([[maybe_unused]] const void* p,
                                             [[maybe_unused]] size_t ahead = 0) {
#if defined(__x86_64__) && defined(__GNUC__)
  // Highway's targets do not have it, and the built-in function would only read.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(Ahead(p, ahead))));
#elif defined(__GNUC__)
  __builtin_prefetch(Ahead(p, ahead), 1);
#endif
}

// The same for all lines of the n bytes from p on.
[[gnu::always_inline]] inline void WillWriteAll(const void* p, size_t n) {
  const auto* const bytes = static_cast<const char*>(p);
  for (size_t i = 0; i < n; i += kLine) WillWrite(bytes + i);
  if (n != 0) WillWrite(bytes + n - 1);
}

// Fetches the n bytes that lie `ahead` bytes after p and are read once: into the first
// cache, and not into the others if the CPU can do that.
[[gnu::always_inline]] inline void WillReadOnce([[maybe_unused]] const void* p,
                                                [[maybe_unused]] size_t ahead,
                                                [[maybe_unused]] size_t n) {
#if defined(__GNUC__)
  for (size_t i = 0; i < n; i += kLine) __builtin_prefetch(Ahead(p, ahead + i), 0, 0);
#endif
}

// The same, to all caches.
[[gnu::always_inline]] inline void WillRead([[maybe_unused]] const void* p,
                                            [[maybe_unused]] size_t ahead,
                                            [[maybe_unused]] size_t n) {
#if defined(__GNUC__)
  for (size_t i = 0; i < n; i += kLine) __builtin_prefetch(Ahead(p, ahead + i));
#endif
}

// So far ahead x is fetched where it is in no cache of a core's own, in bytes: by itself
// a CPU fetches no further than to the end of a page. Rows that take turns share these.
inline constexpr size_t kAhead = 8192;
// The same for loops that were measured to be faster by it: FLOAT to words, packed codes
// by one scale, and the copy that is the limit.
inline constexpr size_t kAheadShort = 4096;
// The same for packed codes that will be written.
inline constexpr size_t kAheadOfPacked = 512;

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_PREFETCH_H_
