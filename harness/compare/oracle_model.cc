#include "harness/compare/oracle_model.h"

#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/backends/operands.h"
#include "oracle/formats/codes.h"
#include "oracle/scalar/quantize_linear_layout.h"

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
  return std::to_string(static_cast<int>(readings.float_zero_point)) +
         (readings.zero_point_added ? "a" : "-") + (readings.fnuz_infinity_nan ? "n" : "-") +
         (readings.zero_sign_dropped ? "d" : "-");
}

}  // namespace

bool HasOracle(std::string_view op_type) { return op_type == "QuantizeLinear"; }

Result<OracleModel> OracleModel::Create(const Model& model) {
  if (!HasOracle(model.node.op_type) || !model.node.domain.empty()) {
    return Error{"there is no oracle for operator '" + model.node.op_type + "' of domain '" +
                 model.node.domain + "'; there is one for QuantizeLinear"};
  }
  int since_version = 0;
  for (const SinceVersion& version : SinceVersions(model.node.op_type)) {
    for (const int opset_version : version.opset_versions) {
      if (opset_version == model.opset_version) since_version = version.since_version;
    }
  }
  if (since_version == 0) {
    return Error{"opset_version " + std::to_string(model.opset_version) + " has no " +
                 model.node.op_type + " that the linked ONNX knows (its newest is " +
                 std::to_string(NewestOpsetVersion()) + ")"};
  }
  const auto attributes = ReadAttributes(model.node);
  if (!attributes) return attributes.error();
  return OracleModel(model, since_version, *attributes);
}

Result<QuantizeLinearProblem> OracleModel::Problem(
    std::span<const TensorView> inputs) const {
  const auto operands = ResolveOperands(*model_, inputs);
  if (!operands) return operands.error();
  const std::optional<TensorView> x = OperandAt(*operands, 0);
  const std::optional<TensorView> y_scale = OperandAt(*operands, 1);
  if (!x || !y_scale) return Error{"QuantizeLinear needs the inputs x and y_scale"};
  return QuantizeLinearProblem{.since_version = since_version_,
                               .x = *x,
                               .y_scale = *y_scale,
                               .y_zero_point = OperandAt(*operands, 2),
                               .attributes = attributes_};
}

Result<ModelValidity> OracleModel::Validate(std::span<const TensorView> inputs) const {
  const auto problem = Problem(inputs);
  if (!problem) return problem.error();
  const Validation validation = qconform::Validate(*problem);
  return ModelValidity{static_cast<ModelValidity::Kind>(validation.kind), validation.clause,
                       validation.reason};
}

Result<Answer> OracleModel::Evaluate(std::span<const TensorView> inputs) const {
  const auto problem = Problem(inputs);
  if (!problem) return problem.error();
  return EvaluateQuantizeLinear(*problem);
}

Result<Answer> OracleModel::Evaluate(std::span<const TensorView> inputs,
                                     const ReadingChoice& choice) const {
  const auto problem = Problem(inputs);
  if (!problem) return problem.error();
  return EvaluateQuantizeLinear(*problem, std::get<QuantizeLinearReadings>(choice.readings));
}

Result<std::vector<ElementOperand>> OracleModel::OperandsOfElement(
    std::span<const TensorView> inputs, int64_t index) const {
  const auto problem = Problem(inputs);
  if (!problem) return problem.error();
  const QuantizeLinearLayout layout = Resolve(*problem).layout;
  const int64_t scale_index =
      layout.ScaleIndex(index / layout.inner / layout.axis, index / layout.inner % layout.axis,
                        index % layout.inner);
  std::vector<ElementOperand> operands{
      {"x", problem->x.type, ReadCode(problem->x, index)},
      {"y_scale", problem->y_scale.type, ReadCode(problem->y_scale, scale_index)}};
  if (problem->y_zero_point) {
    operands.push_back({"y_zero_point", problem->y_zero_point->type,
                        ReadCode(*problem->y_zero_point,
                                 layout.zero_point_is_scalar ? 0 : scale_index)});
  }
  return operands;
}

Result<std::vector<ReadingChoice>> OracleModel::Choices(
    std::span<const TensorView> inputs) const {
  const auto problem = Problem(inputs);
  if (!problem) return problem.error();
  const auto answer = EvaluateQuantizeLinear(*problem);
  if (!answer) return answer.error();
  std::vector<ReadingChoice> choices;
  for (const QuantizeLinearReadings& readings :
       ReadingCombinations(since_version_, problem->x.type, problem->y_scale.type,
                           answer->type, attributes_.precision)) {
    choices.push_back({readings,
                       ReadingsName(readings, since_version_, problem->x.type,
                                    problem->y_scale.type),
                       SharedName(readings)});
  }
  return choices;
}

}  // namespace qconform
