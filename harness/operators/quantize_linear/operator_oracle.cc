#include "harness/core/operator_oracle.h"

#include "cases/model/attributes.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/quantize_linear/layout.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {
namespace {

Result<QuantizeLinearAttributes> ReadAttributes(const Node& node) {
  QuantizeLinearAttributes attributes;
  const struct {
    std::string_view name;
    int64_t* value;
  } kInto[] = {{"block_size", &attributes.block_size},
               {"saturate", &attributes.saturate},
               {"output_dtype", &attributes.output_dtype},
               {"precision", &attributes.precision}};
  const auto axis = IntegerAttribute(node, "axis");
  if (!axis) return axis.error();
  attributes.axis = *axis;
  for (const auto& [name, value] : kInto) {
    const auto given = IntegerAttribute(node, name);
    if (!given) return given.error();
    if (given->has_value()) *value = **given;
  }
  return attributes;
}

std::string SharedName(const QuantizeLinearReadings& readings) {
  const char* added = readings.missing_zero_point_added ? "m"
                      : readings.zero_point_added       ? "a"
                                                        : "-";
  return std::to_string(static_cast<int>(readings.float_zero_point)) + added +
         (readings.fnuz_infinity_nan || readings.fnuz_infinity_largest ? "n" : "-") +
         (readings.zero_sign_dropped ? "d" : "-");
}

class QuantizeLinearOracle : public OperatorOracle {
 public:
  QuantizeLinearOracle(int since_version, QuantizeLinearAttributes attributes)
      : since_version_(since_version), attributes_(attributes) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    const Validation validation = qconform::Validate(*problem);
    return ModelValidity{static_cast<ModelValidity::Kind>(validation.kind),
                         validation.clause, validation.reason};
  }

  Result<Answer> Evaluate(const Operands& operands,
                          const ReadingChoice& choice) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    const auto* readings = std::get_if<QuantizeLinearReadings>(&choice.readings);
    return EvaluateQuantizeLinear(*problem,
                                  readings ? *readings : QuantizeLinearReadings());
  }

  Result<std::vector<ReadingChoice>> Choices(const Operands& operands) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    const QuantizeLinearResolution resolution = Resolve(*problem);
    if (resolution.validation.kind == Validation::Kind::kInvalid) {
      return Error{resolution.validation.clause + ": " + resolution.validation.reason};
    }
    std::vector<ReadingChoice> choices;
    for (const QuantizeLinearReadings& readings :
         ReadingCombinations(since_version_, problem->x.type, problem->y_scale.type,
                             resolution.layout.y, attributes_.precision)) {
      choices.push_back(
          {readings,
           ReadingsName(readings, since_version_, problem->y_scale.type, problem->x.type),
           SharedName(readings)});
    }
    return choices;
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                        int64_t index) const override {
    const auto problem = Problem(operands);
    if (!problem) return problem.error();
    const QuantizeLinearLayout layout = Resolve(*problem).layout;
    const int64_t line = index / layout.inner;
    const int64_t scale_index =
        layout.ScaleIndex(line / layout.axis, line % layout.axis, index % layout.inner);
    std::vector<ElementOperand> elements{
        {"x", problem->x.type, ReadCode(problem->x, index)},
        {"y_scale", problem->y_scale.type, ReadCode(problem->y_scale, scale_index)}};
    if (problem->y_zero_point) {
      elements.push_back({"y_zero_point", problem->y_zero_point->type,
                          ReadCode(*problem->y_zero_point,
                                   layout.zero_point_is_scalar ? 0 : scale_index)});
    }
    return elements;
  }

  Result<std::vector<Tensor>> ElementAlone(const Operands& operands,
                                           int64_t index) const override {
    const auto elements = OperandsOfElement(operands, index);
    if (!elements) return elements.error();
    std::vector<Tensor> alone;
    for (const ElementOperand& element : *elements) {
      alone.push_back(Tensor::Zeros(element.type, alone.empty() ? Shape{1} : Shape{}));
      WriteCode(alone.back().mutable_view(), 0, element.code);
    }
    return alone;
  }

 private:
  Result<QuantizeLinearProblem> Problem(const Operands& operands) const {
    const std::optional<TensorView> x = OperandAt(operands, 0);
    const std::optional<TensorView> y_scale = OperandAt(operands, 1);
    if (!x || !y_scale) return Error{"QuantizeLinear needs the inputs x and y_scale"};
    return QuantizeLinearProblem{.since_version = since_version_,
                                 .x = *x,
                                 .y_scale = *y_scale,
                                 .y_zero_point = OperandAt(operands, 2),
                                 .attributes = attributes_};
  }

  int since_version_;
  QuantizeLinearAttributes attributes_;
};

}  // namespace

Result<std::shared_ptr<const OperatorOracle>> MakeQuantizeLinearOracle(
    const Node& node, int since_version) {
  const auto attributes = ReadAttributes(node);
  if (!attributes) return attributes.error();
  return std::shared_ptr<const OperatorOracle>(
      std::make_shared<QuantizeLinearOracle>(since_version, *attributes));
}

}  // namespace qconform
