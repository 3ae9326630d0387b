// What the tests of the public API share.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_PUBLIC_API_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_PUBLIC_API_H_

#include <cstdint>
#include <span>
#include <vector>

#include "qconform/quantize_linear.h"

namespace qconform::kernels {

using Shape = std::vector<int64_t>;

template <typename T>
Input In(Type type, std::span<const int64_t> shape, const T& values) {
  return {type, shape, std::as_bytes(std::span(values))};
}

}  // namespace qconform::kernels

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_PUBLIC_API_H_
