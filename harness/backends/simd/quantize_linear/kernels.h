// The kernels of one target, for the code that walks over tensors. Private
// to this folder.
//
// An element goes through four stages, over buffers that stay in L1 or in
// registers:
//   convert   x and y_scale to P
//   divide    q = round_P(x / s), in FLOAT lanes; DOUBLE quotients are rounded
//             to odd FLOATs
//   encode    q and the zero point to a code of 8 or 16 bits
//   pack      codes of 6, 4 and 2 bits into bytes
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/code_format.h"
#include "oracle/tensor/data_type.h"

namespace qconform::simd {

// How q comes about.
enum class Division : uint8_t {
  kFloat,     // P = FLOAT
  kFloat16,   // P = FLOAT16
  kBfloat16,  // P = BFLOAT16
  // The same codes without dividing; of FLOAT for targets of at most 8 bits, and
  // with one scale for 16-bit integers.
  kFloatReciprocal,  // x is FLOAT
  kFloat16Reciprocal,
  kBfloat16Reciprocal,
  kFloatReciprocalOfAny,  // the same for any x; and exact quotients by INT32 scales
  kDone,                  // q is there already
};
inline constexpr int kDivisionCount = 8;

constexpr bool IsReciprocal(Division division) {
  return division == Division::kFloatReciprocal ||
         division == Division::kFloat16Reciprocal ||
         division == Division::kBfloat16Reciprocal ||
         division == Division::kFloatReciprocalOfAny;
}

// Whether a reciprocal has two parts: with one, quotients are rounded to FLOAT16 or
// BFLOAT16 as x / s is, but for FLOAT16's subnormals, on which no code depends so
// (MulReciprocal).
constexpr bool HasTwoParts(Division division) {
  return division == Division::kFloatReciprocal ||
         division == Division::kFloatReciprocalOfAny;
}

// Returns what stands for kFloat, kFloat16 or kBfloat16 where x has this type.
constexpr Division ReciprocalOf(Division division, DataType x) {
  return division == Division::kFloat16    ? Division::kFloat16Reciprocal
         : division == Division::kBfloat16 ? Division::kBfloat16Reciprocal
         : x == DataType::kFloat           ? Division::kFloatReciprocal
                                           : Division::kFloatReciprocalOfAny;
}

// Whether Run::x has the type that Run::x_type says; else it is FLOAT.
constexpr bool TakesAnyX(Division division) {
  return division != Division::kFloatReciprocal && division != Division::kDone;
}

// Returns log2 of the bytes of an element of x.
constexpr int SizeShiftOfX(DataType type) {
  return type == DataType::kFloat || type == DataType::kInt32 ? 2 : 1;
}

// Returns P.
constexpr DataType PrecisionOf(Division division) {
  switch (division) {
    case Division::kFloat16:
    case Division::kFloat16Reciprocal:
      return DataType::kFloat16;
    case Division::kBfloat16:
    case Division::kBfloat16Reciprocal:
      return DataType::kBfloat16;
    default:
      return DataType::kFloat;
  }
}

// Which elements of x are rounded to P where P is FLOAT16 and x BFLOAT16, or P is
// BFLOAT16 and x INT32: no code depends on how the others are (WhatIsRounded in job.h).
enum class RoundedX : uint8_t {
  kAll,
  kSubnormals,  // what becomes a subnormal FLOAT16 or 0
  kNone,        // of INT32 bits are left out that a FLOAT has not
};

// How scales and zero points lie along a run.
enum class Operands : uint8_t {
  kUniform,      // one of each
  kVectorScale,  // a scale for each element, one zero point
  kVectors,      // a scale and a zero point for each element
  kBlocks,       // a scale and a zero point for each 2^block_shift elements
};
inline constexpr int kOperandsCount = 4;

// Codes of which a byte has several, packed as y has them (QL-50).
enum class PackedSink : uint8_t { kInteger4, kInteger2, kFloat4, kFloat6 };
inline constexpr int kPackedSinkCount = 4;

// The longest vectors of FLOATs that any target has (SVE's).
inline constexpr size_t kMaxLanes = 64;

// Scales as kernels take them that multiply: one of each for a scale.
struct Reciprocals {
  const float* high = nullptr;  // 1 / scale in two parts, or in one, rounded
  const float* low = nullptr;   // where HasTwoParts
  // Float targets, unless operands are vectors: scale * FloatGrid::clamp.
  const float* limit = nullptr;

