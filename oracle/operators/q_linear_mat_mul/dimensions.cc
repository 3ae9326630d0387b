#include "oracle/operators/q_linear_mat_mul/dimensions.h"

#include <array>

#include "oracle/matmul/dimensions.h"
#include "oracle/operators/q_linear_mat_mul/layout.h"

namespace qconform {
namespace {

constexpr size_t kA = 0, kAScale = 1, kAZeroPoint = 2;
constexpr size_t kB = 3, kBScale = 4, kBZeroPoint = 5;
constexpr size_t kYScale = 6, kYZeroPoint = 7;

}  // namespace

Result<Dimensions> QLinearMatMulDimensions(const QLinearMatMulProblem& problem) {
  const QLinearMatMulResolution resolution = ResolveWithoutData(problem);
  const ModelValidity& validation = resolution.validation;
  if (validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{"QLinearMatMul, " + validation.clause + ": " + validation.reason};
  }
  const std::array<MatMulParameterPlace, 6> parameters{{
      {kAScale, problem.a_scale.shape, true},
      {kAZeroPoint, problem.a_zero_point.shape, true},
      {kBScale, problem.b_scale.shape, false},
      {kBZeroPoint, problem.b_zero_point.shape, false},
      {kYScale, problem.y_scale.shape, true},
      {kYZeroPoint, problem.y_zero_point.shape, true},
  }};
  return MatMulDimensions(resolution.layout, {kA, problem.a.shape}, {kB, problem.b.shape},
                          parameters);
}

}  // namespace qconform
