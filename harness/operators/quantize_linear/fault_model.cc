#include "harness/operators/quantize_linear/fault_model.h"

#include <algorithm>
#include <optional>

#include "harness/operators/quantize_linear/fault_packing.h"
#include "harness/operators/quantize_linear/fault_quotient.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Switches = QuantizeLinearSwitches;
using R = Switches::Rounding;
using O = Switches::Order;
using V = Switches::Overflow;

constexpr ExactValue kHalf{
    .value_class = ValueClass::kFinite, .significand = 1, .exponent = -1};

// The grid of a FLOAT6 type as a kernel has it that mixes up the two.
NumberFormat GridOf(const NumberFormat& y, Switches::Grid grid) {
  if (!CrossesBytes(y.bits) || grid == Switches::Grid::kRight) return y;
  const NumberFormat& other = OtherFloat6(y);
  if (grid == Switches::Grid::kOtherFormat) return other;
  NumberFormat mixed = y;
  mixed.exponent_bias = other.exponent_bias;
  return mixed;
}

class Evaluation {
 public:
  Evaluation(const DecodedQuantizeLinear& decoded, const Switches& switches,
             const FaultState& state)
      : d_(decoded),
        s_(switches),
        state_(state),
        quotients_(decoded, switches),
        integer_(decoded.y->kind == NumberKind::kInteger),
        float8_(IsFloat8(decoded.y->type)),
        float6_(!integer_ && CrossesBytes(decoded.y->bits)),
        grid_(GridOf(*decoded.y, switches.grid)),
        target_(*decoded.y, switches.rounding, switches.order, switches.overflow),
        saturating_(*decoded.y, switches.rounding, switches.order, V::kSaturate),
        behind_vectors_(*decoded.y, switches.rounding, switches.order,
                        V::kInt32SaturatedWraps),
        places_(decoded.places),
        zero_points_(MisreadZeroPoints(decoded, switches.zero_point_read)) {
    if (!integer_) {
      const bool saturate =
          !float8_ || ((d_.saturate || s_.always_saturates) && !NeverSaturates());
      policy_ = saturate ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating;
      const R rounding = AddsHalf(s_.rounding) ? R::kEven : s_.rounding;
      to_y_.emplace(grid_, ModeOf(rounding), policy_);
      to_y_away_.emplace(grid_, RoundingMode::kNearestAway, policy_);
      to_y_zero_.emplace(grid_, RoundingMode::kTowardZero, policy_);
    }
    if (float6_ && s_.through != DataType::kUndefined) {
      through_.emplace(FormatOf(s_.through), RoundingMode::kNearestEven,
                       OverflowPolicy::kSaturate);
    }
    quotient_is_canonical_ = s_.quotient == Switches::Quotient::kCanonical &&
                             !s_.default_precision && !s_.flush_x && !s_.flush_scale &&
                             !s_.flush_quotient && !s_.absolute_scale &&
                             !s_.zero_scale_is_one && !s_.int32_through_float &&
                             s_.scale_place == Switches::Place::kRight;
  }

  Evaluation(const Evaluation&) = delete;  // the roundings point to grid_
  Evaluation& operator=(const Evaluation&) = delete;

  uint32_t Element(int64_t index, QuantizeLinearTrace* trace = nullptr) const {
    const ExactValue& zero_point =
        zero_points_[zero_points_.size() == 1 ? 0
                                              : places_.Of(s_.zero_point_place, index)];
    const Unrounded q = QuotientOf(index, zero_point);
    if (trace != nullptr) {
      trace->scale = Scale(index);
      trace->zero_point = zero_point;
      trace->quotient = q;
    }
    IntegerSteps* steps = trace == nullptr ? nullptr : &trace->of_integer;
    return static_cast<uint32_t>(integer_ ? IntegerResult(q, zero_point, index, steps)
                                          : FloatResult(q, zero_point, index));
  }

 private:
  Unrounded QuotientOf(int64_t index, const ExactValue& zero_point) const {
    const ExactValue& x = d_.x_values[static_cast<size_t>(index)];
    if (s_.fake_quantize && integer_) {
      return quotients_.LevelOf(x, Scale(index), zero_point);
    }
    if (s_.order == O::kFused) {
      return quotients_.MultipliedAndAdded(x, Scale(index), zero_point);
    }
    return quotient_is_canonical_ ? d_.quotients[static_cast<size_t>(index)]
                                  : quotients_.Of(x, Scale(index));
  }

