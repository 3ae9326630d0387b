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

// Rows of y of one channel that has one channel of x. A row of the kernel is taken in
// quads of taps, each a word of four bytes:
//   c[o][j] = init + sum of a[r][q] b + sum_factor * (sum of b), modulo 2^32
// where b are the four elements of x that quad q of row r meets for output j, as unsigned
// values, and a are signed bytes, 0 for taps that the kernel does not have.
struct DepthwiseArgs {
  const uint8_t* x = nullptr;           // code of the first element of a channel
  const uint8_t* padded_row = nullptr;  // a row of x's zero point
  // Where tap 0 of output 0 is in x, for each row of y and of the kernel, `tap_rows`
  // each. kPaddedRow: in padded_row.
  const int64_t* offsets = nullptr;
  size_t outputs = 0;  // rows of y
  size_t tap_rows = 0;
  size_t quads = 0;
  size_t width = 0;                 // of a row of y and of c
  size_t stride = 1, dilation = 1;  // along a row, at most kMostDepthwiseStep each
  // For each byte of a vector, the place of its element after that of the first byte.
  const uint8_t* places = nullptr;
  // For each vector of outputs and each quad, a vector: bytes of 0 where the element is a
  // padded position, and 0xFF elsewhere.
  const uint8_t* keep = nullptr;
  const uint32_t* a = nullptr;
  const uint32_t* ones = nullptr;  // 1 for each tap that the kernel has, of each quad
  uint8_t zero_point = 0;          // code
  bool is_signed = false;          // x
  int32_t init = 0;
  int32_t sum_factor = 0;
  int32_t* c = nullptr;  // a vector may be written after the last output
};
inline constexpr int64_t kPaddedRow = INT64_MIN;
inline constexpr size_t kMostDepthwiseStep = 2;
// So many bytes are read from a quad's first element on.
inline constexpr size_t kDepthwiseBytes = 64;

// to[i] = from[2 i] for i < count, in each of some rows.
struct RowsOfTwo {
  const uint8_t* from = nullptr;
  ptrdiff_t from_step = 0;  // to the next row
  uint8_t* to = nullptr;
  ptrdiff_t to_step = 0;
  size_t rows = 0;
  size_t count = 0;
};

struct ConvolutionKernels {
  int64_t target = 0;
  // Lays out rows as words of a panel (matmul/kernels.h); what lies beyond `count` in the
  // last word is zero.
  void (*lay_out[kWordFormCount])(const PanelRows& rows, uint32_t* out) = {};
  // Outputs that depthwise takes at once.
  size_t (*depthwise_lanes)() = nullptr;
  void (*depthwise)(const DepthwiseArgs& args) = nullptr;
  void (*take_every_second)(const RowsOfTwo& rows) = nullptr;
};

namespace convolution {

// Returns the kernels of a compiled target, or nullptr.
const ConvolutionKernels* KernelsOf(int64_t target_bit);

}  // namespace convolution

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_KERNELS_H_
