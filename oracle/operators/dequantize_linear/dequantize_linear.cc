#include "oracle/operators/dequantize_linear/dequantize_linear.h"

#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/operators/dequantize_linear/element.h"
#include "oracle/operators/dequantize_linear/layout.h"
#include "oracle/operators/dequantize_linear/parameters.h"

namespace qconform::dequantize_linear {
namespace {

// Prepares each element of a scale or zero point.
template <typename Prepare>
auto PrepareAll(const TensorView& tensor, Prepare prepare) {
  std::vector<decltype(prepare(0))> prepared;
  for (const uint64_t code : ReadCodes(tensor)) prepared.push_back(prepare(code));
  return prepared;
}

Answer EvaluateAll(const Problem& problem, const Layout& layout,
                   const Parameters& parameters) {
  Answer answer{.type = layout.y,
                .shape = Shape(problem.x.shape.begin(), problem.x.shape.end()),
                .elements = {}};
  answer.elements.resize(static_cast<size_t>(*ElementCount(problem.x.shape)));
  if (answer.elements.empty()) return answer;  // the other dimensions may be huge

  const Element element(problem.x.type, problem.x_scale.type, layout.y, parameters);
  const auto scales = PrepareAll(
      problem.x_scale, [&](uint64_t code) { return element.PrepareScale(code); });
  std::vector<PreparedZeroPoint> zero_points(1);
  if (problem.x_zero_point) {
    zero_points = PrepareAll(*problem.x_zero_point, [&](uint64_t code) {
      return element.PrepareZeroPoint(code);
    });
  }
  const bool one_zero_point = !problem.x_zero_point || layout.zero_point_is_scalar;
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

Result<Answer> EvaluateDequantizeLinear(const Problem& problem,
                                        const Readings& readings) {
  const auto layout = ValidLayout(Resolve(problem));
  if (!layout) return layout.error();
  return EvaluateAll(problem, *layout,
                     ParametersOf(readings, {problem.since_version, problem.x.type,
                                             problem.x_scale.type, layout->y}));
}

}  // namespace qconform::dequantize_linear
