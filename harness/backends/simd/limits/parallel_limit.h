// What a machine gains by several threads that do not depend on each other.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_PARALLEL_LIMIT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_PARALLEL_LIMIT_H_

#include <cstdint>
#include <vector>

#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Returns when `threads` threads run at the same time, each on its own CPU, or after 20
// milliseconds if they do not. Waking a thread may take some of them.
void Gather(int threads);

// Returns the seconds in which `threads` threads move the bytes of x to y once, as the
// mean of `calls`; each moves its part again and again. For one thread it is the thread's
// time, unless `by_wall` is set; for several it is the wall's.
double TimeCopyLimit(int64_t calls, int threads, bool by_wall, const Tensor& x,
                     Tensor& y);

// How much more arithmetic in registers `threads` threads do than one does in the same
// time, measured now: `threads`, or less where some of them share a core. Takes about a
// millisecond.
double RegisterSpeedup(int threads);

// Returns the least seconds of a call that several threads run together, if all end at
// the same time. of_all[i]: the seconds in which thread i does the whole call, while the
// others run, too. Each helper needs one round trip of a cache line to get the call and
// to report its end; if that takes longer than the whole call, the first thread does
// everything.
double LeastTogether(const std::vector<double>& of_all, double round_trip);

// Returns the seconds in which a cache line goes from the calling thread to another one
// of `threads` and back; 0 if they do not run at the same time within 20 milliseconds.
// Takes about a millisecond.
double LineRoundTrip(int threads);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_PARALLEL_LIMIT_H_
