// The most that a CPU's dot-product instruction can do, measured.
#ifndef QCONFORM_HARNESS_BENCH_DOT_PRODUCT_PEAK_H_
#define QCONFORM_HARNESS_BENCH_DOT_PRODUCT_PEAK_H_

namespace qconform {

// Operations per second of one core, now: independent chains of vpdpbusd on 512-bit
// registers, without memory. A multiplication and an addition are two operations. 0
// where the CPU has no such instruction.
double MeasureDotProductPeak();

// Seconds of this thread's work, and of the clock on the wall.
double ThreadSeconds();
double WallSeconds();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BENCH_DOT_PRODUCT_PEAK_H_
