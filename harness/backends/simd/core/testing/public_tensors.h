// What the tests of the operators' public headers share.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_PUBLIC_TENSORS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_PUBLIC_TENSORS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "qconform/tensors.h"

namespace qconform::kernels {

using Shape = std::vector<int64_t>;

template <typename T>
Input In(Type type, std::span<const int64_t> shape, const T& values) {
  return {type, shape, std::as_bytes(std::span(values))};
}

}  // namespace qconform::kernels

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_PUBLIC_TENSORS_H_
