#include "cases/generators/quantize_linear_rivals.h"

#include <array>

namespace qconform::generators {
namespace {

using enum QuotientRival;

constexpr std::array kAll{
    kExact,           kConvertedExact,     kUnconverted,       kReciprocal,
    kFloatDivision,   kFloat16Division,    kBfloat16Division,  kDoubleDivision,
    kFloatReciprocal, kFloatReciprocalToP, kTruncatedQuotient, kTruncatedConversion,
    kThroughFloat,    kThroughFloat16,     kThroughBfloat16,   kIntegerDivision};

// Without a P to round to: those that need none.
constexpr std::array kWithoutP{kFloatDivision,  kFloat16Division, kBfloat16Division,
                               kDoubleDivision, kFloatReciprocal, kThroughFloat,
                               kThroughFloat16, kThroughBfloat16, kIntegerDivision};

constexpr RoundingMode kEven = RoundingMode::kNearestEven;

ExactValue Rounded(const NumberFormat& format, const Unrounded& value,
                   RoundingMode mode = kEven) {
  return Decode(format, Round(format, value, mode, OverflowPolicy::kNonSaturating));
}

ExactValue Converted(const NumberFormat& format, const ExactValue& value,
                     RoundingMode mode = kEven) {
  if (value.value_class != ValueClass::kFinite) return value;
  return Rounded(format, ToUnrounded(value), mode);
}

// round_P(P(x) / P(s)).
Unrounded DivisionIn(const NumberFormat& precision, const ExactValue& x,
                     const ExactValue& scale) {
  return ToUnrounded(
      Rounded(precision, Divide(Converted(precision, x), Converted(precision, scale))));
}

// P(x) * P(1 / P(s)), not yet rounded.
Unrounded ReciprocalIn(const NumberFormat& precision, const ExactValue& x,
                       const ExactValue& scale) {
  const ExactValue reciprocal =
      Rounded(precision, Divide(Dyadic(1, 0), Converted(precision, scale)));
  return Multiply(Converted(precision, x), reciprocal);
}

Unrounded Canonical(const NumberFormat* p, const ExactValue& x, const ExactValue& scale) {
  return p == nullptr ? Divide(x, scale) : DivisionIn(*p, x, scale);
}

Unrounded RivalQuotient(const NumberFormat* p, const ExactValue& x,
                        const ExactValue& scale, QuotientRival rival) {
  const NumberFormat& flt = FormatOf(DataType::kFloat);
  const NumberFormat& half = FormatOf(DataType::kFloat16);
  const NumberFormat& bfloat = FormatOf(DataType::kBfloat16);
  const auto through = [&](const NumberFormat& format) {
    return ToUnrounded(Rounded(format, Canonical(p, x, scale)));
  };
  switch (rival) {
    case kExact:
      return Divide(x, scale);
    case kConvertedExact:
      return Divide(Converted(*p, x), Converted(*p, scale));
    case kUnconverted:
      return ToUnrounded(Rounded(*p, Divide(x, scale)));
    case kReciprocal:
      return ToUnrounded(Rounded(*p, ReciprocalIn(*p, x, scale)));
    case kFloatDivision:
      return DivisionIn(flt, x, scale);
    case kFloat16Division:
      return DivisionIn(half, x, scale);
    case kBfloat16Division:
      return DivisionIn(bfloat, x, scale);
    case kDoubleDivision:
      return DivisionIn(FormatOf(DataType::kDouble), x, scale);
    case kFloatReciprocal:
      return ToUnrounded(Rounded(flt, ReciprocalIn(flt, x, scale)));
    case kFloatReciprocalToP:
      return ToUnrounded(
          Rounded(*p, ToUnrounded(Rounded(flt, ReciprocalIn(flt, x, scale)))));
    case kTruncatedQuotient:
      return ToUnrounded(Rounded(*p, Divide(Converted(*p, x), Converted(*p, scale)),
                                 RoundingMode::kTowardZero));
    case kTruncatedConversion:
      return ToUnrounded(
          Rounded(*p, Divide(Converted(*p, x, RoundingMode::kTowardZero),
                             Converted(*p, scale, RoundingMode::kTowardZero))));
    case kThroughFloat:
      return through(flt);
    case kThroughFloat16:
      return through(half);
    case kThroughBfloat16:
      return through(bfloat);
    case kIntegerDivision:
      break;
  }
  const Unrounded exact = Divide(x, scale);
  if (exact.value_class != ValueClass::kFinite) return exact;
  const NumberFormat& wide = FormatOf(DataType::kInt32);
  return ToUnrounded(Decode(
      wide, Round(wide, exact, RoundingMode::kTowardZero, OverflowPolicy::kSaturate)));
}

constexpr uint64_t kAnyCode = ~uint64_t{0};

uint64_t CodeOf(const QuantizeLinearQuestion& question,
                const QuantizeLinearChannel& channel, const Unrounded& quotient,
                RoundingMode mode = kEven) {
  if (quotient.value_class == ValueClass::kNan) return kAnyCode;
  const NumberFormat& y = question.y;
  if (y.kind == NumberKind::kInteger) {
    const NumberFormat& wide = FormatOf(DataType::kInt32);
    const int64_t rounded =
        ToInteger(wide, Round(wide, quotient, mode, OverflowPolicy::kSaturate));
    return IntegerCode(y, rounded + ToInteger(y, channel.zero_point_code));
  }
  const OverflowPolicy policy = question.variant.saturate != 0 || !IsFloat8(y.type)
                                    ? OverflowPolicy::kSaturate
                                    : OverflowPolicy::kNonSaturating;
  Unrounded value = quotient;
  if (channel.zero_point.value_class != ValueClass::kZero) {
    value = Add(quotient, channel.zero_point);
  }
  const uint64_t code = Round(y, value, mode, policy);
  return IsNan(y, code) ? kAnyCode : code;
}

}  // namespace

std::span<const QuotientRival> QuotientRivals(const QuantizeLinearQuestion& question) {
  if (question.p == nullptr) return kWithoutP;
  return kAll;
}

uint64_t CanonicalCode(const QuantizeLinearQuestion& question,
                       const QuantizeLinearChannel& channel, uint64_t x_code) {
  return CodeOf(question, channel,
                Canonical(question.p, Decode(question.x, x_code), channel.scale));
}

uint64_t OtherwiseRounded(const QuantizeLinearQuestion& question,
                          const QuantizeLinearChannel& channel, uint64_t x_code,
                          RoundingMode mode) {
  return CodeOf(question, channel,
                Canonical(question.p, Decode(question.x, x_code), channel.scale), mode);
}

uint64_t RivalCode(const QuantizeLinearQuestion& question,
                   const QuantizeLinearChannel& channel, uint64_t x_code,
                   QuotientRival rival) {
  return CodeOf(
      question, channel,
      RivalQuotient(question.p, Decode(question.x, x_code), channel.scale, rival));
}

}  // namespace qconform::generators