  ExactValue Scale(int64_t index) const {
    if (s_.scale_place == Switches::Place::kPreviousCall) {
      const auto* previous = std::any_cast<ExactValue>(&state_.memory);
      return previous != nullptr ? *previous : d_.scales[places_.Of({}, index)];
    }
    return d_.scales[places_.Of(s_.scale_place, index)];
  }

  bool NeverSaturates() const {
    return s_.never_saturates && d_.y_scale->kind == NumberKind::kFloat;
  }
  // Where a random tie falls.
  bool RandomBit(int64_t index) const {
    uint64_t mixed = static_cast<uint64_t>(state_.calls) * 0x9E3779B97F4A7C15u +
                     static_cast<uint64_t>(index) * 0xBF58476D1CE4E5B9u;
    mixed ^= mixed >> 29;
    return (mixed * 0x94D049BB133111EBu >> 63) != 0;
  }

  // Whether an element shares its byte with one of the same scale; without meaning, so
  // true, unless y has 4 bits and the scale is a float.
  bool FillsByte(int64_t index) const {
    using Granularity = QuantizeLinearLayout::Granularity;
    if (d_.y->bits != 4 || d_.y_scale->kind == NumberKind::kInteger) return true;
    const int64_t other = index ^ 1;
    if (other >= static_cast<int64_t>(d_.x_values.size())) return false;
    const QuantizeLinearLayout& l = d_.layout;
    switch (l.granularity) {
      case Granularity::kPerTensor:
        return true;
      case Granularity::kPerAxis:
        return index / l.inner == other / l.inner;
      case Granularity::kBlocked:
        return l.inner == 1 && index / l.axis == other / l.axis &&
               index % l.axis / l.block == other % l.axis / l.block;
    }
    return true;
  }

  // Whether an element lies outside of the place of a wrong overflow.
  bool OverflowsRight(int64_t index) const {
    using Place = Switches::OverflowPlace;
    using Granularity = QuantizeLinearLayout::Granularity;
    const bool is_integer = d_.x->kind == NumberKind::kInteger;
    if (s_.overflow == V::kInt32SaturatedWraps && is_integer) return true;
    const bool has_precision = d_.since_version >= kFirstWithPrecision;
    if (s_.int32_through_float && !(is_integer && has_precision)) return true;
    switch (s_.overflow_place) {
      case Place::kEverywhere:
        break;
      case Place::kPartialBytes:
        return FillsByte(index);
      case Place::kStridedBlocks:
        return d_.layout.granularity != Granularity::kBlocked || d_.layout.inner == 1;
      case Place::kVectorsOf64:  // of UINT8
        return is_integer || d_.y->bits != 8 || d_.y->is_signed;
    }
    return false;
  }

  const IntegerTarget& TargetOf(int64_t index) const {
    if (OverflowsRight(index)) return saturating_;
    const bool in_vectors = index < std::ssize(d_.x_values) / 64 * 64;
    const bool is_behind =
        s_.overflow_place == Switches::OverflowPlace::kVectorsOf64 && !in_vectors;
    return is_behind ? behind_vectors_ : target_;
  }

  uint64_t IntegerResult(Unrounded q, const ExactValue& zero_point, int64_t index,
                         IntegerSteps* steps) const {
    if (s_.sign_lost) q.negative = false;
    if (s_.fake_quantize) {
      const uint64_t lowest = static_cast<uint64_t>(IntegerMin(*d_.y));
      const uint64_t mask = (uint64_t{1} << d_.y->bits) - 1;
      return target_.CodeOf(q, Decode(*d_.y, lowest & mask), RandomBit(index), steps);
    }
    const IntegerTarget& target = TargetOf(index);
    if (s_.overflow == V::kInfinityIsZero && q.value_class == ValueClass::kInfinity) {
      return target.CodeOf(zero_point);
    }
    const bool adds = target.adds_before_rounding() && s_.order != O::kFused;
    Unrounded value = adds ? Add(q, zero_point) : q;
    if (s_.order == O::kBeforeInP) value = quotients_.InP(value);
    if (AddsHalf(s_.rounding)) value = quotients_.InP(Add(value, kHalf));
    return target.CodeOf(value, zero_point, RandomBit(index), steps);
  }

