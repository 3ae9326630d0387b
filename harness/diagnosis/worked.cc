#include "harness/diagnosis/worked.h"

#include <bit>
#include <cstdlib>

#include "harness/backends/faulty/decode.h"
#include "harness/core/value_text.h"
#include "harness/diagnosis/evidence_case.h"
#include "oracle/formats/codes.h"
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
  const DataType type = answered.answer->TypeOf(static_cast<size_t>(index));
  const ElementAnswer& element = answered.answer->elements[static_cast<size_t>(index)];
  const std::string last =
      IsInteger(type) ? "y, within the range of " : "y, rounded once to ";
  steps.push_back({last + std::string(DataTypeName(type)), CodeText(type, element.code),
                   CodeText(type, answered.codes[static_cast<size_t>(index)])});
  return steps;
}

int64_t ComplexityOf(const std::vector<ElementOperand>& operands) {
  int64_t complexity = 0;
  for (const ElementOperand& operand : operands) {
    const ExactValue value = Decode(FormatOf(operand.type), operand.code);
    switch (value.value_class) {
      case ValueClass::kZero:
        // Of an x of zero nothing is seen.
        complexity += (value.negative ? 2 : 0) + (operand.name == "x" ? 40 : 0);
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
