#include "harness/core/allows.h"

#include <algorithm>

#include "oracle/formats/number_format.h"

namespace qconform {

bool Allows(DataType type, const ElementAnswer& expected, uint64_t actual) {
  if (actual == expected.code) return true;
  if (expected.zero_sign_is_free) {
    // The answer is a zero; so is `actual`, apart from its sign.
    if (IsZero(FormatOf(type), actual)) return true;
  }
  switch (expected.freedom) {
    case Freedom::kNone:
      return false;
    case Freedom::kAnyNan:
      return IsNan(FormatOf(type), actual);
    case Freedom::kAnyCode:
    case Freedom::kSameCode:
      return true;
    case Freedom::kOneOf:  // `code` is one of them; who has the others asks for them
      return false;
  }
  return false;
}

bool IsOneOf(DataType type, std::span<const uint32_t> allowed, uint32_t code) {
  const NumberFormat& format = FormatOf(type);
  const bool is_nan = IsNan(format, code);
  return std::ranges::any_of(allowed, [&](uint32_t one) {
    return one == code || (is_nan && IsNan(format, one));
  });
}

bool Allows(const CaseAnswer& expected, size_t index, std::span<const uint32_t> codes) {
  const ElementAnswer& element = expected.elements[index];
  if (element.freedom == Freedom::kSameCode) {
    return codes[index] == codes[*expected.same_code_as];
  }
  if (element.freedom == Freedom::kOneOf &&
      IsOneOf(expected.TypeOf(index), expected.one_of.at(index), codes[index])) {
    return true;
  }
  return Allows(expected.TypeOf(index), element, codes[index]);
}

}  // namespace qconform
