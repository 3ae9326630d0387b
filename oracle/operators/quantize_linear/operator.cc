// QuantizeLinear as an Operator.
#include "oracle/core/operator.h"

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/clauses.h"
#include "oracle/operators/quantize_linear/dimensions.h"
#include "oracle/operators/quantize_linear/layout.h"
#include "oracle/operators/quantize_linear/problem.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform::quantize_linear {
namespace {

// The readings that models of a cell share whatever their `precision` is: all but the
// quotient. Which of the two of QL-22 is another one depends on the since_version.
uint64_t SharedCode(QuantizeLinearReadings readings) {
  readings.quotient = QuantizeLinearReadings::Quotient::kCanonical;
  return EncodeReadings(readings);
}

// What makes a quotient NaN: backends treat these differently. `operands` are those of
// the element: x, y_scale.
const char* CauseOfNan(std::span<const ElementOperand> operands) {
  const auto is = [&](size_t operand, ValueClass value_class) {
    const ElementOperand& one = operands[operand];
    return Decode(FormatOf(one.type), one.code).value_class == value_class;
  };
  if (is(0, ValueClass::kNan)) return "NaN x";
  if (is(1, ValueClass::kNan)) return "NaN y_scale";
  if (is(0, ValueClass::kZero) && is(1, ValueClass::kZero)) return "0/0";
  if (is(0, ValueClass::kInfinity) && is(1, ValueClass::kInfinity)) return "Inf/Inf";
  return "0/0 or Inf/Inf in P";
}

class Bound : public BoundOperator {
 public:
  Bound(int since_version, const QuantizeLinearAttributes& attributes)
      : since_version_(since_version), attributes_(attributes) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    return qconform::Validate(*problem);
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& readings) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    return AnswersOf(
        EvaluateQuantizeLinear(*problem, DecodeQuantizeLinearReadings(readings.code)));
  }

  Result<std::vector<ReadingSet>> Readings(const Operands& operands) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    const QuantizeLinearResolution resolution = Resolve(*problem);
    if (resolution.validation.kind == ModelValidity::Kind::kInvalid) {
      return Error{resolution.validation.clause + ": " + resolution.validation.reason};
    }
    const DataType x = problem->x.type;
    const DataType y_scale = problem->y_scale.type;
    std::vector<ReadingSet> sets;
    for (const QuantizeLinearReadings& readings : ReadingCombinations(
             since_version_, x, y_scale, resolution.layout.y, attributes_.precision)) {
      sets.push_back(
          {.readings = NamesOf(readings, since_version_, x, y_scale, resolution.layout.y),
           .code = EncodeReadings(readings),
           .shared = SharedCode(readings)});
    }
    return sets;
  }

  int64_t ReadingsKey() const override { return attributes_.precision; }

  Result<std::vector<ReadingLeftOut>> ReadingsLeftOut(
      const Operands& operands) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    return qconform::ReadingsLeftOut(since_version_, problem->x.type,
                                     problem->y_scale.type, Resolve(*problem).layout.y);
  }

  // QL-24.
  Result<std::optional<Reading>> ReadingOfRefusal(
      const Operands& operands) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    if (!problem->y_zero_point || !IsFloatOffset(*problem->y_zero_point)) {
      return std::optional<Reading>();
    }
    return std::optional(Reading{"QL-24", "refused"});
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    return qconform::OperandsOfElement(*problem, index);
  }

  // QL-12, QL-26 and QL-28: NaN to a type without NaN.
  Result<std::optional<FreeInput>> FreeInputOf(
      const Operands& operands, size_t output, int64_t index,
      const ElementAnswer& answer) const override {
    if (answer.freedom != Freedom::kAnyCode) return std::optional<FreeInput>();
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    const auto elements = OperandsOfElement(operands, output, index);
    if (!elements) return elements.error();
    const DataType y = Resolve(*problem).layout.y;
    const std::string target = IsInteger(y) ? "an integer" : std::string(DataTypeName(y));
    return std::optional(
        FreeInput{.clause = std::string(ClausesOfTarget(y).special_values),
                  .input = std::string(CauseOfNan(*elements)) + " to " + target});
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t output,
                                             int64_t index) const override {
    const auto elements = OperandsOfElement(operands, output, index);
    if (!elements) return elements.error();
    return IsolateScaledElement(*elements);
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    return QuantizeLinearDimensions(*problem);
  }

 private:
  Result<QuantizeLinearProblem> Problem(const Operands& operands) const {
    return QuantizeLinearProblemOf(since_version_, attributes_, operands);
  }

  int since_version_;
  QuantizeLinearAttributes attributes_;
};

class QuantizeLinear : public Operator {
 public:
  std::string_view op_type() const override { return "QuantizeLinear"; }
  bool depends_on_order() const override { return false; }

  std::span<const OperandInfo> operands() const override {
    static constexpr OperandInfo kOperands[] = {
        {.name = "x", .role = OperandRole::kData},
        {.name = "y_scale", .role = OperandRole::kScale},
        {.name = "y_zero_point", .role = OperandRole::kZeroPoint, .is_optional = true}};
    return kOperands;
  }

  std::span<const OutputInfo> outputs() const override {
    static constexpr OutputInfo kOutputs[] = {{"y", "QL-51"}};
    return kOutputs;
  }

  std::span<const std::string_view> layout_attributes() const override {
    static constexpr std::string_view kNames[] = {"axis", "block_size"};
    return kNames;
  }

  std::vector<Clause> clauses() const override { return QuantizeLinearClauses(); }

  std::string_view ClauseOffendedAt(size_t, DataType type, const ElementAnswer& element,
                                    uint64_t actual) const override {
    const bool saturated =
        (element.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
    if (IsInteger(type)) return saturated ? "QL-11" : "QL-10";
    const TargetClauses target = ClausesOfTarget(type);
    if (!HasNan(type)) {
      // A zero of the other sign: a rounding that is right leaves it open.
      const bool other_zero =
          actual == (element.code ^ (uint64_t{1} << (BitWidth(type) - 1))) &&
          (element.code & actual) == 0;
      return other_zero ? target.special_values : target.rounding;
    }
    // NaN of a finite quotient is overflow (QL-20).
    if ((element.features & kFeatureNan) != 0) return target.special_values;
    return (element.features & kFeatureInfinity) != 0 ? "QL-21" : target.rounding;
  }

  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute> attributes,
                                                    int since_version) const override {
    const auto read = ReadQuantizeLinearAttributes(attributes);
    if (!read) return read.error();
    return std::unique_ptr<const BoundOperator>(
        std::make_unique<Bound>(since_version, *read));
  }
};

}  // namespace

const Operator& GetOperator();
const Operator& GetOperator() {
  static const QuantizeLinear op;
  return op;
}

}  // namespace qconform::quantize_linear
