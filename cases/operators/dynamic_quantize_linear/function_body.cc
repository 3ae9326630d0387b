#include "cases/operators/dynamic_quantize_linear/function_body.h"

#include <algorithm>
#include <limits>

namespace qconform::generators {
namespace {

constexpr int kLevels = 255;

const NumberFormat& Float() { return FormatOf(DataType::kFloat); }

// Values rounded to one format after each operation.
struct Rounding {
  const NumberFormat& format;

  ExactValue operator()(const Unrounded& value) const { return RoundTo(format, value); }
  ExactValue Minus(const ExactValue& a, ExactValue b) const {
    b.negative = !b.negative;
    return RoundTo(format, Add(ToUnrounded(a), b));
  }
  ExactValue Times(const ExactValue& a, const ExactValue& b) const {
    return RoundTo(format, Multiply(a, b));
  }
  ExactValue Over(const ExactValue& a, const ExactValue& b) const {
    return RoundTo(format, Divide(a, b));
  }
};

const Rounding& F32() {
  static const Rounding rounding{Float()};
  return rounding;
}
const Rounding& F64() {
  static const Rounding rounding{FormatOf(DataType::kDouble)};
  return rounding;
}

// Returns the nearest integer, ties to even, in [0, 255]; 0 for NaN.
int ToByte(const Unrounded& value) {
  if (value.value_class == ValueClass::kNan) return 0;
  const auto rounded =
      static_cast<int32_t>(Prepared(FormatOf(DataType::kInt32)).nearest(value).code);
  return std::clamp(rounded, 0, kLevels);
}

Unrounded NegatedValue(Unrounded value) {
  value.negative = !value.negative;
  return value;
}

Unrounded ExactRange(const FloatRange& range) {
  ExactValue least = range.least;
  least.negative = !least.negative;
  return Add(ToUnrounded(range.greatest), least);
}

}  // namespace

ExactValue FloatValue(uint32_t code) { return Prepared(Float()).decode(code); }

uint32_t FloatCode(const Unrounded& value) {
  return static_cast<uint32_t>(Prepared(Float()).to_precision(value).code);
}

uint32_t NegatedFloat(uint32_t code) {
  return static_cast<uint32_t>(Negated(Float(), code));
}

uint32_t StepFloat(uint32_t code, int steps) {
  return static_cast<uint32_t>(Step(Float(), code, steps));
}

bool IsBelow(uint32_t a, uint32_t b) {
  return ValueOrder(Float(), a) < ValueOrder(Float(), b);
}

FloatRange WithZero(uint32_t lowest, uint32_t highest) {
  return {.least = IsBelow(lowest, 0) ? FloatValue(lowest) : ExactValue{},
          .greatest = IsBelow(0, highest) ? FloatValue(highest) : ExactValue{}};
}

ExactValue BodyScale(const FloatRange& range) {
  return F32().Over(F32().Minus(range.greatest, range.least), Dyadic(kLevels, 0));
}

int BodyZeroPoint(const FloatRange& range, const ExactValue& scale) {
  return ToByte(ToUnrounded(F32().Minus({}, F32().Over(range.least, scale))));
}

bool DiffersByReciprocal(const ExactValue& x, const ExactValue& scale) {
  const auto nearest = [](const ExactValue& value) {
    return Prepared(FormatOf(DataType::kInt32)).nearest(ToUnrounded(value)).code;
  };
  const ExactValue reciprocal = F32().Over(Dyadic(1, 0), scale);
  return nearest(F32().Over(x, scale)) != nearest(F32().Times(x, reciprocal));
}

ExactValue ScaleBy(WrongScale formula, const FloatRange& range) {
  const ExactValue one = Dyadic(1, 0);
  const ExactValue levels = Dyadic(kLevels, 0);
  switch (formula) {
    case WrongScale::kExactRange:
      return F32()(DivideWide(ExactRange(range), levels));
    case WrongScale::kDoubleRange:
      return F32()(
          ToUnrounded(F64().Over(F64().Minus(range.greatest, range.least), levels)));
    case WrongScale::kReciprocal:
      return F32().Times(F32().Minus(range.greatest, range.least),
                         F32().Over(one, levels));
    case WrongScale::kDividedBefore:
      break;
  }
  return F32().Minus(F32().Over(range.greatest, levels), F32().Over(range.least, levels));
}

int ZeroPointBy(WrongZeroPoint formula, const FloatRange& range,
                const ExactValue& scale) {
  const ExactValue levels = Dyadic(kLevels, 0);
  switch (formula) {
    case WrongZeroPoint::kFromGreatest:
      return ToByte(ToUnrounded(F32().Minus(levels, F32().Over(range.greatest, scale))));
    case WrongZeroPoint::kReciprocal:
      return ToByte(NegatedValue(
          ToUnrounded(F32().Times(range.least, F32().Over(Dyadic(1, 0), scale)))));
    case WrongZeroPoint::kExactQuotient:
      return ToByte(NegatedValue(Divide(range.least, scale)));
    case WrongZeroPoint::kUnroundedScale:
      return ToByte(NegatedValue(
          Divide(ToExact(Multiply(range.least, levels)), ToExact(ExactRange(range)))));
    case WrongZeroPoint::kMultipliedFirst:
      break;
  }
  return ToByte(NegatedValue(ToUnrounded(F32().Over(
      F32().Times(range.least, levels), F32().Minus(range.greatest, range.least)))));
}

}  // namespace qconform::generators
