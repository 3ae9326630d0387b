#include "oracle/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

#include <algorithm>

#include "oracle/core/target.h"
#include "oracle/core/validation.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform::dynamic_quantize_linear {
namespace {

constexpr int kSinceVersions[] = {11};
constexpr uint32_t kOneCode = 0x3f800000;

const NumberFormat& Float() { return FormatOf(DataType::kFloat); }

constexpr ExactValue kSteps{
    .value_class = ValueClass::kFinite, .significand = 255, .exponent = 0};

Rounded RoundTo(DataType type, const Unrounded& value) {
  return RoundWithFacts(FormatOf(type), value, RoundingMode::kNearestEven,
                        OverflowPolicy::kNonSaturating);
}

ExactValue Nearest(DataType type, const Unrounded& value) {
  return Decode(FormatOf(type), RoundTo(type, value).code);
}

ExactValue Negated(ExactValue value) {
  value.negative = !value.negative;
  return value;
}

// Whether a finite value other than zero is below FLOAT's smallest normal value.
bool IsSubnormalFloat(const ExactValue& value) {
  return value.value_class == ValueClass::kFinite &&
         TopOf(value) < SmallestNormalExponent(Float());
}

bool IsSubnormalQuotient(const ExactValue& a, const ExactValue& b) {
  return a.value_class == ValueClass::kFinite && b.value_class == ValueClass::kFinite &&
         TopOfQuotient(a, b) < SmallestNormalExponent(Float());
}

Rounded RoundedScale(const Range& range, const Readings& readings) {
  using enum DataType;
  const ExactValue max = Decode(Float(), range.max);
  const ExactValue minus_min = Negated(Decode(Float(), range.min));
  const Unrounded exact = Add(ToUnrounded(max), minus_min);
  switch (readings.scale) {
    case Readings::Scale::kCanonical:
      return RoundTo(kFloat, Divide(Nearest(kFloat, exact), kSteps));
    case Readings::Scale::kFusedRange:
      return RoundTo(kFloat, DivideWide(exact, kSteps));
    case Readings::Scale::kFusedRangeInDouble: {
      const Unrounded quotient = Divide(Nearest(kDouble, exact), kSteps);
      return RoundTo(kFloat, ToUnrounded(Nearest(kDouble, quotient)));
    }
  }
  return {};
}

// Everything that the elements share.
class Evaluation {
 public:
  Evaluation(const TensorView& x, const Readings& readings)
      : x_(x),
        codes_(ReadCodes(x)),
        range_(RangeOf(codes_)),
        readings_(readings),
        target_(DataType::kUint8, {}, DataType::kFloat) {}

  std::vector<Answer> Run() {
    y_.type = DataType::kUint8;
    y_.shape = Shape(x_.shape.begin(), x_.shape.end());
    y_.elements.resize(codes_.size());
    if (range_.is_empty || range_.has_nan) {  // DYN-05, DYN-07
      SetFree();
    } else {
      Evaluate();
    }
    std::vector<Answer> answers;
    answers.push_back(std::move(y_));
    answers.push_back({.type = DataType::kFloat, .shape = {}, .elements = {scale_}});
    answers.push_back({.type = DataType::kUint8, .shape = {}, .elements = {zero_point_}});
    return answers;
  }

 private:
  void SetFree() {
    const ElementAnswer free{.freedom = Freedom::kAnyCode,
                             .tier = Tier::kDegenerateScale};
    std::ranges::fill(y_.elements, free);
    scale_ = free;
    zero_point_ = free;
  }

  void Evaluate() {
    // The tiers are those of the canonical scale, whatever reading is followed.
    const uint64_t canonical = ScaleOf(range_, {});
    const ExactValue tier_scale = Decode(Float(), canonical);
    const Tier least = LeastTier(canonical);
    const ExactValue min = Decode(Float(), range_.min);

    // (2)
    const uint64_t scale_code = ScaleOf(range_, readings_);
    const ExactValue scale = Decode(Float(), scale_code);
    scale_ = {.code = static_cast<uint32_t>(scale_code), .tier = least};
    if (scale.value_class == ValueClass::kZero) scale_.features |= kFeatureZeroResult;
    if (scale.value_class == ValueClass::kInfinity) scale_.features |= kFeatureInfinity;
    if (!range_.is_zero()) {
      const Rounded rounded = RoundedScale(range_, readings_);
      if (rounded.inexact()) scale_.features |= kFeatureInexact;
      if (rounded.tie()) scale_.features |= kFeatureTie;
      if (rounded.near_tie()) scale_.features |= kFeatureNearTie;
    } else if (scale_code == 0 && range_.has_minus_zero) {
      scale_.zero_sign_is_free = true;  // DYN-04
    }

    // (3)
    const Divisor divisor(scale);
    zero_point_ = {.tier = IsSubnormalQuotient(min, tier_scale)
                               ? std::max(least, Tier::kSubnormal)
                               : least};
    target_.Round(ToUnrounded(Negated(Quotient(min, divisor, zero_point_))), {},
                  zero_point_);

    // (4)
    const PreparedZeroPoint zero_point = target_.PrepareZeroPoint(zero_point_.code);
    const Decoder decode(Float());
    for (size_t i = 0; i < codes_.size(); ++i) {
      const ExactValue x = decode(codes_[i]);
      ElementAnswer& y = y_.elements[i];
      const bool subnormal = IsSubnormalFloat(x) || IsSubnormalQuotient(x, tier_scale);
      y.tier = subnormal ? std::max(least, Tier::kSubnormal) : least;
      target_.Round(ToUnrounded(Quotient(x, divisor, y)), zero_point, y);
      // DYN-06: a finite x gives 0 and the zero point, whatever that is.
      if (y.freedom == Freedom::kNone && zero_point_.freedom == Freedom::kAnyCode &&
          scale.value_class == ValueClass::kInfinity) {
        y.freedom = Freedom::kSameCode;
        y_.same_code_as = OutputElement{.output = 2, .index = 0};
      }
    }
  }

