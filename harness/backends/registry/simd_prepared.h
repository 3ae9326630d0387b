// Nodes made ready for the built-in kernels. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_PREPARED_H_
#define QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_PREPARED_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"

namespace qconform {

// Every output of a kernel: poisoned before, with guards around it.
class GuardedOutput {
 public:
  // Precondition: the shape's size does not overflow.
  GuardedOutput(DataType type, Shape shape);

  MutableTensorView view() { return {type_, shape_, bytes()}; }
  // Takes the tensor; a BackendError where a byte outside of it was written.
  RunResult Take();

 private:
  std::span<std::byte> bytes() {
    return std::span(buffer_).subspan(kGuardBytes, buffer_.size() - 2 * kGuardBytes);
  }

  static constexpr size_t kGuardBytes = 64;
  DataType type_;
  Shape shape_;
  std::vector<std::byte> buffer_;
};

// What a kernel's refusal is called outside.
RunResult ToRunResult(const simd::Refusal& refusal);

PrepareResult PrepareQuantizeLinear(const Model& model, int since_version,
                                    const simd::QuantizeLinearOptions& options);
// A `b` that is a constant of the model is laid out here, once.
PrepareResult PrepareQLinearMatMul(const Model& model, int since_version,
                                   const simd::QLinearMatMulOptions& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_PREPARED_H_
