// How sums become codes of y.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_REQUANTIZATION_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_REQUANTIZATION_H_

#include <cstdint>

namespace qconform::simd {

// v = C * a_scale * b_scale / y_scale is exact until it is rounded once, or computed by
// the reading f32_multiplier of MM-02: m = f32(f32(a_scale * b_scale) / y_scale),
// v = f32(f32(C) * m).
enum class Requantization : uint8_t { kExact, kF32Multiplier };

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_REQUANTIZATION_H_
