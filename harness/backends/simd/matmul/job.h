// A quantized product with its scales and zero points read and spread over rows and
// columns. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_JOB_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_JOB_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/backends/simd/matmul/exact.h"
#include "harness/backends/simd/matmul/panels.h"
#include "harness/backends/simd/matmul/requantization.h"
#include "harness/backends/simd/matmul/shape.h"

namespace qconform::simd {

struct MatMulJob {
  MatMulShape shape;
  TensorView a, b;
  // kInt32: y has the sums themselves, and the job no scales.
  DataType y_type = DataType::kUint8;
  std::byte* y = nullptr;
  // One value, or one for each row of each matrix of a, column of each of b.
  std::vector<float> a_scale, b_scale;
  std::vector<uint8_t> a_zero_point, b_zero_point;  // codes
  // Added to the sums: nothing, or one for each row of each matrix of a. With a bias b
  // has one zero point.
  std::vector<int32_t> bias;
  float y_scale = 1;
  uint8_t y_zero_point = 0;  // code
  Requantization requantization = Requantization::kExact;
  int threads = 1;
  mutable std::atomic<int64_t> repaired = 0;

  const uint8_t* AMatrix(int64_t matrix) const {
    return reinterpret_cast<const uint8_t*>(a.data.data()) + matrix * shape.m * shape.k;
  }
  const uint8_t* BMatrix(int64_t matrix) const {
    return reinterpret_cast<const uint8_t*>(b.data.data()) + matrix * shape.k * shape.n;
  }
};

// Returns the value for line `index` of a parameter of MatMulJob.
template <typename T>
T ParameterAt(const std::vector<T>& values, int64_t index) {
  return values.size() == 1 ? values[0] : values[static_cast<size_t>(index)];
}

// MM-02's f32_multiplier.
inline float FloatMultiplier(float a_scale, float b_scale, float y_scale) {
  const float product = a_scale * b_scale;
  return product / y_scale;
}

// a and b are integers: int32 sums modulo 2^32. `packed` is b's, and of the
// kernels of that target.
void MultiplyIntegers(const MatMulJob& job, const Panels& packed);

// Lays out the panel of `width` columns of matrix `matrix` of b, of which the `valid`
// ones from `column` on exist.
using MakePanel = std::function<void(int64_t matrix, size_t column, size_t valid,
                                     size_t width, uint32_t* words)>;

// The same if a is laid out before, and a panel of b only when it is multiplied: job.b
// has a type, but no data. `form` is as LayOutPanels makes it; new_maker is called once
// by each thread.
void MultiplyIntegers(const MatMulJob& job, const Rows& rows, const Panels& form,
                      const std::function<MakePanel()>& new_maker);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_JOB_H_
