// Operands of benchmarks of 8-bit products.
#ifndef QCONFORM_HARNESS_CORE_BENCH_OPERANDS_H_
#define QCONFORM_HARNESS_CORE_BENCH_OPERANDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "oracle/tensor/tensor.h"

namespace qconform {

// The same bytes each time.
inline Tensor RandomBytes(DataType type, Shape shape) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  uint64_t state = 7;
  for (std::byte& byte : tensor.data) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<std::byte>(state >> 56);
  }
  return tensor;
}

// A tensor of one byte an element.
inline Tensor FilledTensor(DataType type, Shape shape, int code) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  std::ranges::fill(tensor.data, static_cast<std::byte>(code));
  return tensor;
}

// FLOAT, all of them about `value`; exactly that if there is one.
inline Tensor ScalesAbout(Shape shape, float value) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, std::move(shape));
  for (size_t i = 0; i < tensor.data.size() / sizeof value; ++i) {
    const float scale = value * (1 + 0.001F * static_cast<float>(i % 64));
    std::memcpy(tensor.data.data() + i * sizeof scale, &scale, sizeof scale);
  }
  return tensor;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_OPERANDS_H_
