#include "oracle/operators/conv_integer/conv_integer.h"

#include "oracle/convolution/operands.h"
#include "oracle/matmul/accumulate.h"

namespace qconform::conv_integer {
namespace {

ElementAnswer AnswerFor(Int128 sum, Accumulator accumulator, bool has_zero_point) {
  ElementAnswer element;
  element.code = static_cast<uint32_t>(static_cast<Uint128>(Narrow(sum, accumulator)));
  if (element.code == 0) element.features |= kFeatureZeroResult;
  if (has_zero_point) element.features |= kFeatureZeroPoint;
  if (!FitsInt32(sum)) {
    element.tier = Tier::kAccumulatorOverflow;
    element.freedom = Freedom::kAnyCode;
  }
  return element;
}

}  // namespace

Problem ProblemOf(int since_version, const ConvolutionAttributes& attributes,
                  const Operands& operands) {
  return {.since_version = since_version,
          .attributes = attributes,
          .x = OperandAt(operands, 0).value_or(TensorView{}),
          .w = OperandAt(operands, 1).value_or(TensorView{}),
          .x_zero_point = OperandAt(operands, 2),
          .w_zero_point = OperandAt(operands, 3)};
}

Result<Answer> EvaluateConvInteger(const Problem& problem, Accumulator accumulator) {
  const auto geometry = ValidGeometry(Resolve(problem));
  if (!geometry) return geometry.error();
  const ConvolutionOperands operands(*geometry, problem.x, problem.x_zero_point,
                                     problem.w, problem.w_zero_point);
  Answer answer{.type = DataType::kInt32, .shape = geometry->y_shape, .elements = {}};
  answer.elements.resize(static_cast<size_t>(*ElementCount(geometry->y_shape)));
  if (answer.elements.empty()) return answer;
  for (int64_t position = 0; position < geometry->positions(); ++position) {
    const MatMulOperand windows = operands.Windows(position);
    const MatMulAccumulator accumulate(windows, operands.w(), /*with_magnitude=*/false);
    for (int64_t n = 0; n < geometry->batches; ++n) {
      for (int64_t m = 0; m < geometry->output_channels; ++m) {
        const ConvolutionElement element{n, m, position};
        const int64_t line = operands.LineOf(element);
        const bool has_zero_point =
            windows.has_zero_point(line) || operands.w().has_zero_point(m);
        answer.elements[static_cast<size_t>(IndexOf(*geometry, element))] =
            AnswerFor(accumulate(line, m).units, accumulator, has_zero_point);
      }
    }
  }
  return answer;
}

}  // namespace qconform::conv_integer
