// Scales and zero points of a product's rows and columns. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SPREAD_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SPREAD_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "harness/backends/simd/matmul/shape.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Returns one value for each row of each matrix of a (kA) or column of each of b (kB);
// one value if all are the same bits. `read` gives an element of `parameter`, which
// CheckLines accepts.
template <typename T, typename Read>
std::vector<T> Spread(Side side, const TensorView& operand, const TensorView& parameter,
                      const Read& read) {
  std::vector<T> values;
  for (const int64_t index : ParameterIndices(side, operand.shape, parameter.shape)) {
    values.push_back(read(parameter, index));
  }
  const bool uniform = std::all_of(values.begin(), values.end(), [&](const T& value) {
    return std::memcmp(&value, values.data(), sizeof(T)) == 0;
  });
  if (uniform) values.resize(1);
  return values;
}

// The code of an element of one byte.
inline uint8_t CodeAt(const TensorView& tensor, int64_t index) {
  return std::to_integer<uint8_t>(tensor.data[static_cast<size_t>(index)]);
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SPREAD_H_
