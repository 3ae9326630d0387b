// Geometry: which scale belongs to which element of x.
//
// x is seen as [outer, axis, inner], row-major; the scale of element (o, a, i) is
//   o * outer_stride + (a / block) * block_stride + i * inner_stride       (1)
// with inner_stride 0 or 1 (QL-31). All granularities are cases of (1).
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_GEOMETRY_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_GEOMETRY_H_

#include <cstdint>

#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "oracle/base/result.h"

namespace qconform::simd {

struct Geometry {
  int64_t axis = 1;
  int64_t inner = 1;
  int64_t block = 1;
  int64_t outer_stride = 0;
  int64_t block_stride = 0;
  int64_t inner_stride = 0;
  int64_t scale_count = 1;  // elements of y_scale
};

// Returns the geometry of args, in its plainest form: where two descriptions are
// the same, the one with the longer rows. An Error where the shapes contradict
// each other. Precondition: x has at least one element.
Result<Geometry> MakeGeometry(const QuantizeLinearArgs& args);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_GEOMETRY_H_
