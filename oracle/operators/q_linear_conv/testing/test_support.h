// Small problems in few words, for the tests of QLinearConv.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_TESTING_TEST_SUPPORT_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_TESTING_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/core/testing/codes_of_values.h"
#include "oracle/operators/q_linear_conv/q_linear_conv.h"

namespace qconform::q_linear_conv {

using List = std::vector<int64_t>;

// A problem that owns its tensors. By default 1 x 1, all scales 1, all zero points 0.
struct Tensors {
  Tensor x = TensorOf(DataType::kUint8, {1, 1, 1}, {1});
  Tensor w = TensorOf(DataType::kInt8, {1, 1, 1}, {1});
  Tensor x_scale = TensorOf(DataType::kFloat, {}, {1});
  Tensor w_scale = TensorOf(DataType::kFloat, {}, {1});
  Tensor y_scale = TensorOf(DataType::kFloat, {}, {1});
  Tensor x_zero_point = Tensor::Zeros(DataType::kUint8, {});
  Tensor w_zero_point = Tensor::Zeros(DataType::kInt8, {});
  Tensor y_zero_point = Tensor::Zeros(DataType::kInt8, {});
  std::optional<Tensor> bias{};
  ConvolutionAttributes attributes{};

  Problem problem() const {
    Problem problem{.since_version = 10,
                    .attributes = attributes,
                    .x = x.view(),
                    .x_scale = x_scale.view(),
                    .x_zero_point = x_zero_point.view(),
                    .w = w.view(),
                    .w_scale = w_scale.view(),
                    .w_zero_point = w_zero_point.view(),
                    .y_scale = y_scale.view(),
                    .y_zero_point = y_zero_point.view()};
    if (bias) problem.bias = bias->view();
    return problem;
  }
};

// One element whose C is this number: a bias, and a product of 0.
inline Tensors TensorsOfSum(int64_t c, DataType y = DataType::kInt8) {
  Tensors tensors;
  tensors.x = TensorOf(DataType::kUint8, {1, 1, 1}, {0});
  tensors.bias = TensorOf(DataType::kInt32, {1}, {static_cast<double>(c)});
  tensors.y_zero_point = Tensor::Zeros(y, {});
  return tensors;
}

inline void SetScales(Tensors& tensors, double x, double w, double y) {
  tensors.x_scale = TensorOf(DataType::kFloat, {}, {x});
  tensors.w_scale = TensorOf(DataType::kFloat, {}, {w});
  tensors.y_scale = TensorOf(DataType::kFloat, {}, {y});
}

inline Answer Evaluate(const Tensors& tensors, const Readings& readings = {}) {
  Result<Answer> answer = EvaluateQLinearConv(tensors.problem(), ParametersOf(readings));
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return {};
  }
  EXPECT_EQ(answer->elements.size(), static_cast<size_t>(*ElementCount(answer->shape)));
  return *std::move(answer);
}

inline List ValuesOf(const Answer& answer) {
  List values;
  for (const ElementAnswer& element : answer.elements) {
    values.push_back(ToInteger(FormatOf(answer.type), element.code));
  }
  return values;
}

}  // namespace qconform::q_linear_conv

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_TESTING_TEST_SUPPORT_H_
