// Default floating-point modes for a scope: nearest even, subnormals kept, no traps. A
// program that set flush-to-zero must not change a bit of y. Its modes and exception
// flags are kept.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FP_ENVIRONMENT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FP_ENVIRONMENT_H_

#include <cstdint>

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace qconform::simd {

class DefaultFpEnvironment {
 public:
#if defined(__SSE2__) || defined(_M_X64)
  // MXCSR: all exceptions masked, nearest, no FTZ, no DAZ.
  DefaultFpEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(0x1F80); }
  ~DefaultFpEnvironment() { _mm_setcsr(static_cast<unsigned>(saved_)); }
#elif defined(__aarch64__)
  DefaultFpEnvironment() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    asm volatile("mrs %0, fpsr" : "=r"(flags_));
    asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
  }
  ~DefaultFpEnvironment() {
    asm volatile("msr fpsr, %0" : : "r"(flags_));
    asm volatile("msr fpcr, %0" : : "r"(saved_));
  }
#endif
  DefaultFpEnvironment(const DefaultFpEnvironment&) = delete;
  DefaultFpEnvironment& operator=(const DefaultFpEnvironment&) = delete;

 private:
  [[maybe_unused]] uint64_t saved_ = 0;
  [[maybe_unused]] uint64_t flags_ = 0;  // aarch64: a register of their own
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FP_ENVIRONMENT_H_
