#include "oracle/core/target.h"

#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Rounded quotients of integer targets: wide enough that a value which saturates
// here also saturates after a zero point of 16 bits is added.
constexpr NumberFormat kWideInteger{
    .kind = NumberKind::kInteger, .bits = 48, .is_signed = true};

void Set(ElementAnswer& answer, int feature) {
  answer.features = static_cast<uint16_t>(answer.features | feature);
}

}  // namespace

std::string_view ReadingName(FloatZeroPoint reading) {
  constexpr std::string_view kNames[] = {"", "zero_point_ignored", "round_then_add",
                                         "added_in_p"};
  return kNames[static_cast<size_t>(reading)];
}

bool IsFloatOffset(const TensorView& zero_point) {
  if (!IsFloatingPoint(zero_point.type)) return false;
  for (const uint64_t code : ReadCodes(zero_point)) {
    if (!IsZero(FormatOf(zero_point.type), code)) return true;
  }
  return false;
}

Target::Target(DataType y, const TargetParameters& parameters, DataType precision)
    : y_(&FormatOf(y)),
      parameters_(parameters),
      is_integer_(IsInteger(y)),
      code_mask_((uint64_t{1} << y_->bits) - 1),
      overflow_is_seen_(HasNan(y) &&
                        parameters.overflow == OverflowPolicy::kNonSaturating),
      round_(is_integer_ ? kWideInteger : *y_, parameters.rounding,
             HasNan(y) ? parameters.overflow : OverflowPolicy::kSaturate) {
  if (is_integer_) {
    smallest_ = IntegerMin(*y_);
    largest_ = IntegerMax(*y_);
  }
  if (precision != DataType::kUndefined) {
    round_sum_.emplace(FormatOf(precision), RoundingMode::kNearestEven,
                       OverflowPolicy::kNonSaturating);
  }
}

PreparedZeroPoint Target::PrepareZeroPoint(uint64_t code) const {
  PreparedZeroPoint zero_point{.present = true};
  zero_point.value = Decode(*y_, code);
  zero_point.zero = zero_point.value.value_class == ValueClass::kZero;
  if (is_integer_) zero_point.integer = ToInteger(*y_, code);
  return zero_point;
}

void Target::Round(const Unrounded& value, const PreparedZeroPoint& zero_point,
                   ElementAnswer& answer) const {
  if (value.value_class == ValueClass::kNan) Set(answer, kFeatureNan);
  if (value.value_class == ValueClass::kInfinity) Set(answer, kFeatureInfinity);
  if (!zero_point.zero) Set(answer, kFeatureZeroPoint);
  if (is_integer_) {
    RoundToInteger(value, zero_point, answer);
  } else {
    RoundToFloat(value, zero_point, answer);
  }
}

// Rounds, adds the zero point before or after, and saturates.
void Target::RoundToInteger(const Unrounded& value, const PreparedZeroPoint& zero_point,
                            ElementAnswer& answer) const {
  if (value.value_class == ValueClass::kNan) {
    answer.code = static_cast<uint32_t>(static_cast<uint64_t>(smallest_) & code_mask_);
    answer.freedom = Freedom::kAnyCode;
    return;
  }
  const bool adds_first = parameters_.zero_point_before_rounding;
  const Unrounded first = adds_first ? AddInP(value, zero_point.value) : value;
  const Rounded rounded = round_(first);
  const int64_t magnitude =
      rounded.overflow ? IntegerMax(kWideInteger) : static_cast<int64_t>(rounded.units);
  const int64_t sum =
      (first.negative ? -magnitude : magnitude) + (adds_first ? 0 : zero_point.integer);
  int64_t y = sum;
  if (sum < smallest_) {
    y = smallest_;
    Set(answer, kFeatureSaturatedLow);
  } else if (sum > largest_) {
    y = largest_;
    Set(answer, kFeatureSaturatedHigh);
  }
  if (rounded.inexact() || y != sum) Set(answer, kFeatureInexact);
  if (rounded.tie() || rounded.near_tie()) {
    // The other neighbour: beyond the last code there is none, and no tie could be seen.
    const int64_t outward = first.negative ? -1 : 1;
    const int64_t other = rounded.away ? sum - outward : sum + outward;
    if (y == sum && smallest_ <= other && other <= largest_) {
      Set(answer, rounded.tie() ? kFeatureTie : kFeatureNearTie);
    }
  }
  if (y == 0) Set(answer, kFeatureZeroResult);
  answer.code = static_cast<uint32_t>(static_cast<uint64_t>(y) & code_mask_);
}

