// Single elements of float tensors, for code that is not worth vectors. Private to this
// folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FLOAT_AT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FLOAT_AT_H_

#include <cstdint>

#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Returns element `index` of a tensor of FLOAT, FLOAT16 or BFLOAT16, which is exact in
// FLOAT. Precondition: the tensor is of one of these types and has that element.
float FloatAt(const TensorView& tensor, int64_t index);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_FLOAT_AT_H_
