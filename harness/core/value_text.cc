#include "harness/core/value_text.h"

#include <cmath>
#include <cstdio>

#include "oracle/formats/codes.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

std::string Decimal(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

ValueRecord ShownValue(DataType type, uint64_t code) {
  return {BitsToString(type, code), ValueToString(type, code)};
}

std::vector<OperandRecord> ShownOperands(const std::vector<ElementOperand>& operands) {
  std::vector<OperandRecord> shown;
  for (const ElementOperand& operand : operands) {
    shown.push_back({operand.name, operand.type, ShownValue(operand.type, operand.code)});
  }
  return shown;
}

std::string ValueText(const Unrounded& value) {
  switch (value.value_class) {
    case ValueClass::kNan:
      return "NaN";
    case ValueClass::kInfinity:
      return value.negative ? "-Inf" : "+Inf";
    case ValueClass::kZero:
      return value.negative ? "-0" : "0";
    case ValueClass::kFinite:
      break;
  }
  const double size = std::ldexp(static_cast<double>(value.significand), value.exponent);
  std::string text = (value.negative ? "-" : "") + Decimal(size);
  // Digits that decimal text does not show: how far from the multiple of 1/2 there.
  const double halves = std::round(size * 2) / 2;
  if (halves > 0 && halves < 1e9 && Decimal(halves) == Decimal(size)) {
    const Unrounded magnitude{.value_class = value.value_class,
                              .negative = false,
                              .sticky = value.sticky,
                              .significand = value.significand,
                              .exponent = value.exponent};
    const auto twice = static_cast<uint64_t>(halves * 2);
    const ExactValue minus{.value_class = ValueClass::kFinite,
                           .negative = true,
                           .significand = twice,
                           .exponent = -1};
    const Unrounded rest = Add(magnitude, minus);
    if (rest.value_class == ValueClass::kFinite) {
      const double distance =
          std::ldexp(static_cast<double>(rest.significand), rest.exponent);
      text = (value.negative ? "-" : "") + Decimal(halves) +
             (rest.negative == value.negative ? " + " : " - ") + Decimal(distance);
    } else if (rest.sticky) {
      text += rest.negative ? " and a little less" : " and a little more";
    }
  }
  return text;
}

std::string ValueText(const ExactValue& value) { return ValueText(ToUnrounded(value)); }

std::string TypedText(const NumberFormat* format, const Unrounded& value) {
  const std::string text = ValueText(value);
  if (format == nullptr || value.value_class == ValueClass::kNan) return text;
  const uint64_t code =
      Round(*format, value, RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating);
  const ExactValue back = Decode(*format, code);
  const bool same = back.value_class == value.value_class &&
                    (value.value_class != ValueClass::kFinite ||
                     Add(value, {.value_class = ValueClass::kFinite,
                                 .negative = !back.negative,
                                 .significand = back.significand,
                                 .exponent = back.exponent})
                             .value_class == ValueClass::kZero);
  if (!same || value.sticky) return text;
  return BitsToString(format->type, code) + " (" + text + ")";
}

std::string CodeText(DataType type, uint64_t code) {
  const std::string bits = BitsToString(type, code);
  const ExactValue value = Decode(FormatOf(type), code);
  std::string text = value.value_class == ValueClass::kFinite ? ValueText(value)
                                                              : ValueToString(type, code);
  return bits + " (" + text + ")";
}

std::string RoundedText(const std::optional<int64_t>& rounded, const Unrounded& value) {
  constexpr int64_t kLargestZeroPoint = int64_t{1} << 16;
  constexpr int64_t kEnd = (int64_t{1} << 47) - 1 - kLargestZeroPoint;
  if (!rounded) return "-";
  return std::abs(*rounded) < kEnd ? std::to_string(*rounded) : ValueText(value);
}

}  // namespace qconform
