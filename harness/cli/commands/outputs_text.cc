#include "harness/cli/commands/outputs_text.h"

#include "harness/core/value_text.h"

namespace qconform {

std::string TensorText(DataType type, const Shape& shape, std::span<const uint32_t> codes,
                       size_t most) {
  if (shape.empty()) return CodeText(type, codes.front());
  std::string text = "[";
  for (size_t i = 0; i < codes.size() && i < most; ++i) {
    text += (i == 0 ? "" : ", ") + CodeText(type, codes[i]);
  }
  return text + (codes.size() > most ? ", ...]" : "]");
}

std::string OutputsText(const std::string& indent, const CaseAnswer& answer,
                        std::span<const uint32_t> codes, size_t most) {
  std::string text;
  for (const OutputForm& form : answer.outputs) {
    const auto count = static_cast<size_t>(ElementCount(form.shape).value_or(0));
    text += indent + form.name + " = " +
            TensorText(form.type, form.shape, codes.subspan(form.first, count), most) +
            "\n";
  }
  return text;
}

}  // namespace qconform
