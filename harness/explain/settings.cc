#include "harness/explain/settings.h"

#include <span>
#include <variant>

#include "cases/model/lookup.h"
#include "harness/core/operand_text.h"
#include "harness/core/value_text.h"
#include "oracle/formats/codes.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

std::string NumberText(DataType type, uint64_t code, Numbers numbers) {
  const ValueRecord shown = ShownValue(type, code);
  if (numbers == Numbers::kCodes) return shown.bits;
  const std::string decimal = DecimalValue(shown);
  const auto read = ParseOperand(type, decimal, "");
  return read && *read == code ? decimal : shown.bits;
}

// Appends the list of the dimensions from `depth` on.
void AppendList(const Tensor& tensor, size_t depth, Numbers numbers, int64_t* next,
                std::string* text) {
  if (depth == tensor.shape.size()) {
    *text += NumberText(tensor.type, ReadCode(tensor.view(), (*next)++), numbers);
    return;
  }
  *text += '[';
  for (int64_t i = 0; i < tensor.shape[depth]; ++i) {
    if (i != 0) *text += ',';
    AppendList(tensor, depth + 1, numbers, next, text);
  }
  *text += ']';
}

bool IsShownByLists(const Shape& shape) {
  for (size_t i = 0; i + 1 < shape.size(); ++i) {
    if (shape[i] == 0) return false;
  }
  return true;
}

std::string AttributeSetting(const AttributeValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<float>(&value)) return std::to_string(*number);
  std::string text = "[";
  for (const int64_t one : std::get<std::vector<int64_t>>(value)) {
    text += (text.size() == 1 ? "" : ",") + std::to_string(one);
  }
  return text + "]";
}

}  // namespace

std::optional<std::vector<std::string>> SettingsOf(const FedModel& fed, Numbers numbers) {
  std::vector<std::string> settings;
  const auto add = [&](const std::string& name, const Tensor& tensor) {
    std::string text = name + "=";
    int64_t next = 0;
    AppendList(tensor, 0, numbers, &next, &text);
    settings.push_back(text + ":" + std::string(DataTypeName(tensor.type)));
    return IsShownByLists(tensor.shape);
  };
  for (const std::string& name : fed.model.node.inputs) {
    if (name.empty()) continue;
    const Tensor* constant = FindConstant(fed.model, name);
    if (constant != nullptr) {
      if (!add(name, *constant)) return std::nullopt;
      continue;
    }
    for (size_t i = 0; i < fed.model.inputs.size(); ++i) {
      if (fed.model.inputs[i].name == name && !add(name, fed.inputs[i])) {
        return std::nullopt;
      }
    }
  }
  for (const Attribute& attribute : fed.model.node.attributes) {
    settings.push_back(attribute.name + "=" + AttributeSetting(attribute.value));
  }
  return settings;
}

}  // namespace qconform
