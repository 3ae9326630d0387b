// One-element problems in few words, for the tests of DequantizeLinear.
#ifndef QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_
#define QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "oracle/core/testing/codes_of_values.h"
#include "oracle/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::dequantize_linear {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A question of one element, per tensor, in codes.
struct Question {
  Types types{28, DataType::kInt8, DataType::kFloat, DataType::kFloat};
  uint64_t x = 0;
  uint64_t scale = 0;
  std::optional<uint64_t> zero_point{};
  Readings readings{};
};

inline ElementAnswer Ask(const Question& question) {
  const Types& types = question.types;
  const Tensor x = ScalarCode(types.x, question.x);
  const Tensor scale = ScalarCode(types.x_scale, question.scale);
  Problem problem{
      .since_version = types.since_version, .x = x.view(), .x_scale = scale.view()};
  if (types.since_version >= 23) {
    problem.attributes.output_dtype = static_cast<int64_t>(types.y);
  }
  Tensor zero_point;
  if (question.zero_point) {
    zero_point = ScalarCode(types.x, *question.zero_point);
    problem.x_zero_point = zero_point.view();
  }
  const Result<Answer> answer = EvaluateDequantizeLinear(problem, question.readings);
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return {};
  }
  EXPECT_EQ(answer->type, types.y);
  EXPECT_EQ(answer->elements.size(), 1u);
  return answer->elements.at(0);
}

// The same by values. A type of x that has no such value takes the nearest.
inline ElementAnswer AskValues(const Types& types, double x, double scale,
                               std::optional<double> zero_point = std::nullopt,
                               const Readings& readings = {}) {
  Question question{.types = types,
                    .x = CodeOf(types.x, x),
                    .scale = CodeOf(types.x_scale, scale),
                    .readings = readings};
  if (zero_point) question.zero_point = CodeOf(types.x, *zero_point);
  return Ask(question);
}

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_
