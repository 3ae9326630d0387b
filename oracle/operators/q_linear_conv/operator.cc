// QLinearConv as an Operator.
#include "oracle/core/operator.h"

#include <array>

#include "oracle/convolution/geometry.h"
#include "oracle/core/target.h"
#include "oracle/core/validation.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::q_linear_conv {
namespace {

constexpr int kSinceVersions[] = {10};
constexpr ConvolutionClauses kClauses{.auto_pad = "QC-05", .empty = "QC-05"};

struct Problem {
  TensorView x{};
  TensorView x_scale{};
  TensorView x_zero_point{};
  TensorView w{};
  TensorView w_scale{};
  TensorView w_zero_point{};
  TensorView y_scale{};
  TensorView y_zero_point{};
  std::optional<TensorView> bias{};
};

struct Resolution {
  ModelValidity validity;
  ConvolutionGeometry geometry;  // meaningless if the model is invalid
};

class Bound : public BoundOperator {
 public:
  Bound(int since_version, ConvolutionAttributes attributes)
      : since_version_(since_version), attributes_(std::move(attributes)) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    return Resolve(ProblemOf(operands), true).validity;
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet&) const override {
    const Problem problem = ProblemOf(operands);
    const auto geometry = Valid(Resolve(problem, true));
    if (!geometry) return geometry.error();
    const std::vector<int32_t> x = Differences(problem.x, problem.x_zero_point, 1);
    const std::vector<int32_t> w =
        Differences(problem.w, problem.w_zero_point, geometry->output_channels);
    const auto scale = [](const TensorView& of, int64_t index) {
      return Decode(FormatOf(of.type), ReadCode(of, index));
    };
    const int64_t positions = *ElementCount(std::span(geometry->y_shape).subspan(2));
    const bool single = *ElementCount(problem.w_scale.shape) == 1;
    const Target target(problem.y_zero_point.type, {}, DataType::kUndefined);
    const auto zero_point = target.PrepareZeroPoint(ReadCode(problem.y_zero_point, 0));
    Answer y{
        .type = problem.y_zero_point.type, .shape = geometry->y_shape, .elements = {}};
    for (const ConvolutionSum& sum : ConvolutionSums(*geometry, x, w)) {
      const auto at = static_cast<int64_t>(y.elements.size());
      const int64_t m = at / positions % geometry->output_channels;
      int64_t c = sum.value;
      if (problem.bias) c += static_cast<int32_t>(ReadCode(*problem.bias, m));
      const ExactValue x_scale = scale(problem.x_scale, 0);
      const ExactValue w_scale = scale(problem.w_scale, single ? 0 : m);
      ElementAnswer element;
      const Unrounded product{
          .value_class = c == 0 ? ValueClass::kZero : ValueClass::kFinite,
          .negative = c < 0,
          .significand = static_cast<Uint128>(c < 0 ? -c : c) * x_scale.significand *
                         w_scale.significand,
          .exponent = x_scale.exponent + w_scale.exponent};
      target.Round(DivideWide(product, scale(problem.y_scale, 0)), zero_point, element);
      y.elements.push_back(element);
    }
    return std::vector<Answer>{std::move(y)};
  }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>(1);
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const Problem problem = ProblemOf(operands);
    const auto geometry = Valid(Resolve(problem, true));
    if (!geometry) return geometry.error();
    const auto pairs = PairsOf(*geometry, ElementOf(*geometry, index));
    std::vector<ElementOperand> elements;
    for (size_t i = 0; i < pairs.size() && i < 4; ++i) {
      if (pairs[i].x >= 0) {
        elements.push_back({"x", problem.x.type, ReadCode(problem.x, pairs[i].x)});
      }
      elements.push_back({"w", problem.w.type, ReadCode(problem.w, pairs[i].w)});
    }
    return elements;
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands&, size_t,
                                             int64_t) const override {
    return Error{"not yet"};
  }

  Result<Dimensions> DimensionsOf(const Operands&) const override { return Dimensions(); }

 private:
  static Problem ProblemOf(const Operands& operands) {
    Problem problem;
    const std::array<TensorView*, 8> into{
        &problem.x,       &problem.x_scale,     &problem.x_zero_point,
        &problem.w,       &problem.w_scale,     &problem.w_zero_point,
        &problem.y_scale, &problem.y_zero_point};
    for (size_t i = 0; i < into.size(); ++i) {
      if (const auto operand = OperandAt(operands, i)) *into[i] = *operand;
    }
    problem.bias = OperandAt(operands, 8);
    return problem;
  }

  static Result<ConvolutionGeometry> Valid(Resolution resolution) {
    if (resolution.validity.kind == ModelValidity::Kind::kInvalid) {
      return Error{"QLinearConv, " + resolution.validity.clause + ": " +
                   resolution.validity.reason};
    }
    return std::move(resolution.geometry);
  }

  Resolution Resolve(const Problem& problem, bool has_data) const {
    Validation validation("QC-09", since_version_, has_data);
    Resolution resolution;
    if (validation.CheckDefinition("QLinearConv", kSinceVersions) &&
        validation.CheckOperand("x", problem.x) &&
        validation.CheckOperand("x_scale", problem.x_scale) &&
        validation.CheckOperand("x_zero_point", problem.x_zero_point) &&
        validation.CheckOperand("w", problem.w) &&
        validation.CheckOperand("w_scale", problem.w_scale) &&
        validation.CheckOperand("w_zero_point", problem.w_zero_point) &&
        validation.CheckOperand("y_scale", problem.y_scale) &&
        validation.CheckOperand("y_zero_point", problem.y_zero_point)) {
      if (auto geometry = ResolveConvolution(attributes_, problem.x.shape,
                                             problem.w.shape, kClauses, validation)) {
        resolution.geometry = *std::move(geometry);
      }
    }
    resolution.validity = validation.validity();
    return resolution;
  }

  // Elements less their zero points, of which there is one for each of `channels` or one.
  static std::vector<int32_t> Differences(const TensorView& tensor,
                                          const std::optional<TensorView>& zero_points,
                                          int64_t channels) {
    const auto value = [](const TensorView& of, int64_t index) {
      const auto code = static_cast<uint8_t>(ReadCode(of, index));
      return of.type == DataType::kInt8 ? static_cast<int8_t>(code) : int32_t{code};
    };
    const int64_t count = *ElementCount(tensor.shape);
    std::vector<int32_t> differences;
    for (int64_t i = 0; i < count; ++i) {
      int32_t zero = 0;
      if (zero_points) {
        const bool single = *ElementCount(zero_points->shape) == 1;
        zero = value(*zero_points, single ? 0 : i / (count / channels));
      }
      differences.push_back(value(tensor, i) - zero);
    }
    return differences;
  }

  int since_version_;
  ConvolutionAttributes attributes_;
};

