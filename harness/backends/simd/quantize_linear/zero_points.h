// Zero points of every type of y as working values.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_ZERO_POINTS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_ZERO_POINTS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Integer targets: writes zero_point - min of elements [begin, begin + n).
void LoadZeroPoints(const Kernels& kernels, const TensorView& zero_point, int64_t begin,
                    size_t n, int32_t min, int32_t* out);

// Float targets: writes the values, exactly; NaN and infinities as such. `min`
// is not used.
void LoadZeroPoints(const Kernels& kernels, const TensorView& zero_point, int64_t begin,
                    size_t n, int32_t min, float* out);

// Returns whether all codes are the one with all bits zero.
bool AllZero(const TensorView& zero_point);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_ZERO_POINTS_H_