  Reciprocals operator+(size_t n) const {
    const auto shifted = [n](const float* p) { return p == nullptr ? nullptr : p + n; };
    return {high + n, shifted(low), shifted(limit)};
  }
};

// A run of `n` elements that are contiguous in x and y; or several runs, one after the
// other; or, if the operands are vectors, some rows that have the same operands.
struct Run {
  const void* x = nullptr;  // need not be aligned
  DataType x_type = DataType::kFloat;
  RoundedX rounded_x = RoundedX::kAll;
  // kFloatReciprocalOfAny: of INT32 scales; P is no type, x is not rounded (QL-06).
  bool exact = false;
  // Then: x is INT32 and may have more bits than a FLOAT has, if these matter.
  bool x_low = false;
  // One value, one for each element, or one for each block, as Operands says.
  const float* scale = nullptr;
  Reciprocals reciprocals;          // where IsReciprocal
  const int32_t* offset = nullptr;  // of integer targets; float targets have none here
  bool one_offset = false;          // kBlocks and several runs: it is the same for all
  size_t n = 0;
  int block_shift = 0;    // a block is at least one vector
  void* out = nullptr;    // uint8_t, uint16_t or float, need not be aligned
  size_t runs = 1;        // kUniform: this many follow each other, each with its operands
  size_t rows = 1;        // kVectorScale and kVectors
  size_t x_stride = 0;    // elements from a row of x to the next
  size_t out_stride = 0;  // the same of `out`
  // One run's codes, not quotients, are written past the caches if they fill lines.
  // A call of Kernels::flush must follow.
  bool stream = false;
  // log2 of how many codes, of 4 or 2 bits, are packed into a byte of `out` (QL-50): n
  // and out_stride are whole bytes then, and n is at least a block. 0: none are.
  int pack_shift = 0;
  // 0: x is not fetched before it is read. Else this is, of rows, elements from `x` to
  // what the next call reads, modulo 2^64.
  size_t x_next = 0;
  IntegerGrid integers;
  FloatGrid floats;
};
using RunFunction = void (*)(const Run&);

// The runs of one Division; nullptr where there is none.
struct RunTable {
  RunFunction run[kOperandsCount][kSinkCount];
  // By one scale, to packed codes: run.out takes PackedByteSize bytes.
  RunFunction packed[kPackedSinkCount];
};

// How a zero point takes part in a DOUBLE quotient.
enum class ZeroPointSum : uint8_t {
  kNone,
  kRoundedQuotient,  // added exactly to the quotient in DOUBLE
  kExactQuotient,    // added exactly to the exact quotient by an INT32 scale
};

// The range of some integers; the least is above the most where there are none.
struct IntegerRange {
  int32_t least = INT32_MAX;
  int32_t most = INT32_MIN;
};

struct Kernels {
  int64_t target = 0;  // what these were compiled for: a Target::bit

  // Each entry quantizes one run: quotient, rounding, code. Those that make no
  // sense are nullptr; reciprocals are there where the target has fused
  // multiplication.
  RunFunction Function(Division division, Operands operands, Sink sink) const {
    return runs[static_cast<int>(division)]
        ->run[static_cast<int>(operands)][static_cast<int>(sink)];
  }
  RunFunction PackedFunction(Division division, PackedSink sink) const {
    return runs[static_cast<int>(division)]->packed[static_cast<int>(sink)];
  }
  const RunTable* runs[kDivisionCount];

  // Returns the lanes of a vector of FLOATs, at most kMaxLanes.
  size_t (*lanes)();

