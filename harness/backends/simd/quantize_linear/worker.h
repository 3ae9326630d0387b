// Worker: quantizes a range of x's elements on one thread, piece by piece.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_WORKER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_WORKER_H_

#include <cstdint>

#include "harness/backends/simd/quantize_linear/job.h"

namespace qconform::simd {

// Codes of less than 8 bits are packed in chunks of this many.
inline constexpr int64_t kCodeChunk = 4096;

// Quantizes elements [begin, end). Preconditions: the floating-point environment is the
// default one; y's codes from begin on begin with a byte.
void QuantizeRange(const Job& job, int64_t begin, int64_t end);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_WORKER_H_
