#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "oracle/core/target.h"
#include "oracle/formats/codes.h"
#include "oracle/matmul/accumulate.h"
#include "oracle/operators/q_linear_mat_mul/layout.h"
#include "oracle/operators/q_linear_mat_mul/parameters.h"
#include "oracle/requantization/bounds.h"
#include "oracle/requantization/reach.h"
#include "oracle/requantization/requantize.h"

namespace qconform {
namespace {

using Parameters = QLinearMatMulParameters;

// Everything that a matrix product needs, prepared once.
class Evaluation {
 public:
  Evaluation(const QLinearMatMulProblem& problem, const QLinearMatMulLayout& layout,
             const Parameters& parameters, MatMulBounds bounds)
      : problem_(problem),
        layout_(layout),
        parameters_(parameters),
        a_(problem.a, layout.a, true, problem.a_zero_point, layout.a_zero_point),
        b_(problem.b, layout.b, false, problem.b_zero_point, layout.b_zero_point),
        types_{problem.a_scale.type, problem.a.type, problem.b.type, a_.terms()},
        integer_(a_.is_integer() && b_.is_integer()),
        with_bounds_(bounds >= MatMulBounds::kAll ||
                     (bounds == MatMulBounds::kMm10 && !integer_)),
        scale_type_(bounds >= MatMulBounds::kScaleType),
        steps_{bounds == MatMulBounds::kScaleTypeSum ||
                   bounds == MatMulBounds::kScaleTypeSumAndQuotient,
               bounds == MatMulBounds::kScaleTypeQuotient ||
                   bounds == MatMulBounds::kScaleTypeSumAndQuotient},
        accumulate_(a_, b_, with_bounds_),
        requantize_(parameters.requantization),
        target_(problem.y_zero_point.type, parameters.target,
                parameters.requantization.precision_of_v()),
        a_scales_(Values(problem.a_scale)),
        b_scales_(Values(problem.b_scale)),
        y_scales_(Values(problem.y_scale)) {
    for (const uint64_t code : ReadCodes(problem.y_zero_point)) {
      zero_points_.push_back(target_.PrepareZeroPoint(code));
    }
    if (!with_bounds_) return;
    // The P of added_in_p is the type of the quotient.
    const DataType p = steps_.quotient ? problem.a_scale.type : DataType::kFloat;
    bounds_.emplace(problem.a_scale.type, p, parameters.target, target_.format());
    if (bounds != MatMulBounds::kMm10) reach_.emplace(a_, b_);
  }

  Answer Run() {
    Answer answer{
        .type = problem_.y_zero_point.type, .shape = layout_.y_shape, .elements = {}};
    const MatMulStack& y = layout_.y;
    const auto count = static_cast<size_t>(*ElementCount(layout_.y_shape));
    answer.elements.reserve(count);
    if (with_bounds_) answer.bounds.reserve(count);
    for (int64_t matrix = 0; matrix < y.matrices; ++matrix) {
      const auto place = static_cast<size_t>(matrix);
      for (int64_t row = 0; row < y.rows; ++row) {
        for (int64_t column = 0; column < y.columns; ++column) {
          Element({.a_line = layout_.a_matrix[place] * y.rows + row,
                   .b_line = layout_.b_matrix[place] * y.columns + column,
                   .y_line = matrix * y.rows + row},
                  answer);
        }
      }
    }
    return answer;
  }

 private:
  struct Lines {
    int64_t a_line, b_line, y_line;
  };

  static std::vector<ExactValue> Values(const TensorView& tensor) {
    std::vector<ExactValue> values;
    for (const uint64_t code : ReadCodes(tensor)) {
      values.push_back(Decode(FormatOf(tensor.type), code));
    }
    return values;
  }

  // The element of a list that belongs to a line.
  template <typename T>
  static const T& Of(const std::vector<T>& values, const LineIndices& indices,
                     int64_t line) {
    return values[static_cast<size_t>(IndexOfLine(indices, line))];
  }

