#include "cases/requantization/requantize.h"

#include <algorithm>
#include <cassert>

namespace qconform::generators {
namespace {

constexpr int64_t kFewBits[] = {3, 5, 7, 9, 11, 13};

// A sum as an exact value.
Unrounded SumValue(Int128 sum, int unit) {
  if (sum == 0) return {};
  Unrounded value{
      .value_class = ValueClass::kFinite, .negative = sum < 0, .exponent = unit};
  value.significand = static_cast<Uint128>(sum < 0 ? -sum : sum);
  return value;
}

const Rounder& RoundToWide() {
  static constexpr NumberFormat kWide{
      .kind = NumberKind::kInteger, .bits = 62, .is_signed = true};
  static const Rounder round(kWide, RoundingMode::kNearestEven,
                             OverflowPolicy::kSaturate);
  return round;
}

int64_t ToWide(const Unrounded& value) {
  const uint64_t code = RoundToWide()(value).code;
  return static_cast<int64_t>(code << 2) >> 2;  // 62 bits, sign extended
}

bool UsesFloat(const NumberFormat& y) { return y.kind == NumberKind::kFloat; }

uint64_t CodeOf(const Requantization& requantization, const Unrounded& v) {
  const NumberFormat& y = requantization.y;
  if (!UsesFloat(y)) {
    if (v.value_class == ValueClass::kNan) return 0;
    const int64_t rounded =
        static_cast<int32_t>(Prepared(FormatOf(DataType::kInt32)).nearest(v).code);
    return IntegerCode(y, rounded + ToInteger(y, requantization.y_zero_point));
  }
  const ExactValue zero_point = Prepared(y).decode(requantization.y_zero_point);
  const bool added = zero_point.value_class == ValueClass::kFinite;
  const uint64_t code = Prepared(y).nearest(added ? Add(v, zero_point) : v).code;
  const uint64_t magnitude = code & ((uint64_t{1} << (y.bits - 1)) - 1);
  return magnitude == 0 ? 0 : code;  // MM-12
}

// Products and quotients rounded to one format.
struct Rounding {
  const NumberFormat& format;
  ExactValue operator()(const Unrounded& value) const { return RoundTo(format, value); }
  ExactValue Times(const ExactValue& one, const ExactValue& other) const {
    return RoundTo(format, Multiply(one, other));
  }
  ExactValue Over(const ExactValue& one, const ExactValue& other) const {
    return RoundTo(format, Divide(one, other));
  }
};

// m as gemmlowp has it: 31 bits and a shift; C * m rounded to nearest, away from
// zero at half.
Unrounded FixedPoint(const Unrounded& sum, const RequantizationScales& scales) {
  const ExactValue product = ToExact(Multiply(scales.a, scales.b));
  const Unrounded m = Divide(product, scales.y);
  if (m.value_class != ValueClass::kFinite) return m;
  const int drop = TopBit(m.significand) - 30;
  const ExactValue multiplier{
      .value_class = ValueClass::kFinite,
      .negative = m.negative,
      .significand = static_cast<uint64_t>((m.significand >> (drop - 1)) + 1) >> 1,
      .exponent = m.exponent + drop};
  const Unrounded v = MultiplyWide(sum, multiplier);
  static constexpr NumberFormat kWide{
      .kind = NumberKind::kInteger, .bits = 62, .is_signed = true};
  static const Rounder round(kWide, RoundingMode::kNearestAway,
                             OverflowPolicy::kSaturate);
  if (v.value_class != ValueClass::kFinite) return v;
  return ToUnrounded(Dyadic(static_cast<int64_t>(round(v).code << 2) >> 2, 0));
}

}  // namespace

uint64_t ScaleCode(const NumberFormat& scale, ScaleFamily family, int exponent,
                   CounterRng& rng) {
  exponent = std::clamp(exponent, SmallestExponent(scale), LargestExponent(scale) - 1);
  switch (family) {
    case ScaleFamily::kPowerOfTwo:
      return RoundNearest(scale, ToUnrounded(Dyadic(1, exponent)));
    case ScaleFamily::kFewBits: {
      const int64_t odd = rng.Pick(kFewBits);
      const int width = odd < 4 ? 2 : odd < 8 ? 3 : 4;
      return RoundNearest(scale, ToUnrounded(Dyadic(odd, exponent - width + 1)));
    }
    case ScaleFamily::kFull:
      break;
  }
  const int bits = scale.mantissa_bits;
  const int64_t low = static_cast<int64_t>(rng.Next32() & ((1u << bits) - 1)) | 1;
  return RoundNearest(scale,
                      ToUnrounded(Dyadic((int64_t{1} << bits) | low, exponent - bits)));
}

ScaleExponents ChooseScaleExponents(const NumberFormat& scale, int sum_exponent,
                                    int result_exponent, CounterRng& rng) {
  // Exponents of FLOAT16 are few: the product and the multiplier must stay
  // normal there too (MM-20). Two binades are left for the fractions.
  const int least = SmallestExponent(scale) + 2;
  const int most = LargestExponent(scale) - 2;
  const int multiplier = std::clamp(result_exponent - sum_exponent, least, most);
  const int width = std::min(6, -least / 2);
  ScaleExponents exponents;
  exponents.a = -static_cast<int>(rng.Below(static_cast<uint32_t>(width)));
  exponents.b = -static_cast<int>(rng.Below(static_cast<uint32_t>(width)));
  // The operands' scales share the part of the multiplier that y_scale cannot have.
  const int y = exponents.a + exponents.b - multiplier;
  const int rest = std::clamp(y, least, most) - y;
  exponents.a += rest / 2;
  exponents.b += rest - rest / 2;
  exponents.y = std::clamp(exponents.a + exponents.b - multiplier, least, most);
  return exponents;
}

Int128 SumFor(const Requantization& requantization, const RequantizationScales& scales,
              const ExactValue& target) {
  const ExactValue numerator = ToExact(Multiply(target, scales.y));
  Unrounded sum = Divide(numerator, ToExact(Multiply(scales.a, scales.b)));
  sum.exponent -= requantization.sum_unit;
  return ToWide(sum);
}

uint64_t AimedScale(const Requantization& requantization, uint64_t code,
                    const ExactValue& other, const ExactValue& y,
                    const ExactValue& target, int64_t sum) {
  const NumberFormat& scale = requantization.scale;
  // 38 digits are more than any scale has, and leave room for a product.
  int unit = requantization.sum_unit;
  for (; sum >> 38 != 0; sum >>= 1) ++unit;
  const ExactValue numerator = ToExact(Multiply(target, y));
  ExactValue denominator = ToExact(Multiply(Dyadic(sum, unit), other));
  denominator.negative = numerator.negative;
  if (denominator.value_class != ValueClass::kFinite) return code;
  const uint64_t aimed = RoundNearest(scale, Divide(numerator, denominator));
  // Only by a few binades: the other sums must stay in range.
  const ExactValue value = Prepared(scale).decode(aimed);
  const ExactValue before = Prepared(scale).decode(code);
  if (value.value_class != ValueClass::kFinite || IsSubnormal(scale, aimed)) return code;
  const int moved = FloorLog2(value) - FloorLog2(before);
  return -2 <= moved && moved <= 2 ? aimed : code;
}

uint64_t ExactCode(const Requantization& requantization,
                   const RequantizationScales& scales, Int128 sum) {
  const Unrounded c = SumValue(sum, requantization.sum_unit);
  const Unrounded product = MultiplyWide(c, ToExact(Multiply(scales.a, scales.b)));
  return CodeOf(requantization, DivideWide(product, scales.y));
}

uint64_t WrongCode(const Requantization& requantization,
                   const RequantizationScales& scales, Int128 sum,
                   WrongRequantization mistake) {
  const Rounding f32{FormatOf(DataType::kFloat)};
  const Rounding f64{FormatOf(DataType::kDouble)};
  const Rounding own{requantization.scale};
  const Unrounded c = SumValue(sum, requantization.sum_unit);
  const auto& [a, b, y] = scales;
  const auto v = [&](const ExactValue& value) {
    return CodeOf(requantization, ToUnrounded(value));
  };
  switch (mistake) {
    case WrongRequantization::kMultiplierAbFirst:
      return v(f32.Times(f32(c), f32.Over(f32.Times(a, b), y)));
    case WrongRequantization::kMultiplierByFirst:
      return v(f32.Times(f32(c), f32.Times(a, f32.Over(b, y))));
    case WrongRequantization::kMultiplierAyFirst:
      return v(f32.Times(f32(c), f32.Times(f32.Over(a, y), b)));
    case WrongRequantization::kDequantizeQuantize:
      return v(f32.Over(f32.Times(f32.Times(f32(c), a), b), y));
    case WrongRequantization::kCombined:
      return v(f32.Over(f32.Times(f32(c), f32.Times(a, b)), y));
    case WrongRequantization::kDoubleProduct:
      return v(f64.Times(f64(c), f32.Over(f32.Times(a, b), y)));
    case WrongRequantization::kDoubleChain:
      return v(f64.Over(f64.Times(f64.Times(f64(c), a), b), y));
    case WrongRequantization::kScaleTypeMultiplier:
      return v(f32.Times(f32(c), own.Over(own.Times(a, b), y)));
    case WrongRequantization::kReciprocal:
      return v(f32.Times(f32.Times(f32(c), f32.Times(a, b)), f32.Over(Dyadic(1, 0), y)));
    case WrongRequantization::kNarrowScales: {
      const Rounding narrow{FormatOf(requantization.scale.type == DataType::kFloat
                                         ? DataType::kFloat16
                                         : DataType::kBfloat16)};
      const RequantizationScales rounded{narrow(ToUnrounded(a)), narrow(ToUnrounded(b)),
                                         narrow(ToUnrounded(y))};
      const bool finite = rounded.a.value_class == ValueClass::kFinite &&
                          rounded.b.value_class == ValueClass::kFinite &&
                          rounded.y.value_class == ValueClass::kFinite;
      return ExactCode(requantization, finite ? rounded : scales, sum);
    }
    case WrongRequantization::kFixedPoint:
      break;
  }
  if (UsesFloat(requantization.y))
    return v(f32.Over(f32.Times(f32(c), f32.Times(a, b)), y));
  return CodeOf(requantization, FixedPoint(c, scales));
}

}  // namespace qconform::generators
