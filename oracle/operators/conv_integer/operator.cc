// ConvInteger as an Operator.
#include "oracle/core/operator.h"

#include <span>
#include <utility>

#include "oracle/convolution/bound_convolution.h"
#include "oracle/convolution/parameters.h"
#include "oracle/operators/conv_integer/clauses.h"
#include "oracle/operators/conv_integer/conv_integer.h"

namespace qconform::conv_integer {
namespace {

constexpr size_t kX = 0, kW = 1, kXZeroPoint = 2, kWZeroPoint = 3;

struct Op {
  using Problem = conv_integer::Problem;
  static constexpr auto ProblemOf = conv_integer::ProblemOf;
  static constexpr size_t kX = conv_integer::kX, kW = conv_integer::kW, kOperands = 4;
};

class Bound : public BoundConvolution<Op> {
 public:
  using BoundConvolution::BoundConvolution;

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet&) const override {
    return EvaluateBy(operands, Accumulator::kModulo32);
  }

  bool rounds(const Operands&) const override { return false; }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    return std::vector<ReadingSet>(1);
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

 private:
  std::vector<Parameter> ParametersAt(const One& one) const override {
    const auto& x_zero_point = one.problem.x_zero_point;
    const auto& w_zero_point = one.problem.w_zero_point;
    std::vector<Parameter> parameters;
    if (x_zero_point) {
      parameters.push_back({kXZeroPoint, "x_zero_point", *x_zero_point, 0});
    }
    if (w_zero_point) {
      parameters.push_back(
          {kWZeroPoint, "w_zero_point", *w_zero_point,
           IndexOfChannel(w_zero_point->shape, one.element.output_channel)});
    }
    return parameters;
  }

  std::vector<ChannelParameterPlace> ChannelParameters(
      const Problem& problem) const override {
    if (!problem.w_zero_point) return {};
    return {{kWZeroPoint, problem.w_zero_point->shape}};
  }

  Result<std::vector<Answer>> EvaluateBy(const Operands& operands,
                                         Accumulator accumulator) const {
    return AnswersOf(EvaluateConvInteger(Asked(operands), accumulator));
  }
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