class QLinearConv : public Operator {
 public:
  std::string_view op_type() const override { return "QLinearConv"; }

  std::span<const OperandInfo> operands() const override {
    using enum OperandRole;
    static constexpr OperandInfo kOperands[] = {
        {.name = "x", .role = kData},
        {.name = "x_scale", .role = kScale, .of = 0},
        {.name = "x_zero_point", .role = kZeroPoint, .of = 0},
        {.name = "w", .role = kWeight},
        {.name = "w_scale", .role = kScale, .of = 3},
        {.name = "w_zero_point", .role = kZeroPoint, .of = 3},
        {.name = "y_scale", .role = kScale},
        {.name = "y_zero_point", .role = kZeroPoint},
        {.name = "B", .role = kBias, .is_optional = true}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override {
    return {{.id = "QC-02",
             .text = "The integer convolution is exact inside INT32.",
             .source = "description",
             .since_versions = {10},
             .tests = {"ConvolutionGeometry.Plain"}}};
  }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute> attributes,
                                                    int since_version) const override {
    auto read = ReadConvolutionAttributes(attributes);
    if (!read) return read.error();
    return std::unique_ptr<const BoundOperator>(
        std::make_unique<Bound>(since_version, *std::move(read)));
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const QLinearConv op;
  return op;
}

}  // namespace qconform::q_linear_conv
