#include "harness/operators/dequantize_linear/fault_model.h"

#include <algorithm>
#include <any>
#include <optional>

#include "harness/core/integer_target.h"
#include "harness/operators/dequantize_linear/fault_read.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Switches = DequantizeLinearSwitches;
using Steps = DequantizeLinearSteps;

constexpr ExactValue kOne{.value_class = ValueClass::kFinite, .significand = 1};

bool Finite(const ExactValue& value) { return value.value_class == ValueClass::kFinite; }

bool IsZero(const ExactValue& value) { return value.value_class == ValueClass::kZero; }

bool Same(const ExactValue& a, const ExactValue& b) {
  return a.value_class == b.value_class && a.negative == b.negative &&
         a.significand == b.significand && a.exponent == b.exponent;
}

ExactValue Negated(ExactValue value) {
  value.negative = !value.negative;
  return value;
}

// Precondition: the value has at most 64 digits, as differences have.
ExactValue ToExact(const Unrounded& value) {
  ExactValue exact{.value_class = value.value_class, .negative = value.negative};
  if (value.value_class != ValueClass::kFinite) return exact;
  Uint128 significand = value.significand;
  exact.exponent = value.exponent;
  for (; (significand & 1) == 0; significand >>= 1) ++exact.exponent;
  exact.significand = static_cast<uint64_t>(significand);
  return exact;
}

ExactValue FromInteger(int64_t value) {
  if (value == 0) return {};
  return {.value_class = ValueClass::kFinite,
          .negative = value < 0,
          .significand = static_cast<uint64_t>(value < 0 ? -value : value)};
}

// Precondition: an integer of less than 2^40.
int64_t IntegerOf(const ExactValue& value) {
  if (!Finite(value)) return 0;
  const auto magnitude =
      static_cast<int64_t>(value.exponent >= 0 ? value.significand << value.exponent
                                               : value.significand >> -value.exponent);
  return value.negative ? -magnitude : magnitude;
}

// The low bits, sign-extended or not.
int64_t LowBits(int64_t value, int bits, bool is_signed) {
  const auto low =
      static_cast<int64_t>(static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1));
  const bool is_negative = is_signed && (low >> (bits - 1)) != 0;
  return is_negative ? low - (int64_t{1} << bits) : low;
}

// Rounding to a type, as a value again; overflow gives infinity.
class Converter {
 public:
  explicit Converter(const NumberFormat& format,
                     RoundingMode mode = RoundingMode::kNearestEven)
      : format_(&format), round_(format, mode, OverflowPolicy::kNonSaturating) {}

  ExactValue operator()(const Unrounded& value) const {
    return Decode(*format_, round_(value).code);
  }
  ExactValue operator()(const ExactValue& value) const {
    return Finite(value) ? (*this)(ToUnrounded(value)) : value;
  }

 private:
  const NumberFormat* format_;
  Rounder round_;
};

const NumberFormat& OtherHalf(const NumberFormat& y) {
  return FormatOf(y.type == DataType::kFloat16 ? DataType::kBfloat16
                                               : DataType::kFloat16);
}

