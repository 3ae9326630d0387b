#include "cases/core/assemble.h"

#include "cases/core/known_cells.h"

namespace qconform::generators {
namespace {

bool IsConstant(OperandForm form, Constant operand) {
  if (operand == Constant::kAlways) return true;
  switch (form) {
    case OperandForm::kInputs:
      return false;
    case OperandForm::kInitializers:
      return operand != Constant::kNever;
    case OperandForm::kParameters:
      break;
  }
  return operand == Constant::kParameter;
}

}  // namespace

OpCase Assemble(const CaseKey& key, const Content& content) {
  OpCase made;
  made.key = key;
  made.operands = content.operands;
  made.model.opset_version = key.opset_version;
  made.model.ir_version = KnownIrVersion(key.opset_version);
  made.model.node = content.node;
  made.model.outputs = content.outputs;
  for (size_t i = 0; i < made.operands.size(); ++i) {
    const Tensor& operand = made.operands[i];
    if (operand.type == DataType::kUndefined) continue;
    const std::string& name = made.model.node.inputs[i];
    if (IsConstant(key.form, content.constant[i])) {
      made.model.initializers.push_back({name, operand});
    } else {
      made.model.inputs.push_back({name, operand.type, operand.shape});
      made.inputs.push_back(operand);
    }
  }
  return made;
}

}  // namespace qconform::generators
