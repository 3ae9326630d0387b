// ConvInteger as an Operator.
#include "oracle/core/operator.h"

#include "oracle/convolution/geometry.h"
#include "oracle/core/validation.h"
#include "oracle/formats/codes.h"

namespace qconform::conv_integer {
namespace {

constexpr int kSinceVersions[] = {10};
constexpr ConvolutionClauses kClauses{.auto_pad = "CI-05", .empty = "CI-07"};

struct Problem {
  TensorView x{};
  TensorView w{};
  std::optional<TensorView> x_zero_point{};
  std::optional<TensorView> w_zero_point{};
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
    Answer y{.type = DataType::kInt32, .shape = geometry->y_shape, .elements = {}};
    for (const ConvolutionSum& sum : ConvolutionSums(*geometry, x, w)) {
      y.elements.push_back({.code = static_cast<uint32_t>(sum.value)});
    }
    return std::vector<Answer>{std::move(y)};
  }

  bool rounds(const Operands&) const override { return false; }

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
    if (const auto x = OperandAt(operands, 0)) problem.x = *x;
    if (const auto w = OperandAt(operands, 1)) problem.w = *w;
    problem.x_zero_point = OperandAt(operands, 2);
    problem.w_zero_point = OperandAt(operands, 3);
    return problem;
  }

  static Result<ConvolutionGeometry> Valid(Resolution resolution) {
    if (resolution.validity.kind == ModelValidity::Kind::kInvalid) {
      return Error{"ConvInteger, " + resolution.validity.clause + ": " +
                   resolution.validity.reason};
    }
    return std::move(resolution.geometry);
  }

  Resolution Resolve(const Problem& problem, bool has_data) const {
    Validation validation("CI-06", since_version_, has_data);
    Resolution resolution;
    if (validation.CheckDefinition("ConvInteger", kSinceVersions) &&
        validation.CheckOperand("x", problem.x) &&
        validation.CheckOperand("w", problem.w)) {
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

class ConvInteger : public Operator {
 public:
  std::string_view op_type() const override { return "ConvInteger"; }
  bool depends_on_order() const override { return false; }

  std::span<const OperandInfo> operands() const override {
    using enum OperandRole;
    static constexpr OperandInfo kOperands[] = {
        {.name = "x", .role = kData},
        {.name = "w", .role = kWeight},
        {.name = "x_zero_point", .role = kZeroPoint, .is_optional = true, .of = 0},
        {.name = "w_zero_point", .role = kZeroPoint, .is_optional = true, .of = 1}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override {
    return {{.id = "CI-01",
             .text = "y = conv(x - x_zero_point, w - w_zero_point), exact, INT32.",
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
  static const ConvInteger op;
  return op;
}

}  // namespace qconform::conv_integer