class Evaluation {
 public:
  Evaluation(const DecodedDequantizeLinear& decoded,
             const std::vector<uint32_t>& canonical, const Switches& switches,
             const FaultState& state)
      : d_(decoded),
        canonical_(canonical),
        s_(switches),
        state_(state),
        in_p_(*decoded.y),
        in_scale_type_(decoded.x_scale->kind == NumberKind::kFloat ? *decoded.x_scale
                                                                   : *decoded.y),
        in_float_(FormatOf(DataType::kFloat)),
        in_double_(FormatOf(DataType::kDouble)),
        to_y_(Stored(), switches.rounding, OverflowPolicy::kNonSaturating),
        is_integer_(decoded.x->kind == NumberKind::kInteger),
        is_int32_(decoded.x->type == DataType::kInt32),
        places_(decoded.places) {
    if (s_.product_type != DataType::kUndefined)
      in_type_.emplace(FormatOf(s_.product_type));
    if (s_.int32_type != DataType::kUndefined) in_int32_.emplace(FormatOf(s_.int32_type));
    if (s_.scale_type != DataType::kUndefined) in_scale_.emplace(FormatOf(s_.scale_type));
    if (s_.int32 == Switches::Int32::kTruncated) {
      truncated_.emplace(FormatOf(DataType::kFloat), RoundingMode::kTowardZero);
    }
    if (d_.steps.difference == Steps::Difference::kSaturatesInXType) {
      in_x_type_.emplace(*d_.x, RoundingMode::kNearestEven, OverflowPolicy::kSaturate);
    } else if (d_.steps.difference == Steps::Difference::kOverflowsInXType) {
      in_x_type_.emplace(*d_.x, RoundingMode::kNearestEven,
                         OverflowPolicy::kNonSaturating);
    }
    misread_x_ = Misread(d_.x_bytes, d_.x_values.size(), s_.packing, s_.decoding);
    const Switches::Decoding decoding =
        s_.zero_point_decoding != Switches::Decoding::kRight ? s_.zero_point_decoding
                                                             : s_.decoding;
    // One zero point lies where it is looked for.
    misread_zero_points_ = Misread(
        d_.zero_point_bytes, d_.zero_points.size(),
        d_.zero_points.size() > 1 ? s_.zero_point_packing : Switches::Packing::kRight,
        decoding);
    Switches reads = s_;
    reads.packing = reads.zero_point_packing = Switches::Packing::kRight;
    reads.decoding = reads.zero_point_decoding = Switches::Decoding::kRight;
    reads.power_of_two = Switches::PowerOfTwo::kRight;
    reads.scale = Switches::Scale::kRight;
    reads.scale_type = DataType::kUndefined;
    reads.scale_place = reads.zero_point_place = FaultyPlace::kRight;
    reads.last_unwritten = false;
    reads.tail_lanes = 0;
    only_reads_differ_ = reads == Switches{};
  }

  Evaluation(const Evaluation&) = delete;  // the roundings point to formats of d_
  Evaluation& operator=(const Evaluation&) = delete;

  uint32_t Element(int64_t index, DequantizeLinearTrace* trace = nullptr) const {
    const auto i = static_cast<size_t>(index);
    const ExactValue x = misread_x_.empty() ? d_.x_values[i] : misread_x_[i];
    const size_t right = places_.Of(FaultyPlace::kRight, index);
    const ExactValue s = Scale(index);
    const std::optional<ExactValue> zero_point = ZeroPoint(index);
    if (trace == nullptr && only_reads_differ_ && Same(x, d_.x_values[i]) &&
        Same(s, d_.scales[right]) &&
        (!zero_point ||
         Same(*zero_point, d_.zero_points[d_.zero_points.size() == 1 ? 0 : right]))) {
      return canonical_[i];
    }
    const ExactValue exact = ExactDifference(x, zero_point);
    ExactValue d = Difference(x, zero_point, exact);
    ExactValue multiplier = s;
    const Unrounded product = Distributes() && zero_point
                                  ? Add(ToUnrounded(in_p_(Multiply(x, s))),
                                        Negated(in_p_(Multiply(*zero_point, s))))
                                  : Product(d, multiplier);
    const uint32_t code = Store(product, exact);
    if (trace != nullptr) {
      *trace = {x, zero_point.value_or(ExactValue{}), s, d, multiplier, product, code};
    }
    return code;
  }

 private:
  bool Distributes() const {
    return s_.zero_point == Switches::ZeroPoint::kDistributed && !is_int32_ &&
           d_.x_scale->kind == NumberKind::kFloat;
  }

  // The type by whose bits y is stored.
  const NumberFormat& Stored() const {
    return s_.other_half_type && d_.y->bits == 16 ? OtherHalf(*d_.y) : *d_.y;
  }