  void Element(const Lines& lines, Answer& answer) {
    // (1), (2)
    Accumulated c = accumulate_(lines.a_line, lines.b_line);
    const bool overflows = integer_ && !FitsInt32(c.units);
    const Accumulated exact = c;
    if (overflows) {
      c.units = Narrow(c.units, parameters_.accumulator);
      c.value_class = c.units == 0 ? ValueClass::kZero : ValueClass::kFinite;
    }
    // (3)
    const RequantizationScales scales{.a = Of(a_scales_, layout_.a_scale, lines.a_line),
                                      .b = Of(b_scales_, layout_.b_scale, lines.b_line),
                                      .y = Of(y_scales_, layout_.y_scale, lines.y_line)};
    ElementAnswer element{.tier = TierOfScales(types_, scales)};
    const Unrounded v = requantize_(SumOf(c), scales);
    // (4)
    const PreparedZeroPoint& zero_point =
        Of(zero_points_, layout_.y_zero_point, lines.y_line);
    target_.Round(v, zero_point, element);
    if (IsFloat8(target_.format().type) && (element.features & kFeatureZeroResult) != 0) {
      element.code = 0;  // MM-12
      element.zero_sign_is_free = true;
    }
    if (overflows) {  // MM-01b
      element.tier = Tier::kAccumulatorOverflow;
      element.freedom = Freedom::kAnyCode;
    }
    answer.elements.push_back(element);
    if (with_bounds_) {
      const bool offset =
          a_.has_zero_point(lines.a_line) || b_.has_zero_point(lines.b_line);
      const FloatSumBounds::Element of{.sum = exact,
                                       .terms = a_.terms(),
                                       .has_zero_point = offset,
                                       .integer = integer_,
                                       .scales = scales,
                                       .zero_point = zero_point};
      CodeBounds& codes = answer.bounds.emplace_back(
          CodeBounds{element.code, element.code, element.code, element.code});
      if (!scale_type_) codes = bounds_->Of(of, element);
      // An infinite v is a code of its own, whatever the scales are.
      const bool seen = target_.format().has_infinity ||
                        target_.format().nan == NanEncoding::kNegativeZero;
      if (reach_ && (scale_type_ || seen || element.tier == Tier::kDegenerateScale)) {
        const FloatReach reach =
            scale_type_ ? reach_->OfScaleType(types_.scale, steps_, lines.a_line,
                                              lines.b_line, scales)
                        : (*reach_)(lines.a_line, lines.b_line, exact, scales);
        codes.arising = bounds_->CodesOf(reach, of);
      }
    }
  }

  const QLinearMatMulProblem& problem_;
  const QLinearMatMulLayout& layout_;
  const Parameters parameters_;
  const MatMulOperand a_;
  const MatMulOperand b_;
  const TermTypes types_;
  const bool integer_;
  const bool with_bounds_;
  const bool scale_type_;
  const ScaleTypeSteps steps_;
  const MatMulAccumulator accumulate_;
  const Requantizer requantize_;
  const Target target_;
  const std::vector<ExactValue> a_scales_;
  const std::vector<ExactValue> b_scales_;
  const std::vector<ExactValue> y_scales_;
  std::vector<PreparedZeroPoint> zero_points_;
  std::optional<FloatSumBounds> bounds_;
  std::optional<FloatReachOf> reach_;
};

}  // namespace

Result<Answer> EvaluateQLinearMatMulWith(const QLinearMatMulProblem& problem,
                                         const QLinearMatMulParameters& parameters,
                                         MatMulBounds bounds) {
  const QLinearMatMulResolution resolution = Resolve(problem);
  const ModelValidity& validation = resolution.validation;
  if (validation.kind == ModelValidity::Kind::kInvalid) {
    return Error{"QLinearMatMul, " + validation.clause + ": " + validation.reason};
  }
  return Evaluation(problem, resolution.layout, parameters, bounds).Run();
}

Result<Answer> EvaluateQLinearMatMul(const QLinearMatMulProblem& problem,
                                     const QLinearMatMulReadings& readings,
                                     MatMulBounds bounds) {
  return EvaluateQLinearMatMulWith(problem, ParametersOf(readings, problem.a_scale.type),
                                   bounds);
}

}  // namespace qconform
