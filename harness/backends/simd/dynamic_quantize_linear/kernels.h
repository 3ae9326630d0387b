// What one target's kernels offer to DynamicQuantizeLinear. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_DYNAMIC_QUANTIZE_LINEAR_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_DYNAMIC_QUANTIZE_LINEAR_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/stores.h"

namespace qconform::simd::dynamic_quantize {

struct Range {
  float least = 0;  // not above 0
  float most = 0;   // not below 0
};

// How x is divided by y_scale.
struct Divisor {
  float scale = 1;
  // Whether x * high + (x * low) is taken, on targets that multiply and add with one
  // rounding.
  bool by_reciprocal = false;
  float high = 0;  // 1 / scale, rounded
  float low = 0;   // what is missing to 1 / scale, rounded
};

struct Kernels {
  int64_t target = 0;
  // Returns the range of n elements and of 0. If some are NaN it is not specified.
  // `stores` is only asked whether x is fetched ahead.
  Range (*find_range)(const float* x, size_t n, Stores stores) = nullptr;
  // y = saturate(rne(x / scale) + zero_point). `stores` is not kBySize.
  void (*quantize)(const float* x, size_t n, const Divisor& divisor, uint8_t zero_point,
                   Stores stores, uint8_t* y) = nullptr;
};

// Returns the kernels of a compiled target, or nullptr.
const Kernels* KernelsOf(int64_t target_bit);

}  // namespace qconform::simd::dynamic_quantize

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_DYNAMIC_QUANTIZE_LINEAR_KERNELS_H_
