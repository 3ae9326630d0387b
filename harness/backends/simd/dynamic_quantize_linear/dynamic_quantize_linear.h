// DynamicQuantizeLinear by vector instructions, bit for bit.
//
//   y_scale = (max(0, max x) - min(0, min x)) / 255
//   y_zero_point = rne(clip(0 - min(0, min x) / y_scale, 0, 255))
//   y = saturate(rne(x / y_scale) + y_zero_point)
//
// ONNX DynamicQuantizeLinear, since_version 11 (DYN-01 to DYN-09, docs/semantics.md).
// Each operation of y_scale and y_zero_point is rounded to FLOAT. Where all x are 0, all
// outputs are 0.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_

#include <cstdint>

#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

struct DynamicQuantizeLinearOutputs {
  MutableTensorView y;             // UINT8, of x's shape
  MutableTensorView y_scale;       // FLOAT, a scalar
  MutableTensorView y_zero_point;  // UINT8, a scalar
};

struct DynamicQuantizeLinearOptions {
  int64_t target = 0;  // Target::bit; 0 takes the best
  int threads = 1;     // at most; no bit depends on it
};

// Writes the outputs. x is FLOAT. Neither x nor the outputs need be aligned; no output
// may overlap x or another. Returns an Error, with nothing written, if the target cannot
// run here or the tensors are not as above.
Status DynamicQuantizeLinear(const TensorView& x,
                             const DynamicQuantizeLinearOutputs& outputs,
                             const DynamicQuantizeLinearOptions& options = {});

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