  // Returns nothing if the mistakes do not act.
  std::vector<ExactValue> Misread(std::span<const std::byte> bytes, size_t count,
                                  Switches::Packing packing,
                                  Switches::Decoding decoding) const {
    const int bits = d_.x->bits;
    if (count == 0 || (!PackingActs(packing, bits) && !DecodingActs(decoding, *d_.x))) {
      return {};
    }
    const Shape& shape = d_.places.shape;
    const bool is_x = count == d_.x_values.size() && bytes.data() == d_.x_bytes.data();
    const size_t row = is_x && !shape.empty() ? static_cast<size_t>(shape.back()) : count;
    std::vector<ExactValue> values;
    values.reserve(count);
    for (const uint32_t code : MisreadCodes(bytes, bits, count, row, packing)) {
      values.push_back(MisreadValue(*d_.x, code, decoding));
    }
    return values;
  }

  ExactValue Scale(int64_t index) const {
    ExactValue s = d_.scales[places_.Of(s_.scale_place, index)];
    if (s_.scale_place == FaultyPlace::kPreviousCall) {
      const auto* previous = std::any_cast<ExactValue>(&state_.memory);
      if (previous != nullptr) s = *previous;
    }
    if (d_.x_scale->kind == NumberKind::kPowerOfTwo) {
      const bool is_lost = s_.power_of_two == Switches::PowerOfTwo::kCode0IsZero &&
                           d_.y->type == DataType::kFloat16;
      return is_lost ? s : MisreadPowerOfTwo(s, s_.power_of_two);
    }
    switch (s_.scale) {
      case Switches::Scale::kRight:
        break;
      case Switches::Scale::kAbsolute:
        s.negative = false;
        break;
      case Switches::Scale::kZeroIsOne:
        if (IsZero(s)) s = kOne;
        break;
      case Switches::Scale::kFlushed:
        if (Finite(s) && TopOf(s) < SmallestNormalExponent(*d_.x_scale)) {
          s = {.negative = s.negative};
        }
        break;
      case Switches::Scale::kToPowerOfTwo:
        if (d_.x_scale->type == DataType::kFloat) s = NearestPowerOfTwo(s);
        break;
      case Switches::Scale::kThrough:
        if (ScaleThroughActs(s_.scale_type, d_.x_scale->type, d_.y->type)) {
          s = (*in_scale_)(s);
        }
        break;
    }
    return s;
  }

  std::optional<ExactValue> ZeroPoint(int64_t index) const {
    if (d_.zero_points.empty()) return std::nullopt;
    const std::vector<ExactValue>& all =
        misread_zero_points_.empty() ? d_.zero_points : misread_zero_points_;
    return all[all.size() == 1 ? 0 : places_.Of(s_.zero_point_place, index)];
  }

  ExactValue ExactDifference(const ExactValue& x,
                             const std::optional<ExactValue>& zero_point) const {
    ExactValue difference = SignedDifference(x, zero_point);
    if (s_.zero_point == Switches::ZeroPoint::kMagnitude) difference.negative = false;
    return difference;
  }

  ExactValue SignedDifference(const ExactValue& x,
                              const std::optional<ExactValue>& zero_point) const {
    if (!zero_point) return x;
    switch (s_.zero_point) {
      case Switches::ZeroPoint::kIgnored:
        return x;
      case Switches::ZeroPoint::kAdded:
        return ToExact(Add(ToUnrounded(x), *zero_point));
      case Switches::ZeroPoint::kReversed:
        return ToExact(Add(ToUnrounded(*zero_point), Negated(x)));
      case Switches::ZeroPoint::kMagnitude:
      case Switches::ZeroPoint::kNegated:
        return Negated(ToExact(Add(ToUnrounded(*zero_point), Negated(x))));
      case Switches::ZeroPoint::kSubtracted:
      case Switches::ZeroPoint::kDistributed:
        break;
    }
    return ToExact(Add(ToUnrounded(x), Negated(*zero_point)));
  }

