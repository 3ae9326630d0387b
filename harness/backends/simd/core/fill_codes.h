// Consecutive codes, as inputs of exhaustive proofs that keep up with the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FILL_CODES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FILL_CODES_H_

#include <cstddef>
#include <cstdint>

namespace qconform::simd {

// out[i] = first + i, modulo 2^32.
void FillCodes(uint32_t first, size_t n, uint32_t* out);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FILL_CODES_H_
