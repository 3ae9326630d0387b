// The instructions that a quantizer cannot do without, timed.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_INSTRUCTION_LOOP_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_INSTRUCTION_LOOP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

class InstructionLoop {
 public:
  // Uses the first 4096 elements of x. `target` is a target's bit; 0 takes the best. An
  // Error if the target or a type has no such loop.
  static Result<InstructionLoop> Of(int64_t target, const Tensor& x, DataType y);

  // Returns the seconds of one element on this thread, measured now: the mean of 100
  // calls of 4096 elements, which take some 10 to 50 microseconds.
  double Time();

 private:
  static constexpr size_t kElements = 4096;
  struct alignas(64) Operand {
    std::array<std::byte, 4 * kElements> bytes = {};
  };

  InstructionLoop() = default;

  void (*function_)(const std::byte* x, float factor, std::byte* y) = nullptr;
  std::unique_ptr<Operand> x_ = std::make_unique<Operand>();
  std::unique_ptr<Operand> y_ = std::make_unique<Operand>();
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_LIMITS_INSTRUCTION_LOOP_H_
