// The part of a call that one thread does.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_WORKER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_WORKER_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/dequantize_linear/dequantize_linear.h"
#include "harness/backends/simd/dequantize_linear/kernels.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd::dequantize {

// Everything about one call, worked out once for all of its threads.
struct Job {
  const Kernels* kernels = nullptr;
  Geometry geometry;
  TensorView x;
  TensorView scale;
  TensorView zero_point;  // of one element, or one for each scale
  bool has_zero_point = false;
  bool zero_points_vary = false;
  std::byte* y = nullptr;
  size_t y_size = 4;  // bytes of an element
  int x_bits = 8;
  Codes codes = Codes::kUint8;
  Widening widening = Widening::kZeros;  // of less than 8 bits
  Output output = Output::kFloat;
  SmallFloat floats;
  const float* values = nullptr;   // kFour
  bool rounds_scale = false;       // to P
  bool rounds_difference = false;  // to P
  bool exact = false;              // by Kernels::multiply_exact
  bool fetch = false;              // x
  bool stream = false;             // y
};

// Precondition: args were checked.
Job MakeJob(const DequantizeLinearArgs& args, std::byte* y, const Kernels& kernels,
            const Geometry& geometry, Stores stores);

// Writes elements [begin, end) of y, which may be streamed (Kernels::flush).
// Preconditions: begin and end are multiples of 4 or the end of x; modes are the default.
void DequantizeRange(const Job& job, int64_t begin, int64_t end);

}  // namespace qconform::simd::dequantize

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_WORKER_H_
