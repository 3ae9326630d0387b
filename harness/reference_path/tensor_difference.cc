#include "harness/reference_path/tensor_difference.h"

#include <cstdint>

#include "cases/model/carried_type.h"
#include "harness/core/value_text.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

int BitsOf(DataType type) {
  const auto carried = static_cast<int>(CarriedBytes(type));
  return carried > 0 ? 8 * carried : BitWidth(type);
}

uint64_t CodeAt(const Tensor& tensor, size_t index) {
  const auto bits = static_cast<size_t>(BitsOf(tensor.type));
  uint64_t code = 0;
  for (size_t bit = 0; bit < bits; ++bit) {
    const size_t at = index * bits + bit;
    const auto one = (tensor.data[at / 8] >> (at % 8)) & std::byte{1};
    code |= std::to_integer<uint64_t>(one) << bit;
  }
  return code;
}

bool IsNanCode(DataType type, uint64_t code) {
  return CarriedBytes(type) == 0 && IsNan(FormatOf(type), code);
}

std::string CodeWords(DataType type, uint64_t code) {
  return CarriedBytes(type) > 0 ? std::to_string(code) : CodeText(type, code);
}

}  // namespace

std::optional<std::string> DifferenceOf(const Tensor& first, const Tensor& second,
                                        std::string_view before,
                                        std::string_view between) {
  const auto words = [&](const std::string& there, const std::string& here) {
    return std::string(before) + there + std::string(between) + here;
  };
  if (first.type != second.type || first.shape != second.shape) {
    return words(CarriedTypeName(first.type) + " " + ShapeToString(first.shape),
                 CarriedTypeName(second.type) + " " + ShapeToString(second.shape));
  }
  const auto size = CarriedByteSize(first.type, first.shape);
  if (!size || first.data.size() != *size || second.data.size() != *size) {
    return words(std::to_string(first.data.size()) + " bytes",
                 std::to_string(second.data.size()));
  }
  if (first.data == second.data) return std::nullopt;
  const auto count = static_cast<size_t>(ElementCount(first.shape).value_or(0));
  size_t differing = 0;
  std::string shown;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t one = CodeAt(first, i);
    const uint64_t other = CodeAt(second, i);
    if (one == other) continue;
    if (IsNanCode(first.type, one) && IsNanCode(first.type, other)) continue;
    if (++differing > 1) continue;
    shown = "element " + std::to_string(i) + ": " +
            words(CodeWords(first.type, one), CodeWords(first.type, other));
  }
  if (differing == 0) return std::nullopt;
  return std::to_string(differing) + " of " + std::to_string(count) +
         (count == 1 ? " element differs, " : " elements differ, first ") + shown;
}

}  // namespace qconform
