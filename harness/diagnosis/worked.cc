#include "harness/diagnosis/worked.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "harness/backends/faulty/decode.h"
#include "harness/core/value_text.h"
#include "harness/diagnosis/evidence_case.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {

Result<std::vector<WorkedStep>> WorkThrough(const AnsweredCase& answered,
                                            int since_version, int64_t index,
                                            const WorkedModel& model) {
  const auto decoded = DecodeCase(answered, since_version, nullptr);
  if (!decoded) return decoded.error();
  std::shared_ptr<const DecodedCase> by;
  if (model.faults || model.reading) {
    auto made = model.faults ? DecodeCase(answered, since_version, model.follows)
                             : DecodeCase(answered.content->model(), since_version,
                                          answered.content->inputs(), *answered.answer,
                                          *model.reading);
    if (!made) return made.error();
    by = *std::move(made);
  }
  std::vector<WorkedStep> steps =
      (*decoded)->StepsOf(index, by.get(), model.faults ? &*model.faults : nullptr);
  if (steps.empty()) return steps;
  const auto at = static_cast<size_t>(index);
  const auto& [name, type, shape, first] = answered.answer->OutputOf(at);
  steps.push_back(
      {name + (IsInteger(type) ? ", within the range of " : ", rounded once to ") +
           std::string(DataTypeName(type)),
       CodeText(type, answered.answer->elements[at].code),
       CodeText(type, answered.codes[at])});
  return steps;
}

int64_t ComplexityOf(const Operator& op, const std::vector<ElementOperand>& operands) {
  const auto is_data = [&](const std::string& name) {
    return std::ranges::any_of(op.operands(), [&](const OperandInfo& operand) {
      return operand.role == OperandRole::kData && operand.name == name;
    });
  };
  int64_t complexity = 0;
  for (const ElementOperand& operand : operands) {
    const ExactValue value = Decode(FormatOf(operand.type), operand.code);
    switch (value.value_class) {
      case ValueClass::kZero:
        // Data that is zero shows nothing.
        complexity += (value.negative ? 2 : 0) + (is_data(operand.name) ? 40 : 0);
        break;
      case ValueClass::kFinite: {
        const int digits =
            TopBit(value.significand) + 1 - std::countr_zero(value.significand);
        complexity += 4 * digits + std::abs(TopOf(value)) + (value.negative ? 1 : 0);
        break;
      }
      case ValueClass::kInfinity:
      case ValueClass::kNan:
        complexity += 200;
        break;
    }
  }
  return complexity;
}

}  // namespace qconform