  // The difference as it is multiplied, but for its conversion to P.
  ExactValue Difference(const ExactValue& x, const std::optional<ExactValue>& zero_point,
                        const ExactValue& exact) const {
    if (is_int32_) return OfInt32(exact);
    if (is_integer_) return OfInteger(exact);
    switch (d_.steps.difference) {
      case Steps::Difference::kExact:
        break;
      case Steps::Difference::kInFloat:
        return in_float_(exact);
      case Steps::Difference::kSaturatesInXType:
      case Steps::Difference::kOverflowsInXType:
        if (!zero_point || IsZero(*zero_point) || exact.value_class == ValueClass::kNan) {
          break;
        }
        return Decode(*d_.x, (*in_x_type_)(ToUnrounded(exact)).code);
      case Steps::Difference::kZeroPointIgnored:
        return x;
    }
    return exact;
  }

  ExactValue OfInteger(const ExactValue& exact) const {
    const NumberFormat& x = *d_.x;
    const int64_t d = IntegerOf(exact);
    switch (s_.difference) {
      case Switches::Difference::kExact:
        break;
      case Switches::Difference::kWrapped:
        return FromInteger(LowBits(d, x.bits, x.is_signed));
      case Switches::Difference::kSaturated:
        return FromInteger(std::clamp(d, IntegerMin(x), IntegerMax(x)));
      case Switches::Difference::kWrappedInt16:
        if (x.type == DataType::kUint16) return FromInteger(LowBits(d, 16, true));
        break;
      case Switches::Difference::kUnsigned32:
        return FromInteger(LowBits(d, 32, false));
    }
    return exact;
  }

  ExactValue OfInt32(const ExactValue& exact) const {
    const bool to_float = d_.steps.difference == Steps::Difference::kInFloat;
    switch (s_.int32) {
      case Switches::Int32::kRight:
        break;
      case Switches::Int32::kTruncated:
        if (d_.y->type == DataType::kFloat) return (*truncated_)(exact);
        break;
      case Switches::Int32::kThroughInt16:
        return FromInteger(std::clamp<int64_t>(IntegerOf(exact), -32768, 32767));
      case Switches::Int32::kLow24Bits:
        return FromInteger(LowBits(IntegerOf(exact), 24, true));
    }
    if (in_int32_) return (*in_int32_)(exact);
    return to_float ? in_float_(exact) : exact;
  }

  Unrounded Product(ExactValue& d, ExactValue& s) const {
    switch (s_.product) {
      case Switches::Product::kRight:
        break;
      case Switches::Product::kIn:
        if (!ProductInActs(s_.product_type, d_.y->type)) break;
        d = (*in_type_)(d);
        s = (*in_type_)(s);
        return ToUnrounded((*in_type_)(Multiply(d, s)));
      case Switches::Product::kInFloat:
        if (!ProductInFloatActs(d_.x->type, d_.x_scale->type, d_.y->type)) break;
        return ToUnrounded(in_float_(Multiply(is_int32_ ? in_float_(d) : d, s)));
      case Switches::Product::kThrough:
        if (!IsFloatByFloat(d_.x_scale->type, d_.y->type)) break;
        return ToUnrounded((*in_type_)(Multiply(is_int32_ ? in_float_(d) : d, s)));
      case Switches::Product::kDividedByReciprocal:
        if (!IsFloatByFloat(d_.x_scale->type, d_.y->type)) break;
        return Divide(in_float_(d), in_float_(Divide(kOne, s)));
      case Switches::Product::kInTypeOfScale:
        if (!TypeOfScaleActs(d_.x_scale->type, d_.y->type)) break;
        d = in_scale_type_(d);
        return ToUnrounded(in_scale_type_(Multiply(d, s)));
    }
    if (d_.steps.difference_in_p) d = in_p_(d);
    if (d_.steps.scale_in_p) s = in_p_(s);
    const Unrounded product = Multiply(d, s);
    switch (d_.steps.product) {
      case Steps::Product::kExact:
        break;
      case Steps::Product::kInFloat:
        return ToUnrounded(in_float_(product));
      case Steps::Product::kInDouble:
        return ToUnrounded(in_double_(product));
    }
    return product;
  }

