#include "reports/evidence.h"

namespace qconform {

std::string GroupedDigits(int64_t number) {
  std::string digits = std::to_string(number);
  const size_t sign = number < 0 ? 1 : 0;
  for (size_t place = digits.size(); place > 3 + sign; place -= 3)
    digits.insert(place - 3, " ");
  return digits;
}

std::string Plural(int64_t count, const std::string& noun) {
  return GroupedDigits(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string ShownValue(const ValueRecord& value) {
  return value.value.empty() ? value.bits : value.bits + " (" + value.value + ")";
}

std::string VerdictSentence(const CellRecord& cell) {
  std::string text(VerdictName(cell.verdict));
  if (!cell.reading.empty()) text += ", reading " + cell.reading;
  if (!cell.diagnosis.empty()) text += ", diagnosis " + cell.diagnosis;
  if (cell.mismatches() > 0) {
    text += ", " + GroupedDigits(cell.mismatches()) + " of " +
            Plural(cell.elements(), "element") + " wrong";
  }
  if (cell.declined > 0) {
    text += ", " + GroupedDigits(cell.declined) + " of " + Plural(cell.cases, "case") +
            " declined";
  }
  return text;
}

std::string DiagnosisNote(const CellRecord& cell) {
  for (const std::string& note : cell.notes) {
    if (note.starts_with("explained_by: ") || note.starts_with("no named model")) return note;
  }
  return "";
}

std::string CounterexampleSentence(const Counterexample& example) {
  if (!example.index) return example.message;
  std::string text = "y" + (example.index->empty() ? "" : ShapeToString(*example.index)) +
                     ": expected " + ShownValue(example.expected) + ", actual " +
                     ShownValue(example.actual);
  if (!example.clause.empty()) text += ", clause " + example.clause;
  if (!example.message.empty()) text += "; " + example.message;
  return text;
}

std::string OperandsSentence(const Counterexample& example) {
  std::string text;
  for (const OperandRecord& operand : example.operands) {
    text += (text.empty() ? "" : ", ") + operand.name + "=" + ShownValue(operand.value);
  }
  return text;
}

}  // namespace qconform
