// One-element and small problems in few words, for the tests of QuantizeLinear.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/core/testing/codes_of_values.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

// A question of one element, per tensor, in codes.
struct Question {
  int since_version = 28;
  DataType x_type = DataType::kFloat;
  uint64_t x = 0;
  DataType scale_type = DataType::kFloat;
  uint64_t scale = 0;
  DataType y_type = DataType::kUint8;
  std::optional<uint64_t> zero_point{};  // absent: output_dtype names y_type
  QuantizeLinearAttributes attributes{};
  QuantizeLinearReadings readings{};
};

inline ElementAnswer Ask(const Question& question) {
  const Tensor x = ScalarCode(question.x_type, question.x);
  const Tensor scale = ScalarCode(question.scale_type, question.scale);
  QuantizeLinearProblem problem{.since_version = question.since_version,
                                .x = x.view(),
                                .y_scale = scale.view(),
                                .y_zero_point = std::nullopt,
                                .attributes = question.attributes};
  Tensor zero_point;
  if (question.zero_point || question.since_version < 21) {
    zero_point = ScalarCode(question.y_type, question.zero_point.value_or(0));
    problem.y_zero_point = zero_point.view();
  } else {
    problem.attributes.output_dtype = static_cast<int64_t>(question.y_type);
  }
  const Result<Answer> answer = EvaluateQuantizeLinear(problem, question.readings);
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return {};
  }
  EXPECT_EQ(answer->type, question.y_type);
  EXPECT_EQ(answer->elements.size(), 1u);
  return answer->elements.at(0);
}

// FLOAT x and scale, by value.
inline ElementAnswer AskFloat(float x, float scale, DataType y_type,
                              std::optional<uint64_t> zero_point = std::nullopt,
                              QuantizeLinearAttributes attributes = {},
                              QuantizeLinearReadings readings = {}) {
  return Ask({.x = FloatBits(x),
              .scale = FloatBits(scale),
              .y_type = y_type,
              .zero_point = zero_point,
              .attributes = attributes,
              .readings = readings});
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_
