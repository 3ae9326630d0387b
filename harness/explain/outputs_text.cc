#include "harness/explain/outputs_text.h"

#include "harness/core/value_text.h"
#include "oracle/formats/codes.h"
#include "reports/show/terminal_text.h"

namespace qconform {

namespace {

// `code_of`: of an element.
template <typename CodeOf>
std::string ListText(DataType type, const Shape& shape, size_t count, size_t most,
                     CodeOf code_of) {
  if (shape.empty()) return CodeText(type, code_of(0));
  std::string text = "[";
  for (size_t i = 0; i < count && i < most; ++i) {
    text += (i == 0 ? "" : ", ") + CodeText(type, code_of(i));
  }
  return text + (count > most ? ", ...]" : "]");
}

}  // namespace

std::string TensorText(DataType type, const Shape& shape, std::span<const uint32_t> codes,
                       size_t most) {
  return ListText(type, shape, codes.size(), most, [&](size_t i) { return codes[i]; });
}

std::string TensorText(const Tensor& tensor, size_t most) {
  const auto count = static_cast<size_t>(ElementCount(tensor.shape).value_or(0));
  return ListText(tensor.type, tensor.shape, count, most, [&](size_t i) {
    return ReadCode(tensor.view(), static_cast<int64_t>(i));
  });
}

std::string OutputsText(const std::string& indent, const CaseAnswer& answer,
                        std::span<const uint32_t> codes, size_t most) {
  std::string text;
  for (const OutputForm& form : answer.outputs) {
    const auto count = static_cast<size_t>(ElementCount(form.shape).value_or(0));
    text += indent + OneLine(form.name) + " = " +
            TensorText(form.type, form.shape, codes.subspan(form.first, count), most) +
            "\n";
  }
  return text;
}

}  // namespace qconform
