// DequantizeLinear as an Operator.
#include "oracle/core/operator.h"

#include "oracle/core/target.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/dequantize_linear/clauses.h"
#include "oracle/operators/dequantize_linear/dequantize_linear.h"
#include "oracle/operators/dequantize_linear/layout.h"

namespace qconform::dequantize_linear {
namespace {

class Bound : public BoundOperator {
 public:
  Bound(int since_version, const Attributes& attributes)
      : since_version_(since_version), attributes_(attributes) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    const auto problem = ProblemFor(operands);
    if (!problem) return problem.error();
    return dequantize_linear::Validate(*problem);
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    const auto problem = ProblemFor(operands);
    if (!problem) return problem.error();
    return AnswersOf(EvaluateDequantizeLinear(*problem, DecodeReadings(readings.code)));
  }

  Result<std::vector<ReadingSet>> Readings(const Operands& operands) const override {
    const auto types = TypesOf(operands);
    if (!types) return types.error();
    std::vector<ReadingSet> sets;
    for (const dequantize_linear::Readings& readings : ReadingCombinations(*types)) {
      const uint64_t code = EncodeReadings(readings);
      sets.push_back(
          {.readings = NamesOf(readings, *types), .code = code, .shared = code});
    }
    return sets;
  }

  bool rounds(const Operands& operands) const override {
    const auto types = TypesOf(operands);
    return !types.ok() || IsRounded(*types);
  }

  Result<std::vector<ReadingLeftOut>> ReadingsLeftOut(
      const Operands& operands) const override {
    const auto types = TypesOf(operands);
    if (!types) return types.error();
    return dequantize_linear::ReadingsLeftOut(*types);
  }

  // DQ-06, DQ-08, DQ-34.
  Result<std::optional<Reading>> ReadingOfRefusal(
      const Operands& operands) const override {
    const auto problem = ProblemFor(operands);
    if (!problem) return problem.error();
    const auto refused = [](const char* clause) {
      return std::optional(Reading{clause, "refused"});
    };
    if (HasFreeZeroPoint(*problem)) return refused("DQ-06");
    if (problem->x_zero_point && IsFloatOffset(*problem->x_zero_point)) {
      return refused("DQ-08");
    }
    if (IsRank1PerAxis(*problem)) return refused("DQ-34");
    return std::optional<Reading>();
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const auto problem = ProblemFor(operands);
    if (!problem) return problem.error();
    const auto layout = ValidLayout(Resolve(*problem));
    if (!layout) return layout.error();
    return OperandsOfScaledElement(OperandNames(), OperandsOf(*problem), *layout, index);
  }

  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands&, size_t /*output*/, int64_t /*index*/,
      const ElementAnswer& answer) const override {
    if (answer.freedom != Freedom::kAnyCode) return std::optional<FreeInput>();
    return std::optional(
        FreeInput{.clause = "DQ-06", .input = "INT32 x with a zero point other than 0"});
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t output,
                                             int64_t index) const override {
    const auto elements = OperandsOfElement(operands, output, index);
    if (!elements) return elements.error();
    return IsolateScaledElement(*elements);
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const auto problem = ProblemFor(operands);
    if (!problem) return problem.error();
    const auto layout = ValidLayout(ResolveWithoutData(*problem));
    if (!layout) return layout.error();
    return DimensionsOfScaled(OperandsOf(*problem), *layout);
  }

 private:
  Result<Problem> ProblemFor(const Operands& operands) const {
    return ProblemOf(since_version_, attributes_, operands);
  }

  Result<Types> TypesOf(const Operands& operands) const {
    const auto problem = ProblemFor(operands);
    if (!problem) return problem.error();
    const auto layout = ValidLayout(ResolveWithoutData(*problem));
    if (!layout) return layout.error();
    return Types{since_version_, problem->x.type, problem->x_scale.type, layout->y};
  }

  int since_version_;
  Attributes attributes_;
};

class DequantizeLinear : public Operator {
 public:
  std::string_view op_type() const override { return "DequantizeLinear"; }
  bool depends_on_order() const override { return false; }

  std::span<const OperandInfo> operands() const override {
    static constexpr OperandInfo kOperands[] = {
        {.name = "x", .role = OperandRole::kData},
        {.name = "x_scale", .role = OperandRole::kScale, .of = 0},
        {.name = "x_zero_point",
         .role = OperandRole::kZeroPoint,
         .is_optional = true,
         .of = 0}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y"}};
    return kOutputs;
  }

  std::span<const std::string_view> layout_attributes() const override {
    static constexpr std::string_view kNames[] = {"axis", "block_size"};
    return kNames;
  }

  std::vector<Clause> clauses() const override { return AllClauses(); }

  std::string_view ClauseOffendedAt(size_t, DataType, const ElementAnswer& element,
                                    uint64_t /*actual*/) const override {
    return element.tier == Tier::kDegenerateScale ? "DQ-09" : "DQ-02";
  }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute> attributes,
                                                    int since_version) const override {
    const auto read = ReadAttributes(attributes);
    if (!read) return read.error();
    return std::unique_ptr<const BoundOperator>(
        std::make_unique<Bound>(since_version, *read));
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const DequantizeLinear op;
  return op;
}

}  // namespace qconform::dequantize_linear
