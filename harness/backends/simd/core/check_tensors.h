// What the kernels check of tensors before they write anything. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_CHECK_TENSORS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_CHECK_TENSORS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Returns the same as ElementCount, or -1; without divisions if sizes are small.
int64_t CountOf(std::span<const int64_t> shape);

// An Error if the tensor's bytes are not those that its type and shape ask for. `what`
// names the tensor.
Status CheckTensor(std::string_view what, const TensorView& tensor);

// Whether some bytes of one are bytes of the other, too.
bool Overlap(std::span<const std::byte> a, std::span<const std::byte> b);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_CHECK_TENSORS_H_