  // The code of a zero point, as an integer.
  ExactValue CodeAsInteger(const ExactValue& zero_point) const {
    const uint64_t code = Round(*d_.y, ToUnrounded(zero_point),
                                RoundingMode::kNearestEven, OverflowPolicy::kSaturate);
    if (code == 0) return {};
    return {.value_class = ValueClass::kFinite, .significand = code};
  }

  // The zero point added as the readings of QL-20a and QL-24 say.
  Unrounded ByReading(const Unrounded& q, const ExactValue& zero_point,
                      int64_t index) const {
    const QuantizeLinearReadings& readings = d_.readings;
    const bool is_zero = zero_point.value_class == ValueClass::kZero;
    const bool adds_zero =
        d_.has_zero_point ? readings.zero_point_added : readings.missing_zero_point_added;
    if (is_zero && !adds_zero) return q;
    switch (readings.float_zero_point) {
      case FloatZeroPoint::kCanonical:
        break;
      case FloatZeroPoint::kIgnored:
        return is_zero ? Add(q, zero_point) : q;
      case FloatZeroPoint::kRoundThenAdd:
        if (q.value_class == ValueClass::kNan) return q;
        return Add(ToUnrounded(Decode(*d_.y, FloatRound(q, index))), zero_point);
      case FloatZeroPoint::kAddedInP: {
        const Unrounded sum = Add(q, zero_point);
        return sum.value_class == ValueClass::kFinite ? quotients_.InP(sum) : sum;
      }
    }
    return Add(q, zero_point);
  }

  Unrounded WithZeroPoint(const Unrounded& q, const ExactValue& zero_point,
                          int64_t index) const {
    if (s_.order == O::kAsInteger && float6_) {
      const ExactValue offset = CodeAsInteger(zero_point);
      return offset.value_class == ValueClass::kZero ? q : Add(q, offset);
    }
    if (s_.order == O::kAfter) return ByReading(q, zero_point, index);
    if (zero_point.value_class == ValueClass::kZero) return q;
    switch (s_.order) {
      case O::kIgnored:
      case O::kFused:
        return q;
      case O::kAfterClamp: {
        const Rounder to_y(*d_.y, RoundingMode::kNearestEven, policy_);
        if (q.value_class == ValueClass::kNan) return q;
        const uint64_t code = IsNanHere(q) ? CanonicalNan(*d_.y) : to_y(q).code;
        return Add(ToUnrounded(Decode(*d_.y, code)), zero_point);
      }
      case O::kSubtracted: {
        ExactValue minus = zero_point;
        minus.negative = !minus.negative;
        return Add(q, minus);
      }
      case O::kAfter:
      case O::kAsInteger:
      case O::kBeforeInP:
      case O::kBeforeRounding:
        break;
    }
    return Add(q, zero_point);
  }

  // Rounds to `through` first.
  Unrounded Through(const Unrounded& value) const {
    if (!through_ || value.value_class != ValueClass::kFinite) return value;
    return ToUnrounded(Decode(through_->format(), (*through_)(value).code));
  }

  // FLOAT6: codes that the format has, and a kernel takes for something else.
  uint64_t Float6Code(uint64_t code, const Unrounded& value) const {
    const NumberFormat& y = *d_.y;
    const uint64_t sign = code & (uint64_t{1} << (y.bits - 1));
    if (s_.overflow_to_infinity_code && (*to_y_)(value).overflow) {
      return sign | (((uint64_t{1} << y.exponent_bits) - 1) << y.mantissa_bits);
    }
    if (s_.largest_is_free && (code ^ sign) == LargestFinite(y)) return code - 1;
    if (s_.subnormal_sign_lost && IsSubnormal(y, code)) return code ^ sign;
    return code;
  }

  // QL-22.
  bool IsNanHere(const Unrounded& value) const {
    const bool has_nan = d_.since_version < 24 ? !d_.readings.fnuz_infinity_largest
                                               : d_.readings.fnuz_infinity_nan;
    return value.value_class == ValueClass::kInfinity && has_nan &&
           d_.y->nan == NanEncoding::kNegativeZero;
  }

