// Loops of exhaustive sweeps that keep up with the kernels: they make inputs and
// compare codes, and compute no answer.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_SWEEP_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_SWEEP_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/kernels.h"

namespace qconform::simd {

// The inner function with x made in registers: the n FLOATs whose codes begin with
// `first`, instead of run.x. n is a multiple of 4 * kMaxLanes.
using CodesFunction = void (*)(const Run& run, uint32_t first);
struct CodesTable {
  CodesFunction run[2][kSinkCount];  // [by reciprocals][sink]; nullptr where none
};
// Returns a compiled target's, or nullptr.
const CodesTable* CodesRuns(int64_t target_bit);

// out[i] = first + i, modulo 2^32.
void FillCodes(uint32_t first, size_t n, uint32_t* out);

// Returns whether all n codes are `code`.
bool AllAre(const uint8_t* codes, size_t n, uint8_t code);
bool AllAre(const uint16_t* codes, size_t n, uint16_t code);

// inner[i] is the largest FLOAT below scale * midpoints[i], outer[i] the smallest
// above it; infinity where there is none that is finite. Preconditions: all are
// positive, each product is exact in DOUBLE, and none is a FLOAT.
void BesideProducts(float scale, const double* midpoints, size_t n, float* inner,
                    float* outer);

// x[i] = -x[i].
void FlipSigns(size_t n, float* x);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_SWEEP_KERNELS_H_
