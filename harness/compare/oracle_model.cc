#include "harness/compare/oracle_model.h"

#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/backends/operands.h"
#include "harness/core/operator_oracle.h"

namespace qconform {
namespace {

// The only place that maps an op_type to its oracle.
constexpr struct {
  std::string_view op_type;
  Result<std::shared_ptr<const OperatorOracle>> (*make)(const Node& node,
                                                        int since_version);
} kOracles[] = {{"QuantizeLinear", MakeQuantizeLinearOracle},
                {"QLinearMatMul", MakeQLinearMatMulOracle}};

}  // namespace

bool HasOracle(std::string_view op_type) {
  for (const auto& oracle : kOracles) {
    if (oracle.op_type == op_type) return true;
  }
  return false;
}

Result<OracleModel> OracleModel::Create(const Model& model) {
  const Node& node = model.node;
  if (!HasOracle(node.op_type) || !node.domain.empty()) {
    std::string names;
    for (const auto& oracle : kOracles) {
      names += (names.empty() ? "" : " and ") + std::string(oracle.op_type);
    }
    return Error{"there is no oracle for operator '" + node.op_type + "' of domain '" +
                 node.domain + "'; there is one for " + names};
  }
  const Result<JudgingVersion> judging =
      JudgingVersionFor(node.op_type, model.opset_version);
  if (!judging) return judging.error();
  for (const auto& oracle : kOracles) {
    if (oracle.op_type != node.op_type) continue;
    auto made = oracle.make(node, judging->since_version);
    if (!made) return made.error();
    return OracleModel(model, judging->since_version, judging->note, *std::move(made));
  }
  return Error{"there is no oracle for operator '" + node.op_type + "'"};
}

Result<ModelValidity> OracleModel::Validate(std::span<const TensorView> inputs) const {
  const auto operands = ResolveOperands(*model_, inputs);
  if (!operands) return operands.error();
  return oracle_->Validate(*operands);
}

Result<Answer> OracleModel::Evaluate(std::span<const TensorView> inputs) const {
  return Evaluate(inputs, ReadingChoice());
}

Result<Answer> OracleModel::Evaluate(std::span<const TensorView> inputs,
                                     const ReadingChoice& choice) const {
  const auto operands = ResolveOperands(*model_, inputs);
  if (!operands) return operands.error();
  return oracle_->Evaluate(*operands, choice);
}

Result<std::vector<ElementOperand>> OracleModel::OperandsOfElement(
    std::span<const TensorView> inputs, int64_t index) const {
  const auto operands = ResolveOperands(*model_, inputs);
  if (!operands) return operands.error();
  return oracle_->OperandsOfElement(*operands, index);
}

Result<std::vector<Tensor>> OracleModel::ElementAlone(std::span<const TensorView> inputs,
                                                      int64_t index) const {
  const auto operands = ResolveOperands(*model_, inputs);
  if (!operands) return operands.error();
  return oracle_->ElementAlone(*operands, index);
}

Result<std::vector<ReadingChoice>> OracleModel::Choices(
    std::span<const TensorView> inputs) const {
  const auto operands = ResolveOperands(*model_, inputs);
  if (!operands) return operands.error();
  return oracle_->Choices(*operands);
}

}  // namespace qconform
