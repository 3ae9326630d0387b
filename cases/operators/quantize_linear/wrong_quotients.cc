#include "cases/operators/quantize_linear/wrong_quotients.h"

#include <array>

namespace qconform::generators {
namespace {

using enum WrongQuotient;

constexpr std::array kAll{
    kExact,           kConvertedExact,     kUnconverted,       kReciprocal,
    kFloatDivision,   kFloat16Division,    kBfloat16Division,  kDoubleDivision,
    kFloatReciprocal, kFloatReciprocalToP, kTruncatedQuotient, kTruncatedConversion,
    kThroughFloat,    kThroughFloat16,     kThroughBfloat16,   kIntegerDivision};

// Without a P to round to: those that need none.
constexpr std::array kWithoutP{kFloatDivision,  kFloat16Division, kBfloat16Division,
                               kDoubleDivision, kFloatReciprocal, kThroughFloat,
                               kThroughFloat16, kThroughBfloat16, kIntegerDivision};

ExactValue Converted(const NumberFormat& format, const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite) return value;
  return RoundTo(format, ToUnrounded(value));
}

ExactValue Truncated(const NumberFormat& format, const Unrounded& value) {
  const PreparedFormat& prepared = Prepared(format);
  return prepared.decode(prepared.to_precision_toward_zero(value).code);
}

ExactValue ConvertedTowardZero(const NumberFormat& format, const ExactValue& value) {
  if (value.value_class != ValueClass::kFinite) return value;
  return Truncated(format, ToUnrounded(value));
}

// The operands of one element, and what follows from them.
struct Division {
  const NumberFormat* p;
  const ExactValue& x;
  const ExactValue& scale;
  const Divisor& divisor;  // P(scale)

  // P(x) / P(scale), not rounded.
  Unrounded Exact() const { return Divide(p == nullptr ? x : Converted(*p, x), divisor); }
  Unrounded Canonical() const {
    return p == nullptr ? Exact() : ToUnrounded(RoundTo(*p, Exact()));
  }
  Unrounded In(const NumberFormat& format) const {
    return ToUnrounded(
        RoundTo(format, Divide(Converted(format, x), Converted(format, scale))));
  }
  Unrounded ReciprocalIn(const NumberFormat& format) const {
    const ExactValue reciprocal =
        RoundTo(format, Divide(Dyadic(1, 0), Converted(format, scale)));
    return ToUnrounded(RoundTo(format, Multiply(Converted(format, x), reciprocal)));
  }
  Unrounded Through(const NumberFormat& format) const {
    return ToUnrounded(RoundTo(format, Canonical()));
  }
  Unrounded Whole() const {
    const Unrounded exact = Divide(x, scale);
    if (exact.value_class != ValueClass::kFinite) return exact;
    return ToUnrounded(Truncated(FormatOf(DataType::kInt32), exact));
  }
};

Unrounded QuotientBy(const Division& division, WrongQuotient mistake) {
  const auto format = [](DataType type) -> const NumberFormat& { return FormatOf(type); };
  const NumberFormat* p = division.p;
  switch (mistake) {
    case kExact:
      return Divide(division.x, division.scale);
    case kConvertedExact:
      return division.Exact();
    case kUnconverted:
      return ToUnrounded(RoundTo(*p, Divide(division.x, division.scale)));
    case kReciprocal:
      return division.ReciprocalIn(*p);
    case kFloatDivision:
      return division.In(format(DataType::kFloat));
    case kFloat16Division:
      return division.In(format(DataType::kFloat16));
    case kBfloat16Division:
      return division.In(format(DataType::kBfloat16));
    case kDoubleDivision:
      return division.In(format(DataType::kDouble));
    case kFloatReciprocal:
      return division.ReciprocalIn(format(DataType::kFloat));
    case kFloatReciprocalToP:
      return ToUnrounded(RoundTo(*p, division.ReciprocalIn(format(DataType::kFloat))));
    case kTruncatedQuotient:
      return ToUnrounded(Truncated(*p, division.Exact()));
    case kTruncatedConversion:
      return ToUnrounded(RoundTo(*p, Divide(ConvertedTowardZero(*p, division.x),
                                            ConvertedTowardZero(*p, division.scale))));
    case kThroughFloat:
      return division.Through(format(DataType::kFloat));
    case kThroughFloat16:
      return division.Through(format(DataType::kFloat16));
    case kThroughBfloat16:
      return division.Through(format(DataType::kBfloat16));
    case kIntegerDivision:
      break;
  }
  return division.Whole();
}

constexpr uint64_t kAnyCode = ~uint64_t{0};

enum class Final : uint8_t { kEven, kAway, kTowardZero };

uint64_t CodeOf(const QuantizeLinearQuestion& question,
                const QuantizeLinearChannel& channel, const Unrounded& quotient,
                Final final = Final::kEven) {
  if (quotient.value_class == ValueClass::kNan) return kAnyCode;
  const NumberFormat& y = question.y;
  const bool integer = y.kind == NumberKind::kInteger;
  const PreparedFormat& prepared = Prepared(integer ? FormatOf(DataType::kInt32) : y);
  const bool saturates = integer || question.variant.saturate != 0 || !HasNan(y.type);
  const Rounder& round = final == Final::kAway         ? prepared.away
                         : final == Final::kTowardZero ? prepared.toward_zero
                         : saturates                   ? prepared.nearest
                                                       : prepared.to_precision;
  if (integer) {
    const int64_t rounded = static_cast<int32_t>(round(quotient).code);
    return IntegerCode(y, rounded + ToInteger(y, channel.zero_point_code));
  }
  const uint64_t code = channel.zero_point.value_class == ValueClass::kZero
                            ? round(quotient).code
                            : round(Add(quotient, channel.zero_point)).code;
  return IsNan(y, code) ? kAnyCode : code;
}

Division DivisionOf(const QuantizeLinearQuestion& question,
                    const QuantizeLinearChannel& channel, const ExactValue& x) {
  return {question.p, x, channel.scale, channel.prepared_divisor};
}

}  // namespace

