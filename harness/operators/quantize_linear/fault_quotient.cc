#include "harness/operators/quantize_linear/fault_quotient.h"

#include <algorithm>

#include "harness/core/integer_target.h"

namespace qconform {
namespace {

using Q = QuantizeLinearSwitches::Quotient;

constexpr NumberFormat kWide{.kind = NumberKind::kInteger, .bits = 48, .is_signed = true};
constexpr ExactValue kOne{.value_class = ValueClass::kFinite, .significand = 1};

bool Finite(const ExactValue& value) { return value.value_class == ValueClass::kFinite; }

void FlushIn(const NumberFormat& format, ExactValue& value) {
  if (format.kind == NumberKind::kFloat && Finite(value) &&
      TopOf(value) < SmallestNormalExponent(format)) {
    value = {.negative = value.negative};
  }
}

}  // namespace

FaultyQuotients::FaultyQuotients(const DecodedQuantizeLinear& decoded,
                                 const QuantizeLinearSwitches& switches)
    : d_(decoded),
      s_(switches),
      p_(switches.default_precision ? decoded.default_precision : decoded.precision),
      reciprocal_(p_ == nullptr ? FormatOf(DataType::kFloat) : *p_) {
  if (p_ != nullptr) {
    in_p_.emplace(*p_);
    in_p_truncated_.emplace(*p_, RoundingMode::kTowardZero);
  }
  if (s_.type != DataType::kUndefined) in_type_.emplace(FormatOf(s_.type));
  const bool shifted = std::ranges::any_of(d_.zero_points, [](const ExactValue& value) {
    return value.value_class != ValueClass::kZero;
  });
  const bool floats =
      d_.y_scale->kind == NumberKind::kFloat && d_.y->kind == NumberKind::kFloat;
  // Where DOUBLE is admissible (QL-02), it is followed throughout.
  const bool admissible =
      d_.since_version < 23 && p_ != nullptr && p_->type == DataType::kFloat;
  if (p_ != nullptr && floats && shifted && !admissible) {
    in_float_.emplace(FormatOf(DataType::kFloat));
  }
}

Unrounded FaultyQuotients::Reciprocal(const Converter& in, const ExactValue& x,
                                      const ExactValue& s) const {
  if (d_.y_scale->kind != NumberKind::kFloat) return InP(Divide(InP(x), InP(s)));
  const ExactValue reciprocal = in(Divide(kOne, in(s)));
  return ToUnrounded(in(Multiply(in(x), reciprocal)));
}

Unrounded FaultyQuotients::Of(ExactValue x, ExactValue s) const {
  if (s_.absolute_scale) s.negative = false;
  if (s_.zero_scale_is_one && s.value_class == ValueClass::kZero) s = kOne;
  if (s_.flush_x && d_.x->type == d_.y_scale->type) {
    FlushIn(*d_.x, x);
    if (in_p_) in_p_->Flush(x = InP(x));
  }
  if (s_.flush_scale) {
    FlushIn(*d_.y_scale, s);
    if (in_p_) in_p_->Flush(s = InP(s));
  }
  Unrounded q = Divided(x, s);
  if (s_.flush_quotient && in_p_ && q.value_class == ValueClass::kFinite) {
    ExactValue value = (*in_p_)(q);
    in_p_->Flush(value);
    q = ToUnrounded(value);
  }
  return q;
}

// A float zero point may cancel all of a quotient but what FLOAT rounds off: beside one,
// these quotients are FLOAT's, so that a cell's claim does not hang on its zero points.
Unrounded FaultyQuotients::Wide(const Unrounded& q) const {
  return in_float_ ? ToUnrounded((*in_float_)(q)) : q;
}

Unrounded FaultyQuotients::Divided(const ExactValue& x, const ExactValue& s) const {
  switch (s_.quotient) {
    case Q::kCanonical:
      return ByReading(x, s);
    case Q::kExact:
      return Wide(Divide(x, s));
    case Q::kConvertedExact:
      return Wide(Divide(InP(x), InP(s)));
    case Q::kUnconverted:
      if (d_.y_scale->kind == NumberKind::kPowerOfTwo || d_.y->bits < 4) {
        return InP(Divide(InP(x), InP(s)));
      }
      return InP(Divide(x, s));
    case Q::kReciprocal:
      return Reciprocal(reciprocal_, x, s);
    case Q::kReciprocalIn:
      if (!ReciprocalInActs(d_.x->type, d_.y_scale->type)) {
        return InP(Divide(InP(x), InP(s)));
      }
      return Reciprocal(*in_type_, x, s);
    case Q::kDivisionIn:
      return Wide(ToUnrounded((*in_type_)(Divide((*in_type_)(x), (*in_type_)(s)))));
    case Q::kThrough: {
      const Unrounded q = InP(Divide(InP(x), InP(s)));
      const DataType wider =
          s_.type == DataType::kFloat ? DataType::kDouble : DataType::kFloat;
      const bool floats = d_.y_scale->type == DataType::kFloat &&
                          (s_.type != DataType::kFloat || d_.x->type == DataType::kFloat);
      const bool acts = floats && p_ != nullptr && p_->type == wider;
      return acts ? ToUnrounded((*in_type_)(q)) : q;
    }
    case Q::kTruncated: {
      const Unrounded q = Divide(InP(x), InP(s));
      return in_p_truncated_ ? ToUnrounded((*in_p_truncated_)(q)) : q;
    }
    case Q::kTruncatedConversion:
      if (!in_p_truncated_ || d_.y->bits < 8 || !XHasMoreDigits() || !Finite(InP(x))) {
        return InP(Divide(InP(x), InP(s)));
      }
      return InP(Divide((*in_p_truncated_)(x), InP(s)));
    case Q::kScaleThrough: {
      const bool acts = ScaleThroughActs(s_.type, d_.y_scale->type);
      return ByReading(x, acts ? (*in_type_)(s) : s);
    }
    case Q::kXThrough:
      return ByReading(OfFloats() ? (*in_type_)(x) : x, s);
    case Q::kReciprocalThrough: {
      if (!OfFloats() || p_ == nullptr || p_->type != DataType::kFloat) {
        return ByReading(x, s);
      }
      const ExactValue reciprocal = (*in_p_)(Divide(kOne, s));
      return InP(Multiply(x, (*in_type_)(reciprocal)));
    }
    case Q::kScaleToPowerOfTwo:
      if (d_.y_scale->type != DataType::kFloat) return ByReading(x, s);
      return ByReading(x, NearestPowerOfTwo(s));
    case Q::kTruncatedX: {
      if (d_.x->type != DataType::kFloat) return ByReading(x, s);
      const Converter truncated(FormatOf(DataType::kBfloat16), RoundingMode::kTowardZero);
      return ByReading(truncated(x), s);
    }
    case Q::kPromoted:
      return Promoted(x, s);
    case Q::kIntegerDivision: {
      const Unrounded q = InP(Divide(InP(x), InP(s)));
      if (d_.x->kind != NumberKind::kInteger ||
          d_.y_scale->kind != NumberKind::kInteger ||
          q.value_class != ValueClass::kFinite) {
        return q;
      }
      return ToUnrounded(Decode(
          kWide, Round(kWide, q, RoundingMode::kTowardZero, OverflowPolicy::kSaturate)));
    }
  }
  return {};
}

Unrounded FaultyQuotients::ByReading(ExactValue x, ExactValue s) const {
  if (!d_.converts_operands) return InP(Divide(x, s));
  const bool is_integer =
      d_.x->kind == NumberKind::kInteger && d_.y->kind == NumberKind::kInteger;
  if (s_.int32_through_float && is_integer && d_.since_version >= kFirstWithPrecision &&
      p_ != nullptr && p_->type == DataType::kBfloat16) {
    const Converter in_float(FormatOf(DataType::kFloat));
    x = in_float(x);
    if (d_.y_scale->kind == NumberKind::kInteger) s = in_float(s);
  }
  return InP(Divide(InP(x), InP(s)));
}

Unrounded FaultyQuotients::Promoted(const ExactValue& x, const ExactValue& s) const {
  const bool acts = !d_.has_precision && PromotedActs(d_.since_version, d_.x->type,
                                                      d_.y_scale->type, d_.y->type);
  if (!acts) return ByReading(x, s);
  const bool has_integer = d_.x->kind == NumberKind::kInteger;
  const Converter in(FormatOf(has_integer ? DataType::kDouble : DataType::kFloat));
  return ToUnrounded(in(Divide(in(x), in(s))));
}

Unrounded FaultyQuotients::MultipliedAndAdded(const ExactValue& x,
                                              const ExactValue& scale,
                                              const ExactValue& zero_point) const {
  const ExactValue reciprocal = reciprocal_(Divide(kOne, reciprocal_(scale)));
  const Unrounded product = Multiply(reciprocal_(x), reciprocal);
  return ToUnrounded(reciprocal_(
      zero_point.value_class == ValueClass::kZero ? product : Add(product, zero_point)));
}

Unrounded FaultyQuotients::LevelOf(const ExactValue& x, const ExactValue& scale,
                                   const ExactValue& zero_point) const {
  const Converter f(FormatOf(DataType::kFloat));
  const auto minus = [&](const ExactValue& a, ExactValue b) {
    b.negative = !b.negative;
    return f(Add(ToUnrounded(a), b));
  };
  const auto is_below = [&](const ExactValue& a, const ExactValue& b) {
    const ExactValue difference = minus(a, b);
    return difference.negative && difference.value_class != ValueClass::kZero &&
           difference.value_class != ValueClass::kNan;
  };
  const auto integer = [](int64_t value) {
    if (value == 0) return ExactValue{};
    return ExactValue{.value_class = ValueClass::kFinite,
                      .negative = value < 0,
                      .significand = static_cast<uint64_t>(value < 0 ? -value : value)};
  };
  const ExactValue s = f(scale);
  const ExactValue low = f(Multiply(minus(integer(IntegerMin(*d_.y)), zero_point), s));
  const ExactValue high = f(Multiply(minus(integer(IntegerMax(*d_.y)), zero_point), s));
  ExactValue clamped = f(x);
  if (is_below(clamped, low)) clamped = low;
  if (is_below(high, clamped)) clamped = high;
  const ExactValue part = f(Divide(minus(clamped, low), minus(high, low)));
  return ToUnrounded(f(Multiply(part, integer(IntegerMax(*d_.y) - IntegerMin(*d_.y)))));
}

bool FaultyQuotients::XHasMoreDigits() const {
  return d_.x->kind == NumberKind::kInteger || d_.x->mantissa_bits > p_->mantissa_bits;
}

}  // namespace qconform
