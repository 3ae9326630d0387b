// Infinite quotients of the FNUZ formats before opset 24, where they become NaN (QL-22);
// kernels saturate them.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_FNUZ_INFINITY_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_FNUZ_INFINITY_H_

#include <cstddef>
#include <span>

#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform::simd {

// Replaces largest finite codes of `y` whose quotient is infinite by NaN. Preconditions:
// y is what a kernel made of args, of a FNUZ format, saturated; modes are the default.
void MakeInfinitiesNan(const QuantizeLinearArgs& args, const Geometry& geometry,
                       std::span<std::byte> y);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_FNUZ_INFINITY_H_