  uint64_t FloatRound(const Unrounded& value, int64_t index) const {
    if (IsNanHere(value)) return CanonicalNan(*d_.y);
    const Rounded rounded = (*to_y_)(value);
    if (!AsksForTies(s_.rounding) || !rounded.tie()) return rounded.code;
    const bool away = TieGoesAway(s_.rounding, value.negative, RandomBit(index));
    return (away ? *to_y_away_ : *to_y_zero_)(value).code;
  }

  // What a kernel gives that tests for overflow by exponent, and takes rounding's carry
  // for another case.
  uint64_t CarriedCode(const Unrounded& value, uint64_t code) const {
    const NumberFormat& y = *d_.y;
    if (policy_ != OverflowPolicy::kNonSaturating || !float8_ ||
        value.value_class != ValueClass::kFinite || value.significand == 0 ||
        y.nan == NanEncoding::kNegativeZero || !(*to_y_)(value).overflow) {
      return code;
    }
    const ExactValue largest = Decode(y, LargestFinite(y));
    if (TopBit(value.significand) + value.exponent > TopOf(largest)) return code;
    const uint64_t sign = value.negative ? uint64_t{1} << (y.bits - 1) : 0;
    if (y.has_infinity) return CanonicalNan(y) | sign;
    // NaN has the code of `next`; above it by half a step begins the next binade.
    const int step = TopOf(largest) - y.mantissa_bits;
    const ExactValue next{.value_class = ValueClass::kFinite,
                          .negative = !value.negative,
                          .significand = (uint64_t{2} << y.mantissa_bits) - 1,
                          .exponent = step};
    const Unrounded beyond = Add(value, next);
    if (beyond.value_class == ValueClass::kZero) return LargestFinite(y) | sign;
    const bool is_below = beyond.negative != value.negative;
    const bool rounds_up = TopBit(beyond.significand) + beyond.exponent >= step - 1;
    return is_below || rounds_up ? code : LargestFinite(y) | sign;
  }

  static Unrounded EndedAt240(const Unrounded& q) {
    ExactValue end{.value_class = ValueClass::kFinite, .significand = 240};
    end.negative = !q.negative;
    const Unrounded beyond = Add(q, end);
    const bool is_beyond = beyond.value_class != ValueClass::kNan &&
                           beyond.value_class != ValueClass::kZero &&
                           beyond.negative == q.negative;
    if (!is_beyond) return q;
    end.negative = q.negative;
    return ToUnrounded(end);
  }

  uint64_t FloatResult(const Unrounded& quotient, const ExactValue& zero_point,
                       int64_t index) const {
    const NumberFormat& y = *d_.y;
    Unrounded q = Through(
        WithZeroPoint(IntegerFirst(quotient, s_.integer_first), zero_point, index));
    if (s_.sign_lost) q.negative = false;
    if (s_.ends_at_240 && y.type == DataType::kFloat8E4M3FN) q = EndedAt240(q);
    if (s_.nan_is_zero && q.value_class == ValueClass::kNan) return 0;
    if (s_.fnuz_doubled && y.nan == NanEncoding::kNegativeZero &&
        q.value_class == ValueClass::kFinite) {
      ++q.exponent;
    }
    const bool infinite = q.value_class == ValueClass::kInfinity;
    if (s_.infinity_is_nan && infinite && float8_) return CanonicalNan(y);
    const uint64_t sign = uint64_t{1} << (y.bits - 1);
    if (s_.early_overflow && d_.x->kind == NumberKind::kFloat &&
        policy_ == OverflowPolicy::kNonSaturating &&
        q.value_class == ValueClass::kFinite) {
      ExactValue end = Decode(y, LargestFinite(y));
      end.negative = !q.negative;
      const Unrounded beyond = Add(q, end);
      if (beyond.value_class == ValueClass::kFinite && beyond.negative == q.negative) {
        q.value_class = ValueClass::kInfinity;
      }
    }
    if (s_.flush_before_rounding && q.value_class == ValueClass::kFinite &&
        TopBit(q.significand) + q.exponent <
            TopOf(Decode(y, uint64_t{1} << y.mantissa_bits))) {
      q = {.negative = q.negative};  // the least normal number is not reached
    }
    uint64_t code = FloatRound(q, index);
    if (float6_ && q.value_class != ValueClass::kNan) code = Float6Code(code, q);
    if (s_.late_overflow && q.value_class == ValueClass::kFinite && IsNan(y, code) &&
        y.nan == NanEncoding::kAllOnes) {
      // The first binade beyond the range keeps the largest finite.
      if (q.significand != 0 &&
          TopBit(q.significand) + q.exponent <= TopOf(Decode(y, LargestFinite(y)))) {
        code = LargestFinite(y) | (q.negative ? sign : 0);
      }
    }
    if (s_.overflow_by_carry) code = CarriedCode(q, code);
    if (s_.flush_result && IsSubnormal(y, code))
      code = y.has_negative_zero ? code & sign : 0;
    if (s_.drop_zero_sign && d_.x->kind == NumberKind::kFloat && code == sign &&
        y.has_negative_zero)
      code = 0;
    if (d_.readings.zero_sign_dropped && code == sign && y.nan == NanEncoding::kNone)
      code = 0;
    if (s_.negative_zero_code && code == 0 && q.negative) code = sign;
    if (s_.negative_underflow_code && code == 0 && q.negative &&
        q.value_class == ValueClass::kFinite) {
      code = sign;
    }
    if (s_.saturate_to_infinity && infinite && y.has_infinity)
      code = Infinity(y, q.negative);
    return code;
  }

