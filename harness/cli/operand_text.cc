#include "harness/cli/operand_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

Error Wrong(std::string_view what, const std::string& text, const std::string& right) {
  return Error{std::string(what) + " '" + text + "' is no " + right};
}

}  // namespace

Result<uint64_t> ParseOperand(DataType type, const std::string& text,
                              std::string_view what) {
  const NumberFormat& format = FormatOf(type);
  const std::string name(DataTypeName(type));
  const char* end = text.data() + text.size();
  if (text.starts_with("0x") || text.starts_with("0X")) {
    uint64_t code = 0;
    const auto [stopped, error] = std::from_chars(text.data() + 2, end, code, 16);
    const bool fits = format.bits == 64 || code >> format.bits == 0;
    if (error == std::errc() && stopped == end && fits) return code;
    return Wrong(what, text, "code of " + name);
  }
  if (format.kind == NumberKind::kInteger) {
    int64_t value = 0;
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stopped == end && value >= IntegerMin(format) &&
        value <= IntegerMax(format)) {
      return static_cast<uint64_t>(value) & ((uint64_t{1} << format.bits) - 1);
    }
    return Wrong(what, text,
                 name + ": an integer from " + std::to_string(IntegerMin(format)) +
                     " to " + std::to_string(IntegerMax(format)) + " is right");
  }
  char* stopped = nullptr;
  const double value = std::strtod(text.c_str(), &stopped);
  if (text.empty() || *stopped != '\0') {
    return Wrong(what, text, "number, such as 0.05, inf, or a code such as 0x3f800000");
  }
  if (format.kind == NumberKind::kPowerOfTwo) {
    int exponent = 0;
    if (std::frexp(value, &exponent) == 0.5 && exponent - 1 >= -127 &&
        exponent - 1 <= 127) {
      return static_cast<uint64_t>(exponent - 1 + 127);
    }
    return Wrong(what, text,
                 "power of two from 2^-127 to 2^127, as " + name + " has them");
  }
  const NumberFormat& wide = FormatOf(DataType::kDouble);
  const ExactValue exact = Decode(wide, std::bit_cast<uint64_t>(value));
  return Round(format, ToUnrounded(exact), RoundingMode::kNearestEven,
               OverflowPolicy::kNonSaturating);
}

}  // namespace qconform
