// What one target's kernels offer to convolutions. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/matmul/kernels.h"

namespace qconform::simd {

// Rows of a panel, each of them somewhere in memory.
struct PanelRows {
  const uint8_t* const* rows = nullptr;  // each of at least `width` bytes
  // Bytes of 0 where a row has `fill` instead, and 0xFF elsewhere: `width` for each row.
  // nullptr: nowhere.
  const uint8_t* const* keep = nullptr;
  size_t count = 0;
  size_t width = 0;  // a multiple of 16
  uint8_t fill = 0;  // code
  bool is_signed = false;
};

// One row of a by a panel of b, of whole words in both forms:
//   c[j] = init + sum of a[s] b[s][j] + sum_factor * (sum of b[s][j]), modulo 2^32
struct RowProductArgs {
  const uint32_t* a = nullptr;
  const uint32_t* b = nullptr;
  size_t width = 0;
  size_t steps = 0;
  int32_t init = 0;
  int32_t sum_factor = 0;
  int32_t* c = nullptr;  // aligned
};

struct ConvolutionKernels {
  int64_t target = 0;
  // Lays out rows as words of a panel (matmul/kernels.h); what lies beyond `count` in the
  // last word is zero.
  void (*lay_out[kWordFormCount])(const PanelRows& rows, uint32_t* out) = {};
  // For products of so few rows and steps that it does not pay to go by tiles.
  void (*multiply_row[kWordFormCount])(const RowProductArgs& args) = {};
};

// Returns the kernels of a compiled target, or nullptr.
const ConvolutionKernels* ConvolutionKernelsOf(int64_t target_bit);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_KERNELS_H_