  const DecodedQuantizeLinear& d_;
  const Switches& s_;
  const FaultState& state_;
  FaultyQuotients quotients_;
  bool integer_;
  bool float8_;
  bool float6_;
  NumberFormat grid_;  // of y
  bool quotient_is_canonical_ = false;
  OverflowPolicy policy_ = OverflowPolicy::kSaturate;
  IntegerTarget target_;
  IntegerTarget saturating_;  // where an overflow is no mistake
  IntegerTarget behind_vectors_;
  FaultyPlaces places_;
  std::vector<ExactValue> zero_points_;
  std::optional<Rounder> to_y_, to_y_away_, to_y_zero_, through_;
};

// Returns the switches that act on the case: mistakes with the quotient may be those of
// the path without `precision`, and those with a reciprocal want scales that are floats.
Switches Acting(const DecodedQuantizeLinear& decoded, Switches switches) {
  const bool has_precision = decoded.since_version >= kFirstWithPrecision;
  const bool is_other_path =
      decoded.precision != decoded.default_precision ||
      (switches.quotient == Switches::Quotient::kReciprocal && !has_precision);
  if (switches.order == O::kFused && decoded.y_scale->kind != NumberKind::kFloat) {
    switches.order = O::kAfter;
  }
  if (switches.without_precision && is_other_path) {
    switches.quotient = Switches::Quotient::kCanonical;
    switches.type = DataType::kUndefined;
    switches.flush_quotient = false;
  }
  switches.without_precision = false;
  return switches;
}

}  // namespace

std::vector<uint32_t> EvaluateWithSwitches(const DecodedQuantizeLinear& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const QuantizeLinearSwitches& switches,
                                           FaultState& state) {
  const size_t count = decoded.x_values.size();
  std::vector<uint32_t> codes = canonical;
  // A mistake in storing needs no evaluation.
  Switches arithmetic = switches;
  arithmetic.storage = Switches::Storage::kRight;
  arithmetic = Acting(decoded, arithmetic);
  if (arithmetic != Switches{}) {
    const auto lanes = static_cast<size_t>(switches.tail_lanes);
    const Evaluation evaluation(decoded, arithmetic, state);
    for (size_t i = lanes == 0 ? 0 : count / lanes * lanes; i < count; ++i) {
      codes[i] = evaluation.Element(static_cast<int64_t>(i));
    }
  }
  Misplace(decoded, switches.storage, codes);
  ++state.calls;
  if (!decoded.scales.empty()) state.memory = decoded.scales.front();
  return codes;
}

QuantizeLinearTrace TraceElement(const DecodedQuantizeLinear& decoded,
                                 const QuantizeLinearSwitches& switches, int64_t index) {
  QuantizeLinearSwitches acting = Acting(decoded, switches);
  const auto count = static_cast<int64_t>(decoded.x_values.size());
  const bool is_whole_vector = switches.tail_lanes != 0 &&
                               index < count / switches.tail_lanes * switches.tail_lanes;
  if (is_whole_vector) acting = {};
  const FaultState state;
  QuantizeLinearTrace trace;
  trace.code = Evaluation(decoded, acting, state).Element(index, &trace);
  return trace;
}

}  // namespace qconform