std::span<const WrongQuotient> WrongQuotients(const QuantizeLinearQuestion& question) {
  if (question.p == nullptr) return kWithoutP;
  return kAll;
}

uint64_t CanonicalCode(const QuantizeLinearQuestion& question,
                       const QuantizeLinearChannel& channel, uint64_t x_code) {
  const ExactValue x = Prepared(question.x).decode(x_code);
  return CodeOf(question, channel, DivisionOf(question, channel, x).Canonical());
}

uint64_t AwayCode(const QuantizeLinearQuestion& question,
                  const QuantizeLinearChannel& channel, uint64_t x_code) {
  const ExactValue x = Prepared(question.x).decode(x_code);
  return CodeOf(question, channel, DivisionOf(question, channel, x).Canonical(),
                Final::kAway);
}

uint64_t TowardZeroCode(const QuantizeLinearQuestion& question,
                        const QuantizeLinearChannel& channel, uint64_t x_code) {
  const ExactValue x = Prepared(question.x).decode(x_code);
  return CodeOf(question, channel, DivisionOf(question, channel, x).Canonical(),
                Final::kTowardZero);
}

uint64_t AddedInPCode(const QuantizeLinearQuestion& question,
                      const QuantizeLinearChannel& channel, uint64_t x_code) {
  const ExactValue x = Prepared(question.x).decode(x_code);
  const Unrounded quotient = DivisionOf(question, channel, x).Canonical();
  if (question.p == nullptr || question.y.kind == NumberKind::kInteger) {
    return CodeOf(question, channel, quotient);
  }
  QuantizeLinearChannel none = channel;
  none.zero_point = {};
  const ExactValue sum = RoundTo(*question.p, Add(quotient, channel.zero_point));
  return CodeOf(question, none, ToUnrounded(sum));
}

uint64_t WrongCode(const QuantizeLinearQuestion& question,
                   const QuantizeLinearChannel& channel, uint64_t x_code,
                   WrongQuotient mistake) {
  const ExactValue x = Prepared(question.x).decode(x_code);
  return CodeOf(question, channel, QuotientBy(DivisionOf(question, channel, x), mistake));
}

}  // namespace qconform::generators
