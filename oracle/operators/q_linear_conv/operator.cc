// QLinearConv as an Operator.
#include "oracle/core/operator.h"

#include <span>
#include <utility>

#include "oracle/convolution/bound_convolution.h"
#include "oracle/convolution/parameters.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/q_linear_conv/clauses.h"
#include "oracle/operators/q_linear_conv/q_linear_conv.h"

namespace qconform::q_linear_conv {
namespace {

constexpr size_t kX = 0, kXScale = 1, kXZeroPoint = 2, kW = 3, kWScale = 4;
constexpr size_t kWZeroPoint = 5, kYScale = 6, kYZeroPoint = 7, kBias = 8;

struct Op {
  using Problem = q_linear_conv::Problem;
  static constexpr auto ProblemOf = q_linear_conv::ProblemOf;
  static constexpr size_t kX = q_linear_conv::kX, kW = q_linear_conv::kW, kOperands = 9;
};

class Bound : public BoundConvolution<Op> {
 public:
  using BoundConvolution::BoundConvolution;

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    return EvaluateBy(operands, ParametersOf(DecodeReadings(readings.code)));
  }

  Result<std::vector<ReadingSet>> Readings(const Operands&) const override {
    using enum ReadingSet::Kind;
    std::vector<ReadingSet> sets;
    for (const q_linear_conv::Readings& readings : AllReadings()) {
      sets.push_back({.readings = NamesOf(readings),
                      .kind = readings.bounds == Bounds::kNone        ? kFunction
                              : readings.bounds == Bounds::kFloatConv ? kBounded
                                                                      : kWider,
                      .code = EncodeReadings(readings)});
    }
    return sets;
  }

  // QC-02b: sums beyond INT32; QC-08: NaN to an integer.
  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands&, size_t, int64_t, const ElementAnswer& answer) const override {
    if (answer.freedom != Freedom::kAnyCode) return std::optional<FreeInput>();
    const bool is_nan = (answer.features & kFeatureNan) != 0;
    if (answer.tier == Tier::kAccumulatorOverflow && !is_nan) {
      return std::optional(FreeInput{"QC-02b", "sums beyond INT32", true});
    }
    return std::optional(FreeInput{"QC-08", "NaN by the scales to an integer"});
  }

  Result<std::vector<KnownAnswer>> KnownAnswers(const Operands& operands,
                                                const FreeInput& free) const override {
    return KnownAnswersOf(free, kAllAccumulators, [&](Accumulator accumulator) {
      return EvaluateBy(operands, {.accumulator = accumulator});
    });
  }

 private:
  std::vector<Parameter> ParametersAt(const One& one) const override {
    const Problem& p = one.problem;
    const int64_t m = one.element.output_channel;
    std::vector<Parameter> parameters{
        {kXScale, "x_scale", p.x_scale, 0},
        {kXZeroPoint, "x_zero_point", p.x_zero_point, 0},
        {kWScale, "w_scale", p.w_scale, IndexOfChannel(p.w_scale.shape, m)},
        {kWZeroPoint, "w_zero_point", p.w_zero_point,
         IndexOfChannel(p.w_zero_point.shape, m)},
        {kYScale, "y_scale", p.y_scale, 0},
        {kYZeroPoint, "y_zero_point", p.y_zero_point, 0}};
    if (p.bias) parameters.push_back({kBias, "B", *p.bias, m, /*isolated=*/{1}});
    return parameters;
  }

  std::vector<ChannelParameterPlace> ChannelParameters(
      const Problem& problem) const override {
    std::vector<ChannelParameterPlace> places{{kWScale, problem.w_scale.shape},
                                              {kWZeroPoint, problem.w_zero_point.shape}};
    if (problem.bias) places.push_back({kBias, problem.bias->shape});
    return places;
  }

  std::vector<ElementOperand> ResultsOf(const One& one) const override {
    return {{"C", DataType::kInt32, SumOf(one)}};
  }

  // C without its bias, modulo 2^32.
  static uint32_t SumOf(const One& one) {
    const auto value = [](const TensorView& tensor, int64_t at) {
      return static_cast<uint32_t>(
          ToInteger(FormatOf(tensor.type), ReadCode(tensor, at)));
    };
    const Problem& p = one.problem;
    const uint32_t x_zero = value(p.x_zero_point, 0);
    const uint32_t w_zero = value(
        p.w_zero_point, IndexOfChannel(p.w_zero_point.shape, one.element.output_channel));
    uint32_t sum = 0;
    for (const ConvolutionPair& pair : PairsOf(one.geometry, one.element)) {
      if (pair.x < 0) continue;
      sum += (value(p.x, pair.x) - x_zero) * (value(p.w, pair.w) - w_zero);
    }
    return sum;
  }

  Result<std::vector<Answer>> EvaluateBy(const Operands& operands,
                                         const Parameters& parameters) const {
    return AnswersOf(EvaluateQLinearConv(Asked(operands), parameters));
  }
};

class QLinearConv : public Operator {
 public:
  std::string_view op_type() const override { return "QLinearConv"; }

  std::span<const OperandInfo> operands() const override {
    using enum OperandRole;
    static constexpr OperandInfo kOperands[] = {
        {.name = "x", .role = kData},
        {.name = "x_scale", .role = kScale, .of = kX},
        {.name = "x_zero_point", .role = kZeroPoint, .of = kX},
        {.name = "w", .role = kWeight},
        {.name = "w_scale", .role = kScale, .of = kW},
        {.name = "w_zero_point", .role = kZeroPoint, .of = kW},
        {.name = "y_scale", .role = kScale},
        {.name = "y_zero_point", .role = kZeroPoint},
        {.name = "B", .role = OperandRole::kBias, .is_optional = true}};
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

  std::string_view ClauseOffendedAt(size_t, DataType, const ElementAnswer& element,
                                    uint64_t /*actual*/) const override {
    constexpr uint16_t kSpecial = kFeatureNan | kFeatureInfinity;
    return (element.features & kSpecial) == 0 ? "QC-04" : "QC-08";
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