  uint32_t Store(const Unrounded& product, const ExactValue& exact) const {
    const NumberFormat& y = Stored();
    const uint32_t sign = uint32_t{1} << (y.bits - 1);
    auto code = static_cast<uint32_t>(to_y_(product).code);
    if (s_.nan_is_zero && IsNan(y, code)) return 0;
    if (s_.flush_result && IsSubnormal(y, code)) code &= sign;
    if (s_.overflow_saturates && product.value_class == ValueClass::kFinite &&
        (code & (sign - 1)) == Infinity(y, false)) {
      code = (code & sign) | static_cast<uint32_t>(LargestFinite(y));
    }
    const bool drops = s_.zero_sign_dropped || d_.steps.zero_sign_dropped;
    if (drops && code == sign && (!is_integer_ || IsZero(exact))) code = 0;
    return code;
  }

  const DecodedDequantizeLinear& d_;
  const std::vector<uint32_t>& canonical_;
  const Switches& s_;
  const FaultState& state_;
  Converter in_p_, in_scale_type_, in_float_, in_double_;
  Rounder to_y_;
  bool is_integer_;
  bool is_int32_;
  FaultyPlaces places_;
  std::optional<Converter> in_type_, in_int32_, in_scale_, truncated_;
  std::optional<Rounder> in_x_type_;
  std::vector<ExactValue> misread_x_;  // empty: x is read rightly
  std::vector<ExactValue> misread_zero_points_;
  bool only_reads_differ_ = false;
};

bool IsInWholeVector(const Switches& switches, size_t count, size_t index) {
  const auto lanes = static_cast<size_t>(switches.tail_lanes);
  return lanes != 0 && index < count / lanes * lanes;
}

int DigitsOf(const NumberFormat& format) {
  switch (format.kind) {
    case NumberKind::kInteger:  // INT32 is converted to FLOAT first
      return std::min(format.bits, DigitsOf(FormatOf(DataType::kFloat)));
    case NumberKind::kFloat:
      return format.mantissa_bits + 1;
    case NumberKind::kPowerOfTwo:
      break;
  }
  return 0;  // a product by a power of two has no more digits
}

}  // namespace

bool TailRoundingActs(const NumberFormat& x, const NumberFormat& scale,
                      const NumberFormat& y) {
  return DigitsOf(x) + std::min(DigitsOf(scale), DigitsOf(y)) > DigitsOf(y);
}

std::vector<uint32_t> EvaluateWithSwitches(const DecodedDequantizeLinear& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const Switches& switches, FaultState& state) {
  std::vector<uint32_t> codes = canonical;
  Switches acting = switches;
  if (switches.tail_lanes != 0 &&
      !TailRoundingActs(*decoded.x, *decoded.x_scale, *decoded.y)) {
    acting.rounding = RoundingMode::kNearestEven;
  }
  const Evaluation evaluation(decoded, canonical, acting, state);
  for (size_t i = 0; i < codes.size(); ++i) {
    if (IsInWholeVector(switches, codes.size(), i)) continue;
    codes[i] = evaluation.Element(static_cast<int64_t>(i));
  }
  if (switches.last_unwritten && !codes.empty()) {
    codes.back() = 0x5A5A5A5Au >> (32 - decoded.y->bits);
  }
  ++state.calls;
  if (!decoded.scales.empty()) state.memory = decoded.scales.front();
  return codes;
}

DequantizeLinearTrace TraceElement(const DecodedDequantizeLinear& decoded,
                                   const Switches& switches, int64_t index) {
  const Switches none;
  const bool acts =
      !IsInWholeVector(switches, decoded.x_values.size(), static_cast<size_t>(index));
  const FaultState state;
  const std::vector<uint32_t> canonical;
  DequantizeLinearTrace trace;
  Evaluation(decoded, canonical, acts ? switches : none, state).Element(index, &trace);
  return trace;
}

}  // namespace qconform