void Target::RoundToFloat(const Unrounded& value, const PreparedZeroPoint& zero_point,
                          ElementAnswer& answer) const {
  const bool adds_zero = zero_point.present ? parameters_.zero_point_added
                                            : parameters_.missing_zero_point_added;
  const bool adds = !zero_point.zero || adds_zero;
  const Unrounded sum = adds ? AddZeroPoint(value, zero_point.value) : value;
  const Rounded rounded = Encode(sum);
  answer.code = static_cast<uint32_t>(rounded.code);
  if (sum.value_class == ValueClass::kNan && y_->nan == NanEncoding::kNone) {
    answer.freedom = Freedom::kAnyCode;
    return;
  }
  if (IsNan(*y_, rounded.code)) answer.freedom = Freedom::kAnyNan;
  if (rounded.overflow)
    Set(answer, sum.negative ? kFeatureSaturatedLow : kFeatureSaturatedHigh);
  if (rounded.inexact()) Set(answer, kFeatureInexact);
  // If overflow saturates, both sides of the middle beyond the largest finite number have
  // the same code.
  if (!rounded.at_limit || overflow_is_seen_) {
    if (rounded.tie()) Set(answer, kFeatureTie);
    if (rounded.near_tie()) Set(answer, kFeatureNearTie);
  }
  if (IsSubnormal(*y_, rounded.code)) Set(answer, kFeatureSubnormalResult);
  const uint64_t magnitude = rounded.code & (code_mask_ >> 1);
  if (magnitude == 0 && !IsNan(*y_, rounded.code)) {
    Set(answer, kFeatureZeroResult);
    if (parameters_.zero_sign_dropped && y_->nan == NanEncoding::kNone) answer.code = 0;
  }
}

// Rounds to y's grid; infinities get the code of the reading.
Rounded Target::Encode(const Unrounded& value) const {
  Rounded rounded = round_(value);
  if (value.value_class != ValueClass::kInfinity) return rounded;
  if (parameters_.fnuz_infinity_nan && y_->nan == NanEncoding::kNegativeZero) {
    rounded.code = CanonicalNan(*y_);
  }
  if (parameters_.e5m2_infinity && y_->has_infinity) {
    rounded.code = Infinity(*y_, value.negative);
  }
  return rounded;
}

Unrounded Target::AddZeroPoint(const Unrounded& value,
                               const ExactValue& zero_point) const {
  switch (parameters_.float_zero_point) {
    case FloatZeroPoint::kCanonical:
      break;
    case FloatZeroPoint::kIgnored:
      // A zero point of zero may still decide the sign of a zero if zero_point_added.
      if (zero_point.value_class != ValueClass::kZero) return value;
      break;
    case FloatZeroPoint::kRoundThenAdd:
      // If the format has no NaN, it stays NaN here.
      if (value.value_class == ValueClass::kNan) return value;
      return Add(ToUnrounded(Decode(*y_, Encode(value).code)), zero_point);
    case FloatZeroPoint::kAddedInP:
      return AddInP(value, zero_point);
  }
  return Add(value, zero_point);
}

Unrounded Target::AddInP(const Unrounded& value, const ExactValue& zero_point) const {
  const Unrounded sum = Add(value, zero_point);
  if (!round_sum_ || sum.value_class != ValueClass::kFinite) return sum;
  return ValueOf((*round_sum_)(sum), sum.negative);
}

}  // namespace qconform
