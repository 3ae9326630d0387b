// What a machine gains by several threads that need each other for nothing.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_PARALLEL_LIMIT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_PARALLEL_LIMIT_H_

#include <cstdint>
#include <vector>

#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Returns when `threads` threads run at the same time, awake and each on a CPU of its
// own, or after 20 milliseconds without that. To wake one may take some.
void Gather(int threads);

// Seconds in which `threads` threads move the bytes of x to y once, as the mean of
// `calls`; each moves its part again and again. One thread's are its own, several ones'
// the wall's, and so are one's with `by_wall`.
double TimeCopyLimit(int64_t calls, int threads, bool by_wall, const Tensor& x,
                     Tensor& y);

// How much more arithmetic in registers `threads` threads do than one does in the same
// time, measured now: `threads`, or less where some of them share a core. Takes about a
// millisecond.
double RegisterSpeedup(int threads);

// Seconds of a call at least that several threads run together and that all end at the
// same time. of_all[i]: of all of it by thread i, while the others run, too. Those that
// help hear of the call and tell of their end by a line's round trip; where that takes
// them longer than the first thread by itself, that one does all.
double LeastTogether(const std::vector<double>& of_all, double round_trip);

// Seconds in which a cache line goes from the calling thread to another one of `threads`
// and its answer back; 0 where they do not run at the same time within 20 milliseconds.
// Takes about a millisecond.
double LineRoundTrip(int threads);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_PARALLEL_LIMIT_H_
