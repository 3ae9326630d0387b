// The requantization stage that the kernels run for one choice of scales, to be
// called directly on sums, so that a proof proves the code that runs. Products and
// their sums are not part of it.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SUMS_FUNCTION_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SUMS_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform::simd {

class SumsFunction {
 public:
  // Scales of FLOAT; y is UINT8, INT8 or a float8, y_zero_point its code. `target`
  // is a Target::bit that can run here.
  static Result<SumsFunction> Of(float a_scale, float b_scale, float y_scale, DataType y,
                                 uint8_t y_zero_point, int64_t target);
  SumsFunction(SumsFunction&&) noexcept;
  ~SumsFunction();

  // Writes the codes of n sums. Default floating-point modes are needed
  // (fp_environment.h).
  void operator()(const int32_t* sums, size_t n, uint8_t* codes);

  // Which of the stage's ways the scales take: "fused", "enclosed", "exact".
  std::string way() const;
  // Elements that fast arithmetic left to integers so far.
  int64_t repaired() const;

 private:
  struct State;
  explicit SumsFunction(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_SUMS_FUNCTION_H_
