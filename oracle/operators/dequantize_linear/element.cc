#include "oracle/operators/dequantize_linear/element.h"

#include <algorithm>

#include "oracle/operators/dequantize_linear/value_range.h"

namespace qconform::dequantize_linear {
namespace {

using enum ValueClass;

bool IsFinite(const ExactValue& value) { return value.value_class == kFinite; }

void Set(ElementAnswer& answer, int feature) {
  answer.features = static_cast<uint16_t>(answer.features | feature);
}

std::optional<Rounder> RounderTo(
    DataType type, OverflowPolicy overflow = OverflowPolicy::kNonSaturating) {
  if (type == DataType::kUndefined) return std::nullopt;
  return Rounder(FormatOf(type), RoundingMode::kNearestEven, overflow);
}

// Returns the value after one rounding.
ExactValue RoundedBy(const Rounder& rounder, const ExactValue& value) {
  return Decode(rounder.format(), rounder(ToUnrounded(value)).code);
}

// Returns a * b by IEEE 754, exactly. Precondition: the significands have at most 64 bits
// together.
Unrounded Product(const ExactValue& a, const ExactValue& b) {
  if (!IsFinite(a) || !IsFinite(b)) return Multiply(a, b);
  return {.value_class = kFinite,
          .negative = a.negative != b.negative,
          .significand = a.significand * b.significand,
          .exponent = a.exponent + b.exponent};
}

// Returns whether |a * b| is below 2^exponent. Preconditions: both are finite, and
// those of Product.
bool ProductIsBelow(const ExactValue& a, const ExactValue& b, int exponent) {
  const int least_top = TopOf(a) + TopOf(b);
  if (least_top != exponent - 1) return least_top < exponent;
  const uint64_t product = a.significand * b.significand;
  return 63 - std::countl_zero(product) + a.exponent + b.exponent < exponent;
}

}  // namespace

Element::Element(DataType x, DataType x_scale, DataType y, const Parameters& parameters)
    : x_(&FormatOf(x)),
      x_scale_(&FormatOf(x_scale)),
      y_(&FormatOf(y)),
      parameters_(parameters),
      x_is_integer_(x_->kind == NumberKind::kInteger),
      has_free_zero_points_(x == DataType::kInt32),
      unit_(ValuesOf(*x_).lowest),
      decode_x_(*x_),
      decode_scale_(*x_scale_),
      round_to_p_(*y_, RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating),
      round_difference_(RounderTo(parameters.difference, parameters.difference_overflow)),
      round_multiplicand_(RounderTo(parameters.multiplicand)),
      round_product_(RounderTo(parameters.product)),
      p_holds_differences_(Holds(*y_, DifferencesOf(*x_))),
      p_holds_scales_(Holds(*y_, ValuesOf(*x_scale_))),
      smallest_normal_(SmallestNormalExponent(*y_)) {}

PreparedScale Element::PrepareScale(uint64_t code) const {
  PreparedScale scale;
  scale.given = decode_scale_(code);
  scale.in_p = p_holds_scales_ ? scale.given : RoundedBy(round_to_p_, scale.given);
  scale.multiplier = parameters_.multiplier == y_->type ? scale.in_p
                     : parameters_.multiplier != DataType::kUndefined
                         ? RoundedBy(*RounderTo(parameters_.multiplier), scale.given)
                         : scale.given;
  // DQ-09, DQ-13.
  if (!IsFinite(scale.given) || scale.given.negative ||
      (x_scale_->kind == NumberKind::kFloat && IsSubnormal(*x_scale_, code))) {
    scale.least_tier = Tier::kDegenerateScale;
  } else if (!IsFinite(scale.in_p)) {
    scale.least_tier = Tier::kConversionRange;
  } else if (std::min(TopOf(scale.given), TopOf(scale.in_p)) < smallest_normal_) {
    scale.least_tier = Tier::kSubnormal;
  }
  return scale;
}

FixedValue Element::Read(uint64_t code) const {
  if (x_is_integer_) {
    const int64_t value = ToInteger(*x_, code);
    return {.value_class = value == 0 ? kZero : kFinite,
            .negative = value < 0,
            .units = value};
  }
  const ExactValue value = decode_x_(code);
  FixedValue fixed{.value_class = value.value_class, .negative = value.negative};
  if (IsFinite(value)) {
    const auto units =
        static_cast<int64_t>(value.significand << (value.exponent - unit_));
    fixed.units = value.negative ? -units : units;
  }
  return fixed;
}

ExactValue Element::ToExact(const FixedValue& value) const {
  const auto units = static_cast<uint64_t>(value.units);
  return {.value_class = value.value_class,
          .negative = value.negative,
          .significand = value.units < 0 ? ~units + 1 : units,
          .exponent = unit_};
}

FixedValue Element::Subtract(const FixedValue& x, const FixedValue& zero_point) const {
  const bool x_is_number = x.value_class == kZero || x.value_class == kFinite;
  const bool other_is_number =
      zero_point.value_class == kZero || zero_point.value_class == kFinite;
  if (x_is_number && other_is_number) {
    const int64_t units = x.units - zero_point.units;
    if (units != 0) {
      return {.value_class = kFinite, .negative = units < 0, .units = units};
    }
    // -0 - (+0) is -0; every other difference of equal values is +0.
    const bool negative = x.value_class == kZero && x.negative && !zero_point.negative;
    return {.value_class = kZero, .negative = negative};
  }
  const bool is_nan =
      x.value_class == kNan || zero_point.value_class == kNan ||
      (x.value_class == zero_point.value_class && x.negative == zero_point.negative);
  if (is_nan) return {.value_class = kNan};
  if (!x_is_number) return {.value_class = kInfinity, .negative = x.negative};
  return {.value_class = kInfinity, .negative = !zero_point.negative};
}

void Element::Evaluate(uint64_t x_code, const PreparedScale& scale,
                       const PreparedZeroPoint& zero_point, ElementAnswer& answer) const {
  // (1) Difference.
  const FixedValue x = Read(x_code);
  const ExactValue exact =
      ToExact(zero_point.present ? Subtract(x, zero_point.value) : x);
  answer = {.tier = TierOf(exact, scale)};
  const bool has_offset = zero_point.present && zero_point.value.value_class != kZero;
  if (has_offset) {
    Set(answer, kFeatureZeroPoint);
    if (has_free_zero_points_) answer.freedom = Freedom::kAnyCode;
  }
  // (2) The multiplicand. Only a difference with a zero point other than zero is rounded
  // by DQ-08: an infinite x stays infinite without one.
  ExactValue difference = parameters_.zero_point_ignored ? ToExact(x) : exact;
  if (round_difference_ && has_offset) {
    difference = RoundedBy(*round_difference_, difference);
  }
  if (round_multiplicand_) difference = RoundedBy(*round_multiplicand_, difference);
  MultiplyAndRound(difference, scale, answer);
}

void Element::MultiplyAndRound(const ExactValue& difference, const PreparedScale& scale,
                               ElementAnswer& answer) const {
  // (3) Product.
  Unrounded product = Product(difference, scale.multiplier);
  if (product.value_class == kNan) {
    Set(answer, kFeatureNan);
    if (answer.freedom == Freedom::kNone) answer.freedom = Freedom::kAnyNan;
  }
  if (product.value_class == kInfinity) Set(answer, kFeatureInfinity);
  if (round_product_ && product.value_class == kFinite) {
    const Rounded rounded = (*round_product_)(product);
    if (rounded.inexact()) Set(answer, kFeatureQuotientRounded);
    product = ValueOf(rounded, product.negative);
  }
  // (4) y.
  const Rounded rounded = round_to_p_(product);
  answer.code = static_cast<uint32_t>(rounded.code);
  if (product.value_class == kFinite) {
    if (rounded.inexact()) Set(answer, kFeatureInexact);
    if (rounded.tie()) Set(answer, kFeatureTie);
    if (rounded.near_tie()) Set(answer, kFeatureNearTie);
    if (rounded.overflow) {
      Set(answer, product.negative ? kFeatureSaturatedLow : kFeatureSaturatedHigh);
    }
    if (IsSubnormal(*y_, rounded.code)) Set(answer, kFeatureSubnormalResult);
  }
  if (!IsZero(*y_, rounded.code)) return;
  Set(answer, kFeatureZeroResult);
  if (parameters_.zero_sign_dropped &&
      (!x_is_integer_ || difference.value_class == kZero)) {
    answer.code = 0;
  }
}

Tier Element::TierOf(const ExactValue& difference, const PreparedScale& scale) const {
  if (scale.least_tier >= Tier::kConversionRange || !IsFinite(difference)) {
    return scale.least_tier;
  }
  bool subnormal = scale.least_tier == Tier::kSubnormal ||
                   ProductIsBelow(difference, scale.given, smallest_normal_);
  if (!p_holds_differences_ || !p_holds_scales_) {
    const ExactValue in_p =
        p_holds_differences_ ? difference : RoundedBy(round_to_p_, difference);
    if (!IsFinite(in_p)) return Tier::kConversionRange;
    // Each of these is the product of a reading.
    subnormal = subnormal || ProductIsBelow(in_p, scale.in_p, smallest_normal_) ||
                ProductIsBelow(in_p, scale.given, smallest_normal_) ||
                ProductIsBelow(difference, scale.in_p, smallest_normal_);
  }
  return subnormal ? Tier::kSubnormal : Tier::kRegular;
}

}  // namespace qconform::dequantize_linear
