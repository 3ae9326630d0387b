// The most that a CPU's dot-product instruction can do, measured.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_DOT_PRODUCT_PEAK_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_DOT_PRODUCT_PEAK_H_

namespace qconform::simd {

// Operations per second of one core, now: independent chains of vpdpbusd on 512-bit
// registers, without memory. A multiplication and an addition are two operations. 0
// if the CPU has no such instruction.
double MeasureDotProductPeak();

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_DOT_PRODUCT_PEAK_H_
