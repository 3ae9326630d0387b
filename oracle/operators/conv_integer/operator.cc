// ConvInteger as an Operator.
#include "oracle/core/operator.h"

#include <span>
#include <utility>

#include "oracle/convolution/dimensions.h"
#include "oracle/convolution/isolate.h"
#include "oracle/convolution/parameters.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/conv_integer/clauses.h"
#include "oracle/operators/conv_integer/conv_integer.h"

namespace qconform::conv_integer {
namespace {

constexpr size_t kX = 0, kW = 1, kXZeroPoint = 2, kWZeroPoint = 3;

class Bound : public BoundOperator {
 public:
  Bound(int since_version, ConvolutionAttributes attributes)
      : since_version_(since_version), attributes_(std::move(attributes)) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    return Resolve(Asked(operands)).validity;
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet&) const override {
    return EvaluateBy(operands, Accumulator::kModulo32);
  }

  bool rounds(const Operands&) const override { return false; }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>(1);
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const auto one = ElementAt(operands, index);
    if (!one) return one.error();
    const Problem& problem = one->problem;
    std::vector<ElementOperand> elements =
        ShownPairs(one->geometry, problem.x, problem.w, one->element);
    const auto add = [&](const char* name, const std::optional<TensorView>& zero_point,
                         int64_t at) {
      if (!zero_point) return;
      elements.push_back({name, zero_point->type, ReadCode(*zero_point, at)});
    };
    add("x_zero_point", problem.x_zero_point, 0);
    add("w_zero_point", problem.w_zero_point, WZeroPoint(*one));
    return elements;
  }

  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands&, size_t, int64_t, const ElementAnswer& answer) const override {
    if (answer.freedom != Freedom::kAnyCode) return std::optional<FreeInput>();
    return std::optional(FreeInput{"CI-01b", "sums beyond INT32", true});
  }

  Result<std::vector<KnownAnswer>> KnownAnswers(const Operands& operands,
                                                const FreeInput& free) const override {
    return KnownAnswersOf(free, kInt32Accumulators, [&](Accumulator accumulator) {
      return EvaluateBy(operands, accumulator);
    });
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t,
                                             int64_t index) const override {
    const auto one = ElementAt(operands, index);
    if (!one) return one.error();
    const Problem& problem = one->problem;
    std::vector<Tensor> isolated(4);
    isolated[kX] = IsolateWindow(one->geometry, problem.x, one->element);
    isolated[kW] = IsolateKernel(one->geometry, problem.w, one->element);
    const auto isolate = [&](size_t operand, const std::optional<TensorView>& zero_point,
                             int64_t at) {
      if (!zero_point) return;
      isolated[operand] = Tensor::Zeros(zero_point->type, {});
      WriteCode(isolated[operand].mutable_view(), 0, ReadCode(*zero_point, at));
    };
    isolate(kXZeroPoint, problem.x_zero_point, 0);
    isolate(kWZeroPoint, problem.w_zero_point, WZeroPoint(*one));
    return isolated;
  }

  Result<std::vector<Attribute>> IsolatedAttributes(const Operands& operands, size_t,
                                                    int64_t index) const override {
    const auto one = ElementAt(operands, index);
    if (!one) return one.error();
    return IsolatedConvolutionAttributes(one->geometry, one->element);
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const Problem problem = Asked(operands);
    const auto geometry = ValidGeometry(ResolveWithoutData(problem));
    if (!geometry) return geometry.error();
    std::vector<ChannelParameterPlace> parameters;
    if (problem.w_zero_point) {
      parameters.push_back({kWZeroPoint, problem.w_zero_point->shape});
    }
    return ConvolutionDimensions(*geometry, kX, kW, parameters);
  }

 private:
  struct One {
    Problem problem;
    ConvolutionGeometry geometry;
    ConvolutionElement element;
  };

  Problem Asked(const Operands& operands) const {
    return ProblemOf(since_version_, attributes_, operands);
  }

  // An element of a valid problem.
  Result<One> ElementAt(const Operands& operands, int64_t index) const {
    const Problem problem = Asked(operands);
    auto geometry = ValidGeometry(Resolve(problem));
    if (!geometry) return geometry.error();
    const ConvolutionElement element = ElementOf(*geometry, index);
    return One{problem, *std::move(geometry), element};
  }

  static int64_t WZeroPoint(const One& one) {
    if (!one.problem.w_zero_point) return 0;
    return IndexOfChannel(one.problem.w_zero_point->shape, one.element.output_channel);
  }

  Result<std::vector<Answer>> EvaluateBy(const Operands& operands,
                                         Accumulator accumulator) const {
    return AnswersOf(EvaluateConvInteger(Asked(operands), accumulator));
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
        {.name = "x_zero_point", .role = kZeroPoint, .is_optional = true, .of = kX},
        {.name = "w_zero_point", .role = kZeroPoint, .is_optional = true, .of = kW}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}};
    return kOutputs;
  }

  std::vector<Clause> clauses() const override { return AllClauses(); }

  std::span<const std::string_view> layout_attributes() const override {
    return ConvolutionLayoutAttributes();
  }

  std::string_view ClauseOffendedAt(size_t, DataType, const ElementAnswer&,
                                    uint64_t /*actual*/) const override {
    return "CI-01";
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
