// Worker: quantizes a range of x's elements on one thread, piece by piece.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_WORKER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_WORKER_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/geometry.h"
#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/quantize_linear.h"
#include "harness/backends/simd/scale_feed.h"
#include "harness/backends/simd/target_format.h"

namespace qconform::simd {

// Codes of 4 and 2 bits are packed by so many.
inline constexpr int64_t kCodeChunk = 4096;

// All that the threads of one call share.
struct Job {
  ScaleSource scales;
  TensorView x;
  std::byte* y = nullptr;
  int y_bits = 8;
  TargetFormat format;
  // Not for DOUBLE quotients.
  Division division = Division::kFloat;
  Division by_reciprocals = Division::kFloatReciprocal;
  bool double_quotient = false;
  bool add_zero_point = false;             // of a float target, to the quotient
  ZeroPointSum sum = ZeroPointSum::kNone;  // of DOUBLE quotients
  // Kernels write y past the caches, unless they make codes that are packed later.
  bool stream = false;
};

// Precondition: args were checked.
Job MakeJob(const QuantizeLinearArgs& args, std::byte* y, const Kernels& kernels,
            const Geometry& geometry, Stores stores = Stores::kBySize);

// Quantizes elements [begin, end), in the default floating-point environment.
// Precondition: y's codes from begin on begin with a byte.
void QuantizeRange(const Job& job, int64_t begin, int64_t end);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_WORKER_H_
