#include "harness/operators/quantize_linear/fault_model.h"

#include <algorithm>
#include <optional>

#include "harness/operators/quantize_linear/fault_places.h"
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
        target_(*decoded.y, switches.rounding, switches.order, switches.overflow),
        places_(decoded) {
    if (!integer_) {
      const bool saturate =
          !float8_ || ((d_.saturate || s_.always_saturates) && !NeverSaturates());
      policy_ = saturate ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating;
      const R rounding = s_.rounding == R::kAddHalfInP ? R::kEven : s_.rounding;
      to_y_.emplace(*d_.y, ModeOf(rounding), policy_);
      to_y_away_.emplace(*d_.y, RoundingMode::kNearestAway, policy_);
      to_y_zero_.emplace(*d_.y, RoundingMode::kTowardZero, policy_);
    }
    quotient_is_canonical_ =
        s_.quotient == Switches::Quotient::kCanonical && !s_.default_precision &&
        !s_.flush_x && !s_.flush_scale && !s_.flush_quotient && !s_.absolute_scale &&
        !s_.zero_scale_is_one && s_.scale_place == Switches::Place::kRight;
  }

  uint32_t Element(int64_t index, QuantizeLinearTrace* trace = nullptr) const {
    const ExactValue& zero_point =
        d_.zero_points[d_.zero_points.size() == 1
                           ? 0
                           : places_.Of(s_.zero_point_place, index)];
    const Unrounded q =
        quotient_is_canonical_
            ? d_.quotients[static_cast<size_t>(index)]
            : quotients_.Of(d_.x_values[static_cast<size_t>(index)], Scale(index));
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

  uint64_t IntegerResult(const Unrounded& q, const ExactValue& zero_point, int64_t index,
                         IntegerSteps* steps) const {
    if (s_.overflow == V::kInfinityIsZero && q.value_class == ValueClass::kInfinity) {
      return target_.CodeOf(zero_point);
    }
    Unrounded value = target_.adds_before_rounding() ? Add(q, zero_point) : q;
    if (s_.order == O::kBeforeInP) value = quotients_.InP(value);
    if (s_.rounding == R::kAddHalfInP) value = quotients_.InP(Add(value, kHalf));
    return target_.CodeOf(value, zero_point, RandomBit(index), steps);
  }

  Unrounded WithZeroPoint(const Unrounded& q, const ExactValue& zero_point) const {
    if (zero_point.value_class == ValueClass::kZero) return q;
    switch (s_.order) {
      case O::kIgnored:
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
      case O::kBeforeInP:
      case O::kBeforeRounding:
        break;
    }
    return Add(q, zero_point);
  }

  // QL-22.
  bool IsNanHere(const Unrounded& value) const {
    return value.value_class == ValueClass::kInfinity && d_.since_version < 24 &&
           d_.y->nan == NanEncoding::kNegativeZero;
  }

  uint64_t FloatRound(const Unrounded& value, int64_t index) const {
    if (IsNanHere(value)) return CanonicalNan(*d_.y);
    const Rounded rounded = (*to_y_)(value);
    if (!AsksForTies(s_.rounding) || !rounded.tie()) return rounded.code;
    const bool away = TieGoesAway(s_.rounding, value.negative, RandomBit(index));
    return (away ? *to_y_away_ : *to_y_zero_)(value).code;
  }

  uint64_t FloatResult(const Unrounded& quotient, const ExactValue& zero_point,
                       int64_t index) const {
    const NumberFormat& y = *d_.y;
    Unrounded q = WithZeroPoint(quotient, zero_point);
    if (s_.nan_is_zero && q.value_class == ValueClass::kNan) return 0;
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
    uint64_t code = FloatRound(q, index);
    if (s_.late_overflow && q.value_class == ValueClass::kFinite && IsNan(y, code) &&
        y.nan == NanEncoding::kAllOnes) {
      // The first binade beyond the range keeps the largest finite.
      if (q.significand != 0 &&
          TopBit(q.significand) + q.exponent <= TopOf(Decode(y, LargestFinite(y)))) {
        code = LargestFinite(y) | (q.negative ? sign : 0);
      }
    }
    if (s_.flush_result && IsSubnormal(y, code))
      code = y.has_negative_zero ? code & sign : 0;
    if (s_.drop_zero_sign && d_.x->kind == NumberKind::kFloat && code == sign &&
        y.has_negative_zero)
      code = 0;
    if (s_.negative_zero_code && code == 0 && q.negative) code = sign;
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
  bool quotient_is_canonical_ = false;
  OverflowPolicy policy_ = OverflowPolicy::kSaturate;
  IntegerTarget target_;
  QuantizeLinearPlaces places_;
  std::optional<Rounder> to_y_, to_y_away_, to_y_zero_;
};

// Mistakes in where codes are stored.
void Misplace(const DecodedQuantizeLinear& decoded, Switches::Storage storage,
              std::vector<uint32_t>& codes) {
  using enum Switches::Storage;
  const size_t group = decoded.y->bits < 8 ? static_cast<size_t>(8 / decoded.y->bits) : 1;
  const uint32_t mask = (uint32_t{1} << decoded.y->bits) - 1;
  switch (storage) {
    case kRight:
      return;
    case kSwapped:
      for (size_t i = 0; i + group <= codes.size(); i += group) {
        const auto first = codes.begin() + static_cast<std::ptrdiff_t>(i);
        std::reverse(first, first + static_cast<std::ptrdiff_t>(group));
      }
      return;
    case kLastByteLost:
      for (size_t i = codes.size() / group * group; i < codes.size(); ++i) codes[i] = 0;
      return;
    case kNanSpoilsNeighbour: {
      const size_t width = std::max<size_t>(group, 2);
      for (size_t i = 0; i + 1 < codes.size(); ++i) {
        if (i / width == (i + 1) / width &&
            decoded.x_values[i].value_class == ValueClass::kNan) {
          codes[i + 1] = 0;
        }
      }
      return;
    }
    case kLastUnwritten:
      if (!codes.empty()) codes.back() = 0x5A5A5A5Au & mask;
      return;
  }
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
  if (switches.without_precision && decoded.precision != decoded.default_precision) {
    arithmetic = {};
  }
  if (arithmetic != Switches{}) {
    const auto lanes = static_cast<size_t>(switches.tail_lanes);
    const Evaluation evaluation(decoded, switches, state);
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
  QuantizeLinearSwitches acting = switches;
  const auto count = static_cast<int64_t>(decoded.x_values.size());
  const bool is_whole_vector = switches.tail_lanes != 0 &&
                               index < count / switches.tail_lanes * switches.tail_lanes;
  if (is_whole_vector ||
      (switches.without_precision && decoded.precision != decoded.default_precision)) {
    acting = {};
  }
  const FaultState state;
  QuantizeLinearTrace trace;
  trace.code = Evaluation(decoded, acting, state).Element(index, &trace);
  return trace;
}

}  // namespace qconform
