#include "oracle/operators/q_linear_mat_mul/problem.h"

#include <array>

namespace qconform {

QLinearMatMulProblem QLinearMatMulProblemOf(int since_version, const Operands& operands) {
  QLinearMatMulProblem problem{.since_version = since_version};
  const std::array<TensorView*, 8> into{
      &problem.a,       &problem.a_scale,     &problem.a_zero_point,
      &problem.b,       &problem.b_scale,     &problem.b_zero_point,
      &problem.y_scale, &problem.y_zero_point};
  for (size_t i = 0; i < into.size(); ++i) {
    if (const auto operand = OperandAt(operands, i)) *into[i] = *operand;
  }
  return problem;
}

}  // namespace qconform
