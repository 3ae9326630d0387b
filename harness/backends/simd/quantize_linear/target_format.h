// What the encode stage needs to know of a type of y.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TARGET_FORMAT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TARGET_FORMAT_H_

#include <optional>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "oracle/tensor/data_type.h"

namespace qconform::simd {

struct TargetFormat {
  Sink sink = Sink::kInteger8;
  bool is_float = false;
  IntegerGrid integers;  // integer targets
  FloatGrid floats;      // float8 and FLOAT4E2M1
};

// Returns nothing for types that y cannot have.
std::optional<TargetFormat> FormatOfTarget(DataType type, bool saturate);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TARGET_FORMAT_H_
