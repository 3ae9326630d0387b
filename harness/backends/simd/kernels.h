// What one target's kernels offer to the code that walks over tensors. Private
// to this folder.
//
// An element goes through four stages, over buffers that stay in L1:
//   convert   x and y_scale to P, held in FLOAT lanes (DOUBLE for P = DOUBLE)
//   divide    q = round_P(x / s); DOUBLE quotients are rounded to odd FLOATs
//   encode    q and the zero point to a code of 8 or 16 bits
//   pack      codes of 4 and 2 bits into bytes
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "oracle/tensor/data_type.h"

namespace qconform::simd {

// P, for quotients that fit FLOAT lanes.
enum class Precision : uint8_t { kFloat, kFloat16, kBfloat16 };
inline constexpr int kPrecisionCount = 3;

// Which of scale and zero point are one value for the whole run.
enum class Operands : uint8_t { kBothUniform, kUniformZeroPoint, kBothVary };
inline constexpr int kOperandsCount = 3;

// Where quotients go to. Integers of up to 8 bits are one code per byte.
enum class Sink : uint8_t { kInteger8, kInteger16, kFloat8, kFloat8Fnuz, kQuotient };
inline constexpr int kSinkCount = 5;

// An integer target: its range, as FLOATs.
struct IntegerGrid {
  float min = 0;
  float max = 0;
};

// A float8 or FLOAT4E2M1 target, as FLOAT's bits see it; encode-inl.h says how
// these are used.
struct FloatGrid {
  float clamp = 0;  // magnitudes above are taken for this one
  float min_normal = 0;
  int mantissa_shift = 0;    // 23 - mantissa bits
  uint32_t code_offset = 0;  // FLOAT's exponent field of min_normal, shifted
  int sign_shift = 0;        // 32 - bits of the format
  uint32_t nan_code = 0;
};

// A run of `n` elements that are contiguous in x and y. `scale` and
// `zero_point` point to one value or to n of them, as Operands says.
struct Run {
  const float* x = nullptr;
  const float* scale = nullptr;
  const float* zero_point = nullptr;  // integer targets only
  size_t n = 0;
  void* out = nullptr;  // uint8_t, uint16_t or float, need not be aligned
  IntegerGrid integers;
  FloatGrid floats;
};

// How a zero point takes part in a DOUBLE quotient.
enum class ZeroPointSum : uint8_t {
  kNone,
  kRoundedQuotient,  // added exactly to the quotient in DOUBLE
  kExactQuotient,    // added exactly to the exact quotient by an INT32 scale
};

using RunFunction = void (*)(const Run&);

struct Kernels {
  int64_t target = 0;  // what these were compiled for: a Target::bit

  // Each entry quantizes one run: quotient, rounding, code.
  RunFunction run[kPrecisionCount][kOperandsCount][kSinkCount];
  // The same for quotients that are there already, in Run::x; Run::scale is not
  // read. There is none for Sink::kQuotient.
  RunFunction encode[kOperandsCount][kSinkCount];

  // Converts n elements of a type of x or y_scale to P, each with one rounding.
  void (*to_precision)(DataType type, Precision p, const std::byte* in, size_t n,
                       float* out);
  // The same to DOUBLE, which is exact.
  void (*to_double)(DataType type, const std::byte* in, size_t n, double* out);
  // Converts n zero points of 8 or 16 bits, exactly.
  void (*zero_points_to_float)(DataType type, const std::byte* in, size_t n, float* out);

  // q[i] += zero_point[i], exactly, rounded to odd.
  void (*add_zero_point)(const float* zero_point, size_t n, float* q);
  // q[i] = x[i] / scale[i] (+ zero_point[i]), rounded to odd.
  void (*divide_double)(ZeroPointSum sum, const double* x, const double* scale,
                        const float* zero_point, size_t n, float* q);

  // Packs n codes of `bits` (4 or 2) into PackedByteSize bytes.
  void (*pack)(int bits, const uint8_t* codes, size_t n, uint8_t* out);
};

// Returns the kernels of a compiled target, or nullptr.
const Kernels* KernelsOf(int64_t target_bit);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_KERNELS_H_
