// One-element and small problems in few words, for the tests of QuantizeLinear.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_TESTING_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

inline uint32_t FloatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float FloatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// The code of a value that `type` holds exactly, or of the nearest one.
inline uint64_t CodeOf(DataType type, double value) {
  if (type == DataType::kFloat8E8M0)
    return static_cast<uint64_t>(std::ilogb(value) + 127);
  Unrounded exact{.negative = std::signbit(value)};
  if (std::isnan(value)) {
    exact.value_class = ValueClass::kNan;
  } else if (std::isinf(value)) {
    exact.value_class = ValueClass::kInfinity;
  } else if (value != 0) {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    exact.value_class = ValueClass::kFinite;
    exact.significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
    exact.exponent = exponent - 53;
  }
  const bool integer = IsInteger(type);
  return Round(FormatOf(type), exact, RoundingMode::kNearestEven,
               integer ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating);
}

inline Tensor TensorOf(DataType type, Shape shape, const std::vector<double>& values) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), CodeOf(type, values[i]));
  }
  return tensor;
}

inline Tensor ScalarCode(DataType type, uint64_t code) {
  Tensor tensor = Tensor::Zeros(type, {});
  WriteCode(tensor.mutable_view(), 0, code);
  return tensor;
}

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