  // f32(dividend / divisor).
  static ExactValue Quotient(const ExactValue& dividend, const Divisor& divisor,
                             ElementAnswer& answer) {
    static const Rounder round(Float(), RoundingMode::kNearestEven,
                               OverflowPolicy::kNonSaturating);
    const Rounded rounded = round(Divide(dividend, divisor));
    if (rounded.inexact()) answer.features |= kFeatureQuotientRounded;
    return Decode(Float(), rounded.code);
  }

  // That of y_scale, which all elements share.
  Tier LeastTier(uint64_t scale) const {
    const ExactValue value = Decode(Float(), scale);
    if (value.value_class != ValueClass::kFinite || IsSubnormal(Float(), scale)) {
      return Tier::kDegenerateScale;
    }
    const bool subnormal =
        IsSubnormal(Float(), range_.max) || IsSubnormal(Float(), range_.min);
    return subnormal ? Tier::kSubnormal : Tier::kRegular;
  }

  const TensorView x_;
  const std::vector<uint64_t> codes_;
  const Range range_;
  const Readings readings_;
  const Target target_;
  Answer y_;
  ElementAnswer scale_;
  ElementAnswer zero_point_;
};

ModelValidity ValidateBy(const Problem& problem, bool has_data) {
  Validation validation("DYN-10", problem.since_version, has_data);
  if (!validation.CheckDefinition("DynamicQuantizeLinear", kSinceVersions)) {
    return validation.validity();
  }
  if (!problem.unknown_attribute.empty()) {
    validation.Invalid("attribute " + problem.unknown_attribute +
                       " does not exist: the operator has none");
    return validation.validity();
  }
  if (problem.x.type == DataType::kUndefined) {
    validation.Invalid("x is missing");
    return validation.validity();
  }
  if (validation.CheckOperand("x", problem.x) && problem.x.type != DataType::kFloat) {
    validation.Invalid("x has type " + std::string(DataTypeName(problem.x.type)) +
                       ": it must be FLOAT");
  } else if (ElementCount(problem.x.shape) == 0) {
    validation.Open("DYN-07", "x has the shape " + ShapeToString(problem.x.shape) +
                                  ": the text does not say what the largest and the "
                                  "smallest of no elements are");
  }
  return validation.validity();
}

}  // namespace

Problem ProblemOf(int since_version, const std::string& unknown_attribute,
                  const Operands& operands) {
  return Problem{.since_version = since_version,
                 .x = OperandAt(operands, 0).value_or(TensorView{}),
                 .unknown_attribute = unknown_attribute};
}

Range RangeOf(const std::vector<uint64_t>& x) {
  Range range{.is_empty = x.empty()};
  for (const uint64_t code : x) {
    if (IsNan(Float(), code)) {
      range.has_nan = true;
    } else if (IsZero(Float(), code)) {
      range.has_minus_zero = range.has_minus_zero || code != 0;
    } else if (ValueOrder(Float(), code) > ValueOrder(Float(), range.max)) {
      range.max = code;
    } else if (ValueOrder(Float(), code) < ValueOrder(Float(), range.min)) {
      range.min = code;
    }
  }
  return range;
}

uint64_t ScaleOf(const Range& range, const Readings& readings) {
  if (!range.is_zero()) return RoundedScale(range, readings).code;
  switch (readings.no_range) {
    case Readings::NoRange::kCanonical:
      return 0;
    case Readings::NoRange::kOne255th:
      return RoundTo(DataType::kFloat, Divide(Decode(Float(), kOneCode), kSteps)).code;
    case Readings::NoRange::kOne:
      return kOneCode;
  }
  return 0;
}

ModelValidity Validate(const Problem& problem) { return ValidateBy(problem, true); }

ModelValidity ValidateWithoutData(const Problem& problem) {
  return ValidateBy(problem, false);
}

Result<std::vector<Answer>> EvaluateDynamicQuantizeLinear(const Problem& problem,
                                                          const Readings& readings) {
  const ModelValidity validity = Validate(problem);
  if (validity.kind == ModelValidity::Kind::kInvalid) {
    return Error{"DynamicQuantizeLinear, " + validity.clause + ": " + validity.reason};
  }
  return Evaluation(problem.x, readings).Run();
}

}  // namespace qconform::dynamic_quantize_linear
