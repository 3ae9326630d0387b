#include "harness/compare/oracle_model.h"

#include "cases/lattice/lattice.h"
#include "harness/backends/operands.h"

namespace qconform {

Result<OracleModel> OracleModel::Create(const Model& model) {
  const Node& node = model.node;
  const Operator* op = node.domain.empty() ? FindOperator(node.op_type) : nullptr;
  if (op == nullptr) {
    std::string names;
    for (const Operator* known : Operators()) {
      names += (names.empty() ? "" : ", ") + std::string(known->op_type());
    }
    return Error{"operator: expected one that qconform judges (" + names + "), got '" +
                 node.op_type + "' of domain '" + node.domain + "'"};
  }
  const Result<JudgingVersion> judging =
      JudgingVersionFor(node.op_type, model.opset_version);
  if (!judging) return judging.error();
  auto bound = op->Bind(node.attributes, judging->since_version);
  if (!bound) return bound.error();
  return OracleModel(model, *op, judging->since_version, judging->note,
                     *std::move(bound));
}

template <typename Ask>
auto OracleModel::With(std::span<const TensorView> inputs, Ask ask) const {
  using Asked = decltype(ask(*bound_, Operands()));
  const auto operands = ResolveOperands(*model_, inputs);
  return operands ? ask(*bound_, *operands) : Asked(operands.error());
}

Result<ModelValidity> OracleModel::Validate(std::span<const TensorView> inputs) const {
  return With(inputs, [](const BoundOperator& bound, const Operands& operands) {
    return bound.Validate(operands);
  });
}

Result<CaseAnswer> OracleModel::Evaluate(std::span<const TensorView> inputs,
                                         const ReadingSet& readings) const {
  auto answers = With(inputs, [&](const BoundOperator& bound, const Operands& operands) {
    return bound.Evaluate(operands, readings);
  });
  if (!answers) return answers.error();
  std::vector<std::string> names;
  for (const OutputInfo& output : op_->outputs()) names.emplace_back(output.name);
  return CaseAnswer(*std::move(answers), std::move(names));
}

Result<std::vector<ReadingSet>> OracleModel::Readings(
    std::span<const TensorView> inputs) const {
  return With(inputs, [](const BoundOperator& bound, const Operands& operands) {
    return bound.Readings(operands);
  });
}

Result<std::optional<Reading>> OracleModel::ReadingOfRefusal(
    std::span<const TensorView> inputs) const {
  return With(inputs, [](const BoundOperator& bound, const Operands& operands) {
    return bound.ReadingOfRefusal(operands);
  });
}

Result<std::vector<ReadingLeftOut>> OracleModel::ReadingsLeftOut(
    std::span<const TensorView> inputs) const {
  return With(inputs, [](const BoundOperator& bound, const Operands& operands) {
    return bound.ReadingsLeftOut(operands);
  });
}

Result<std::vector<ElementOperand>> OracleModel::OperandsOfElement(
    std::span<const TensorView> inputs, ElementPlace place) const {
  return With(inputs, [&](const BoundOperator& bound, const Operands& operands) {
    return bound.OperandsOfElement(operands, place.output, place.index);
  });
}

Result<std::optional<FreeInput>> OracleModel::FreeInputOf(
    std::span<const TensorView> inputs, ElementPlace place,
    const ElementAnswer& answer) const {
  return With(inputs, [&](const BoundOperator& bound, const Operands& operands) {
    return bound.FreeInputOf(operands, place.output, place.index, answer);
  });
}

Result<std::vector<KnownAnswer>> OracleModel::KnownAnswers(
    std::span<const TensorView> inputs, const FreeInput& free) const {
  return With(inputs, [&](const BoundOperator& bound, const Operands& operands) {
    return bound.KnownAnswers(operands, free);
  });
}

Result<std::vector<Tensor>> OracleModel::IsolateElement(
    std::span<const TensorView> inputs, ElementPlace place) const {
  return With(inputs, [&](const BoundOperator& bound, const Operands& operands) {
    return bound.IsolateElement(operands, place.output, place.index);
  });
}

Result<Dimensions> OracleModel::DimensionsOf(std::span<const TensorView> inputs) const {
  return With(inputs, [](const BoundOperator& bound, const Operands& operands) {
    return bound.DimensionsOf(operands);
  });
}

}  // namespace qconform
