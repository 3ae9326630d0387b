// What one target's kernels offer to products of 8-bit matrices. Private to the kernels.
//
// Both operands are laid out in words of four bytes along K: two int16 (any
// target) or four bytes, a unsigned and b signed (dot-product instructions). b
// lies in panels, each of `steps` times one word for every column; a in rows of
// `steps` words. What lies beyond K is zero.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/code_format.h"

namespace qconform::simd {

// How a word holds neighbours along K.
enum class WordForm : uint8_t { kPairs, kQuads };
inline constexpr int kWordFormCount = 2;

// The widest panel of all targets.
inline constexpr size_t kMaxColumns = 64;
// The most rows of a tile.
inline constexpr size_t kMaxRows = 6;

// c[i][j] = init[i][j] + sum over steps, modulo 2^32: a tile of one panel's width.
struct ProductArgs {
  const uint32_t* a = nullptr;
  size_t a_stride = 0;  // words
  size_t rows = 0;
  const uint32_t* b = nullptr;
  size_t width = 0;  // columns of the panel
  size_t steps = 0;
  const int32_t* init = nullptr;
  size_t init_stride = 0;  // 0: one row of it for all rows
  int32_t* c = nullptr;    // kMaxColumns apart
};

// Returns the sum of the k values of a row as the kernel will see them. Without `out`
// that is all it does.
using LayOutRow = uint32_t (*)(const uint8_t* a, bool is_signed, size_t k, uint32_t* out);
// Lays out a panel of `width` columns, of which `valid` exist in b, whose rows are
// `stride` bytes apart.
using PackPanel = void (*)(const uint8_t* b, bool is_signed, size_t k, size_t stride,
                           size_t valid, size_t width, uint32_t* out);

// Which scales make up the multiplier of C.
enum class Multiplier : uint8_t {
  kColumn,        // column_factor[j] = a_scale * b_scale[j] / y_scale
  kRowAndColumn,  // row_factor[i] = a_scale[i] / y_scale, column_factor[j] = b_scale[j]
  kExactColumn,   // as kColumn, but exact multiples of 2^-15
  kNone,          // y has the sums
};
inline constexpr int kMultiplierCount = 4;

struct Repairs;

// Terms that make C of a tile's sums:
//   kSums      C = c + row_term[i]
//   kProducts  C = c + row_a[i] * column_a[j] + row_term[i] * column_b[j]
enum class Correction : uint8_t { kSums, kProducts };
inline constexpr int kCorrectionCount = 2;

// Numbers with this many bits after the point, of which those in kUndecided are
// zero where a boundary is near (requantize-inl.h).
inline constexpr int kFixedBits = 15;
inline constexpr uint32_t kUndecided = (1u << kFixedBits) - 8;

// What is added to v, and the bounds of the sum, whose bits have the code: between 256
// and 512, where the unit is 2^-kFixedBits, 256 stands for the smallest.
struct FixedPoint {
  FixedPoint() = default;
  // Exact products: 1.5 * 2^23 has the unit 1, and the one rounding is to even.
  // The zero point follows as an integer.
  FixedPoint(Multiplier multiplier, int32_t zero_point, int32_t smallest) {
    const bool exact = multiplier == Multiplier::kExactColumn;
    const auto z = static_cast<float>(zero_point);
    const auto s = static_cast<float>(smallest);
    base = exact ? 12582912.0f : 256.0f - s + z + 0.5f + 4.0f / (1 << kFixedBits);
    bottom = exact ? base + s - z : 256.5f;
    top = bottom + 255.0f;
    flip = exact || smallest == 0 ? 0 : 0x80808080;
  }

  float base = 0;
  float bottom = 0;
  float top = 0;
  uint32_t flip = 0;  // bits of the code, in every byte
};

// Arrays of columns are padded to whole panels.
struct TileArgs {
  int32_t* c = nullptr;  // kMaxColumns apart
  size_t rows = 0;
  size_t columns = 0;
  const int32_t* row_a = nullptr;
  const int32_t* row_term = nullptr;
  const int32_t* column_a = nullptr;
  const int32_t* column_b = nullptr;
  const float* row_factor = nullptr;
  const float* column_factor = nullptr;
  int32_t zero_point = 0;
  FixedPoint fixed_point;  // of the multiplier
  uint8_t* y = nullptr;
  size_t y_stride = 0;  // bytes
  const Repairs* repairs = nullptr;
  size_t row = 0;  // of the tile's first element, for repairs
  size_t column = 0;
};

struct MatMulKernels {
  int64_t target = 0;
  // Products of pairs: tiles of 2 rows by panels of pair_columns().
  size_t (*pair_columns)() = nullptr;
  void (*multiply_pairs)(const ProductArgs& args) = nullptr;
  LayOutRow lay_out_row[kWordFormCount];
  PackPanel pack_panel[kWordFormCount];
  // To integer y, canonically (MM-02, MM-03); not of kNone.
  void (*requantize[kCorrectionCount][kMultiplierCount])(const TileArgs& tile);
  // To INT32 y; y_stride is in bytes.
  void (*store[kCorrectionCount])(const TileArgs& tile);
  // C in place of c.
  void (*correct[kCorrectionCount])(const TileArgs& tile);
  // low and high enclose v + zero_point for each of n sums, and are equal where
  // v + zero_point is zero. Factors as in Multiplier::kColumn or kRowAndColumn.
  void (*enclose)(const int32_t* c, size_t n, const float* row_factor,
                  const float* column_factor, float zero_point, float* low, float* high);
  // v = f32(C) * factor, both rounded to FLOAT.
  void (*scale)(const int32_t* c, size_t n, const float* factor, float* v);
  // Codes of v; the buffers hold kMaxColumns.
  void (*round_to_integers)(const float* v, size_t n, int32_t zero_point,
                            int32_t smallest, uint8_t* codes);
  void (*round_to_float8)(const float* v, size_t n, const FloatGrid& grid,
                          uint8_t* codes);
  void (*round_to_float8_fnuz)(const float* v, size_t n, const FloatGrid& grid,
                               uint8_t* codes);
};

// Returns the kernels of a compiled target, or nullptr.
const MatMulKernels* MatMulKernelsOf(int64_t target_bit);

// Sets codes[i] for the i in [0, n) where fixed[i] lies next to a boundary: the
// element at (row, column + i), whose sum is c[i].
void RepairCodes(const Repairs& repairs, size_t row, size_t column, size_t n,
                 const int32_t* c, const uint32_t* fixed, uint8_t* codes);
// The same where those i are known: the bits of `lanes`, which is not zero.
void RepairLanes(const Repairs& repairs, size_t row, size_t column, uint64_t lanes,
                 const int32_t* c, const uint32_t* fixed, uint8_t* codes);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_KERNELS_H_
