#include "oracle/operators/mat_mul_integer/mat_mul_integer.h"

#include "oracle/matmul/accumulate.h"

namespace qconform::mat_mul_integer {

Problem ProblemOf(int since_version, const std::string& unknown_attribute,
                  const Operands& operands) {
  return Problem{.since_version = since_version,
                 .a = OperandAt(operands, 0).value_or(TensorView{}),
                 .b = OperandAt(operands, 1).value_or(TensorView{}),
                 .a_zero_point = OperandAt(operands, 2),
                 .b_zero_point = OperandAt(operands, 3),
                 .unknown_attribute = unknown_attribute};
}

Result<Answer> EvaluateMatMulInteger(const Problem& problem, Accumulator accumulator) {
  const auto valid = ValidLayout(Resolve(problem));
  if (!valid) return valid.error();
  const Layout& layout = *valid;
  // A zero point of no stated meaning is left out: every element is free.
  const auto none = std::optional<TensorView>();
  const MatMulOperand a(problem.a, layout.a, true,
                        layout.is_free ? none : problem.a_zero_point,
                        layout.a_zero_point);
  const MatMulOperand b(problem.b, layout.b, false,
                        layout.is_free ? none : problem.b_zero_point,
                        layout.b_zero_point);
  const MatMulAccumulator accumulate(a, b, /*with_magnitude=*/false);

  Answer answer{.type = DataType::kInt32, .shape = layout.y_shape, .elements = {}};
  const int64_t count = *ElementCount(layout.y_shape);
  answer.elements.reserve(static_cast<size_t>(count));
  for (int64_t index = 0; index < count; ++index) {
    const MatMulElement place(layout, index);
    const Int128 sum = accumulate(place.a_line(), place.b_line()).units;
    ElementAnswer& element = answer.elements.emplace_back();
    element.code = static_cast<uint32_t>(static_cast<Uint128>(Narrow(sum, accumulator)));
    if (element.code == 0) element.features |= kFeatureZeroResult;
    if (a.has_zero_point(place.a_line()) || b.has_zero_point(place.b_line())) {
      element.features |= kFeatureZeroPoint;
    }
    const bool overflows = !FitsInt32(sum);
    if (overflows) element.tier = Tier::kAccumulatorOverflow;  // MI-02
    if (overflows || layout.is_free) element.freedom = Freedom::kAnyCode;
  }
  return answer;
}

}  // namespace qconform::mat_mul_integer