  // Converts n scales to `precision`, held as FLOATs: FLOAT, FLOAT16 or BFLOAT16; any
  // other one stands for FLOAT.
  void (*scales)(DataType type, const std::byte* in, size_t n, DataType precision,
                 float* out);
  // Converts n elements of x or y_scale to DOUBLE, which is exact.
  void (*to_double)(DataType type, const std::byte* in, size_t n, double* out);
  // Converts n zero points of 8 or 16 bits to zero_point - min.
  void (*offsets)(DataType type, const std::byte* in, size_t n, int32_t min,
                  int32_t* out);
  // Writes n Reciprocals, of one part where low is nullptr. clamp is 0 for integer
  // targets: there is no limit; else it is FloatGrid's. high is the FLOAT nearest to 1 /
  // scale, but for two parts of float targets: then it is not above that. Returns whether
  // all scales are in the range in which these may be used.
  bool (*reciprocals)(const float* scale, size_t n, float clamp, float* high, float* low,
                      float* limit);
  // The same for INT32 scales, all of them above 0; high is never above 1 / scale.
  void (*reciprocals_of_int32)(const std::byte* scale, size_t n, float clamp, float* high,
                               float* low, float* limit);

  // Return the range of n INT32 or INT16 numbers, which need not be aligned.
  IntegerRange (*range_of_int32)(const std::byte* in, size_t n);
  IntegerRange (*range_of_int16)(const std::byte* in, size_t n);

  // out[i] = values[i / repeat] for `count` values of 4 bytes. May write up to a
  // vector beyond.
  void (*repeat)(const void* values, size_t count, size_t repeat, void* out);
  // The same for rows of `length` elements, in each of which the last value comes as
  // often as there is room.
  void (*repeat_in_rows)(const void* values, size_t rows, size_t length, size_t repeat,
                         void* out);
  // Rows of `length` elements, each of which repeats its own `count` values as a
  // whole; count is at most lanes(). May write up to a vector beyond.
  void (*tile_rows)(const void* values, size_t rows, size_t length, size_t count,
                    void* out);

  // Rows of `length` elements, multiples of `tile`: the first tile values `repeat` times,
  // then the next as often, the last ones as often as there is room. May write up to a
  // vector beyond.
  void (*tile_in_rows)(const void* values, size_t rows, size_t length, size_t tile,
                       size_t repeat, void* out);

  // q[i] += zero_point[i], exactly, rounded to odd.
  void (*add_zero_point)(const float* zero_point, size_t n, float* q);
  // q[i] = x[i] / scale[i] + zero_point[i], rounded to odd. `sum` is not kNone.
  void (*divide_double)(ZeroPointSum sum, const double* x, const double* scale,
                        const float* zero_point, size_t n, float* q);

  // scale[i] = 1 / scale[i].
  void (*invert)(size_t n, double* scale);
  // q[i] = x[i] / s for n elements of a type of x, rounded to odd, with one of
  // inverse = 1 / s for all, for each element or for each 2^block_shift elements.
  void (*multiply_double)(DataType type, Operands operands, const std::byte* x,
                          const double* inverse, int block_shift, size_t n, float* q);

  // Makes the codes that runs have streamed visible to other threads.
  void (*flush)();

  // Whether runs of kInteger8 and of kFloat8 that read x themselves take Run::pack_shift.
  bool packs = false;
  // Packs n codes of `bits` (6, 4 or 2) into PackedByteSize bytes.
  void (*pack)(int bits, const uint8_t* codes, size_t n, uint8_t* out);
};

// Returns the kernels of a compiled target, or nullptr.
const Kernels* KernelsOf(int64_t target_bit);

// Their parts; each is compiled in a separate file.
const RunTable* FloatRuns(int64_t target_bit);
const RunTable* Float16Runs(int64_t target_bit);
const RunTable* Bfloat16Runs(int64_t target_bit);
const RunTable* FloatReciprocalRuns(int64_t target_bit);
const RunTable* Float16ReciprocalRuns(int64_t target_bit);
const RunTable* Bfloat16ReciprocalRuns(int64_t target_bit);
const RunTable* FloatReciprocalOfAnyRuns(int64_t target_bit);
const RunTable* DoneRuns(int64_t target_bit);
// All but the runs.
const Kernels* Stages(int64_t target_bit);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_KERNELS_H_
