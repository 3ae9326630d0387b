// Loops of exhaustive sweeps that keep up with the kernels: they make inputs and
// compare codes, and compute no answer.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_LOOPS_SWEEP_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_LOOPS_SWEEP_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/quantize_linear/kernels.h"

namespace qconform::simd {

// Rows of x, each with a scale of its own, and the codes that each row must give.
struct RowsToMatch {
  const float* scale = nullptr;  // one for each row, as are reciprocals
  Reciprocals reciprocals;
  size_t rows = 0;
  const float* x = nullptr;  // of the first row
  size_t stride = 0;         // from a row's x to the next one's; 0: all have these
  size_t columns = 0;        // a multiple of four vectors
  const uint32_t* flipped = nullptr;  // of each row: bits to flip in every x
  const void* codes = nullptr;        // `columns` of them
  uint32_t mask = 0;                  // the bits of a code that count
};

// The inner function on such rows. Returns how many of them, from the first on, give
// their codes. The offset of `run` holds for all.
using MatchFunction = size_t (*)(const Run& run, const RowsToMatch& rows);
struct MatchTable {
  MatchFunction by[2][kSinkCount];  // [by reciprocals][sink]; nullptr where none
};
// Returns a compiled target's, or nullptr.
const MatchTable* MatchRuns(int64_t target_bit);

// inner[i] is the largest FLOAT below scale * midpoints[i], outer[i] the smallest
// above it; infinity where there is none that is finite. Preconditions: all are
// positive, each product is exact in DOUBLE, and none is a FLOAT.
void BesideProducts(float scale, const double* midpoints, size_t n, float* inner,
                    float* outer);

// x[i] = -x[i].
void FlipSigns(size_t n, float* x);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_LOOPS_SWEEP_KERNELS_H_
