#include "harness/core/oracle_model.h"

#include <string>

#include "harness/core/operands.h"
#include "oracle/base/expected.h"

namespace qconform {

Result<OracleModel> OracleModel::Create(const Model& model) {
  auto made = BindModel(model);
  if (!made) return made.error();
  return OracleModel(model, *std::move(made));
}

template <typename Ask>
auto OracleModel::With(std::span<const TensorView> inputs, Ask ask) const {
  using Asked = decltype(ask(*bound_.bound, Operands()));
  const auto operands = ResolveOperands(*model_, inputs);
  return operands ? ask(*bound_.bound, *operands) : Asked(operands.error());
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
  for (const OutputInfo& output : op().outputs()) names.emplace_back(output.name);
  names.resize(answers->size(), "y");
  for (size_t i = 0; i < answers->size(); ++i) {
    const DataType type = (*answers)[i].type;
    if (BitWidth(type) > kMostCodeBits) {
      return Expected(names[i],
                      "a type of at most " + std::to_string(kMostCodeBits) + " bits",
                      DataTypeName(type));
    }
  }
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

Result<std::vector<Attribute>> OracleModel::IsolatedAttributes(
    std::span<const TensorView> inputs, ElementPlace place) const {
  return With(inputs, [&](const BoundOperator& bound, const Operands& operands) {
    return bound.IsolatedAttributes(operands, place.output, place.index);
  });
}

Result<Dimensions> OracleModel::DimensionsOf(std::span<const TensorView> inputs) const {
  return With(inputs, [](const BoundOperator& bound, const Operands& operands) {
    return bound.DimensionsOf(operands);
  });
}

}  // namespace qconform
