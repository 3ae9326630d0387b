// Zero points of every type of y as FLOATs.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_ZERO_POINTS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_ZERO_POINTS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/kernels.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Writes the values of elements [begin, begin + n), exactly; NaN and infinities
// as such.
void LoadZeroPoints(const Kernels& kernels, const TensorView& zero_point, int64_t begin,
                    size_t n, float* out);

// Returns whether all codes are the one with all bits zero.
bool AllZero(const TensorView& zero_point);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_ZERO_POINTS_H_
