#include "oracle/operators/quantize_linear/quantize_linear.h"

#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/operators/quantize_linear/element.h"
#include "oracle/operators/quantize_linear/layout.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform {
namespace {

Error ErrorOf(const ModelValidity& validation) {
  return {"QuantizeLinear, " + validation.clause + ": " + validation.reason};
}

Answer EvaluateAll(const QuantizeLinearProblem& problem,
                   const QuantizeLinearLayout& layout,
                   const QuantizeLinearParameters& parameters) {
  const QuantizeLinearElement element(problem.x.type, problem.y_scale.type, layout.y,
                                      parameters);
  // (1) What belongs to a scale, once.
  const int64_t scale_count = *ElementCount(problem.y_scale.shape);
  std::vector<PreparedScale> scales(static_cast<size_t>(scale_count));
  for (int64_t i = 0; i < scale_count; ++i) {
    scales[static_cast<size_t>(i)] = element.PrepareScale(ReadCode(problem.y_scale, i));
  }
  std::vector<PreparedZeroPoint> zero_points(1);
  if (problem.y_zero_point) {
    const int64_t count = *ElementCount(problem.y_zero_point->shape);
    zero_points.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      zero_points[static_cast<size_t>(i)] =
          element.PrepareZeroPoint(ReadCode(*problem.y_zero_point, i));
    }
  }
  const bool one_zero_point = !problem.y_zero_point || layout.zero_point_is_scalar;

  // (2) The elements, row-major.
  Answer answer{.type = layout.y,
                .shape = Shape(problem.x.shape.begin(), problem.x.shape.end()),
                .elements = {}};
  answer.elements.resize(static_cast<size_t>(*ElementCount(problem.x.shape)));
  if (answer.elements.empty()) return answer;  // the other dimensions may be huge
  const std::vector<uint64_t> x = ReadCodes(problem.x);
  size_t index = 0;
  for (int64_t o = 0; o < layout.outer; ++o) {
    for (int64_t i = 0; i < layout.axis; ++i) {
      for (int64_t j = 0; j < layout.inner; ++j, ++index) {
        const auto scale = static_cast<size_t>(layout.ScaleIndex(o, i, j));
        element.Evaluate(x[index], scales[scale], zero_points[one_zero_point ? 0 : scale],
                         answer.elements[index]);
      }
    }
  }
  return answer;
}

}  // namespace

Result<Answer> EvaluateQuantizeLinear(const QuantizeLinearProblem& problem,
                                      const QuantizeLinearReadings& readings) {
  const QuantizeLinearResolution resolution = Resolve(problem);
  if (resolution.validation.kind == ModelValidity::Kind::kInvalid) {
    return ErrorOf(resolution.validation);
  }
  return EvaluateAll(
      problem, resolution.layout,
      ParametersOf(readings, problem.since_version, problem.x.type, problem.y_scale.type,
                   resolution.layout.y, problem.attributes.precision,
                   problem.attributes.saturate));
}

}  // namespace qconform
