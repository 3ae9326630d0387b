// Asks the kernels of every target that this CPU runs, and compares with the oracle.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_JUDGE_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_JUDGE_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/backends/simd/quantize_linear/testing/questions.h"

namespace qconform::simd {

// Asks every target; at most a few failures, so that the log stays readable.
class Judge {
 public:
  void Ask(const QuantizeLinearQuestion& question, size_t offset = 0, int threads = 1) {
    const Result<Answer> expected = EvaluateQuantizeLinear(question.Problem());
    ASSERT_TRUE(expected) << question.Name() << ": " << expected.error().message;
    for (const Target& target : SupportedTargets()) {
      const std::string difference =
          Difference(question, *expected, target, offset, threads);
      if (!difference.empty() && ++failures_ <= 10) ADD_FAILURE() << difference;
    }
    elements_ += static_cast<int64_t>(expected->elements.size());
  }
  int64_t elements() const { return elements_; }
  int failures() const { return failures_; }

 private:
  int64_t elements_ = 0;
  int failures_ = 0;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_JUDGE_H_
