#include "harness/core/operand_text.h"

#include <bit>
#include <cerrno>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "oracle/base/expected.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// A number, truncated to DOUBLE, and whether that cut something off. Rounding to DOUBLE
// first would turn numbers next to a midpoint of the format into the midpoint.
struct Decimal {
  double value = 0;
  bool goes_on = false;
  double nearest = 0;
};

Decimal ReadDecimal(const std::string& text, char** stopped) {
  const int mode = std::fegetround();
  std::fesetround(FE_UPWARD);
  const double above = std::strtod(text.c_str(), nullptr);
  std::fesetround(FE_DOWNWARD);
  const double below = std::strtod(text.c_str(), nullptr);
  std::fesetround(mode);
  errno = 0;
  const double nearest = std::strtod(text.c_str(), stopped);
  // The caller handles NaN and numbers beyond DOUBLE.
  if (!(below < above) || !std::isfinite(nearest)) return {nearest, false, nearest};
  return {nearest < 0 ? above : below, true, nearest};
}

// Returns the magnitude of a finite value of at most 53 significant bits.
double MagnitudeOf(const NumberFormat& format, uint64_t code) {
  const ExactValue value = Decode(format, code);
  return std::ldexp(static_cast<double>(value.significand), value.exponent);
}

// Returns whether `code` is no neighbour of `value`, which need not be finite.
bool IsLost(const NumberFormat& format, double value, uint64_t code) {
  const ExactValue got = Decode(format, code);
  if (got.value_class == ValueClass::kNan) return !std::isnan(value);
  if (got.value_class == ValueClass::kInfinity) return !std::isinf(value);
  if (got.value_class == ValueClass::kZero) return value != 0;
  if (!std::isfinite(value)) return true;
  if (format.has_infinity || format.nan != NanEncoding::kNone) return false;
  // A format without infinity and NaN clamps to its largest value.
  return std::abs(value) > MagnitudeOf(format, LargestFinite(format));
}

// Returns what a number may be that the format does not hold: "a value from -7.5 to 7.5
// (FLOAT6E2M3)", or for one that would become zero "0 or a magnitude of 0.125 or more".
std::string HeldValues(const NumberFormat& format, double value) {
  const auto text_of = [&](uint64_t code) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", MagnitudeOf(format, code));
    return std::string(text);
  };
  const std::string name = " (" + std::string(DataTypeName(format.type)) + ")";
  if (std::abs(value) < 1) {
    return "0 or a magnitude of " + text_of(SmallestPositive(format)) + " or more" + name;
  }
  const std::string largest = text_of(LargestFinite(format));
  std::string text = "a value from -" + largest + " to " + largest;
  const bool has_nan = format.nan != NanEncoding::kNone;
  if (format.has_infinity) text += has_nan ? ", inf or nan" : " or inf";
  if (!format.has_infinity && has_nan) text += " or nan";
  return text + name;
}

}  // namespace

Result<uint64_t> ParseOperand(DataType type, const std::string& text,
                              std::string_view what) {
  const NumberFormat& format = FormatOf(type);
  const std::string name(DataTypeName(type));
  const std::string got = "'" + text + "'";
  const char* end = text.data() + text.size();
  // A hexadecimal float is a number: 0x1.4p+1 is 2.5.
  const bool has_prefix = text.starts_with("0x") || text.starts_with("0X");
  if (has_prefix && text.find_first_of(".pP") == std::string::npos) {
    uint64_t code = 0;
    const auto [stopped, error] = std::from_chars(text.data() + 2, end, code, 16);
    const bool fits = format.bits == 64 || code >> format.bits == 0;
    if (error == std::errc() && stopped == end && fits) return code;
    return Expected(what, "a code of " + name, got);
  }
  if (format.kind == NumberKind::kInteger) {
    int64_t value = 0;
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stopped == end && value >= IntegerMin(format) &&
        value <= IntegerMax(format)) {
      return static_cast<uint64_t>(value) & ((uint64_t{1} << format.bits) - 1);
    }
    return Expected(what,
                    "an integer from " + std::to_string(IntegerMin(format)) + " to " +
                        std::to_string(IntegerMax(format)) + " (" + name + ")",
                    got);
  }
  char* stopped = nullptr;
  const Decimal decimal = ReadDecimal(text, &stopped);
  const double value = decimal.value;
  if (text.empty() || *stopped != '\0') {
    return Expected(
        what, "a number such as 0.05, 0x1.4p+1 or inf, or a code such as 0x3f800000",
        got);
  }
  const bool out_of_range = errno == ERANGE;
  if (format.kind == NumberKind::kPowerOfTwo) {
    int exponent = 0;
    // A printed power of two has enough digits to be distinct from other DOUBLEs.
    if (std::frexp(decimal.nearest, &exponent) == 0.5 && exponent - 1 >= -127 &&
        exponent - 1 <= 127) {
      return static_cast<uint64_t>(exponent - 1 + 127);
    }
    return Expected(what, "a power of two from 2^-127 to 2^127 (" + name + ")", got);
  }
  const NumberFormat& wide = FormatOf(DataType::kDouble);
  const ExactValue exact = Decode(wide, std::bit_cast<uint64_t>(value));
  Unrounded unrounded = ToUnrounded(exact);
  unrounded.sticky = decimal.goes_on;
  const uint64_t code = Round(format, unrounded, RoundingMode::kNearestEven,
                              OverflowPolicy::kNonSaturating);
  if (out_of_range || IsLost(format, value, code)) {
    return Expected(what, HeldValues(format, value) + ", or a code such as 0x1", got);
  }
  return code;
}

}  // namespace qconform
