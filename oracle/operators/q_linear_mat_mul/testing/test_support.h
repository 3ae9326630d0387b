// Small problems in few words, for the tests of QLinearMatMul.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_TEST_SUPPORT_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {

// A problem that owns its tensors. By default 1 x 1 by 1 x 1, all scales one, all
// zero points zero.
struct MatMulTensors {
  int since_version = 21;
  Tensor a = TensorOf(DataType::kUint8, {1, 1}, {0});
  Tensor b = TensorOf(DataType::kInt8, {1, 1}, {0});
  Tensor a_scale = TensorOf(DataType::kFloat, {}, {1});
  Tensor b_scale = TensorOf(DataType::kFloat, {}, {1});
  Tensor y_scale = TensorOf(DataType::kFloat, {}, {1});
  Tensor a_zero_point = Tensor::Zeros(DataType::kUint8, {});
  Tensor b_zero_point = Tensor::Zeros(DataType::kInt8, {});
  Tensor y_zero_point = Tensor::Zeros(DataType::kInt8, {});

  QLinearMatMulProblem problem() const {
    return {.since_version = since_version,
            .a = a.view(),
            .a_scale = a_scale.view(),
            .a_zero_point = a_zero_point.view(),
            .b = b.view(),
            .b_scale = b_scale.view(),
            .b_zero_point = b_zero_point.view(),
            .y_scale = y_scale.view(),
            .y_zero_point = y_zero_point.view()};
  }
};

// Operands of these types and shapes, zero points zero.
inline MatMulTensors MatMulOf(DataType a_type, Shape a_shape,
                              const std::vector<double>& a, DataType b_type,
                              Shape b_shape, const std::vector<double>& b,
                              DataType y_type = DataType::kInt8) {
  MatMulTensors tensors;
  tensors.a = TensorOf(a_type, std::move(a_shape), a);
  tensors.b = TensorOf(b_type, std::move(b_shape), b);
  tensors.a_zero_point = Tensor::Zeros(a_type, {});
  tensors.b_zero_point = Tensor::Zeros(b_type, {});
  tensors.y_zero_point = Tensor::Zeros(y_type, {});
  return tensors;
}

// [1,K] UINT8 by [K,1] INT8 whose product is C: many 255 * 127, and a rest.
inline MatMulTensors ProductOf(int64_t c, DataType y_type = DataType::kInt8) {
  std::vector<double> a, b;
  const double sign = c < 0 ? -1 : 1;
  int64_t rest = std::abs(c);
  for (; rest >= 255 * 127; rest -= 255 * 127) {
    a.push_back(255);
    b.push_back(sign * 127);
  }
  a.push_back(255);
  b.push_back(sign * static_cast<double>(rest / 255));
  a.push_back(static_cast<double>(rest % 255));
  b.push_back(sign);
  const auto k = static_cast<int64_t>(a.size());
  return MatMulOf(DataType::kUint8, {1, k}, a, DataType::kInt8, {k, 1}, b, y_type);
}

inline void SetScales(MatMulTensors& tensors, DataType type, double a, double b,
                      double y) {
  tensors.a_scale = TensorOf(type, {}, {a});
  tensors.b_scale = TensorOf(type, {}, {b});
  tensors.y_scale = TensorOf(type, {}, {y});
}

inline Answer Evaluate(const MatMulTensors& tensors,
                       const QLinearMatMulReadings& readings = {},
                       MatMulBounds bounds = MatMulBounds::kNone) {
  Result<Answer> answer = EvaluateQLinearMatMul(tensors.problem(), readings, bounds);
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return {};
  }
  return *answer;
}

// The codes of y; integers sign-extended.
inline std::vector<int64_t> Codes(const Answer& answer) {
  std::vector<int64_t> codes;
  for (const ElementAnswer& element : answer.elements) {
    codes.push_back(IsInteger(answer.type)
                        ? ToInteger(FormatOf(answer.type), element.code)
                        : static_cast<int64_t>(element.code));
  }
  return codes;
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_TEST_SUPPORT_H_
