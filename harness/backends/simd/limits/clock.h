// The clocks of measurements.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_CLOCK_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_CLOCK_H_

#include <chrono>
#include <ctime>

namespace qconform::simd {

// Seconds of this thread's work.
inline double ThreadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds of the clock on the wall.
inline double WallSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_CLOCK_H_
