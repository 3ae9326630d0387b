// x / y_scale as a wrong model of QuantizeLinear divides.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_QUOTIENT_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_QUOTIENT_H_

#include <optional>

#include "harness/operators/quantize_linear/fault_model.h"
#include "harness/operators/quantize_linear/fault_switches.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {

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
    return value.value_class == ValueClass::kFinite ? (*this)(ToUnrounded(value)) : value;
  }
  void Flush(ExactValue& value) const {
    if (value.value_class == ValueClass::kFinite &&
        TopOf(value) < SmallestNormalExponent(*format_)) {
      value = {.negative = value.negative};
    }
  }
  const NumberFormat& format() const { return *format_; }

 private:
  const NumberFormat* format_;
  Rounder round_;
};

// The quotients of a case with the switches of a fault; both have to outlive it.
class FaultyQuotients {
 public:
  FaultyQuotients(const DecodedQuantizeLinear& decoded,
                  const QuantizeLinearSwitches& switches);

  // Divides by this scale and rounds as the model does.
  Unrounded Of(ExactValue x, ExactValue scale) const;

  // x * (1 / y_scale) + zero point, in one multiply-add: 1 / y_scale and the sum are
  // rounded to P. Precondition: y_scale is a float.
  Unrounded MultipliedAndAdded(const ExactValue& x, const ExactValue& scale,
                               const ExactValue& zero_point) const;

  // (x - lo) / (hi - lo) * levels in FLOAT, where y has the values `low` to `low +
  // levels`, lo and hi are what its ends stand for, and x is clamped to them.
  Unrounded LevelOf(const ExactValue& x, const ExactValue& scale,
                    const ExactValue& zero_point) const;

  // Returns the value rounded to P, the type of the division; unchanged if the division
  // is exact.
  Unrounded InP(const Unrounded& value) const {
    return in_p_ ? ToUnrounded((*in_p_)(value)) : value;
  }

 private:
  ExactValue InP(const ExactValue& value) const {
    return in_p_ ? (*in_p_)(value) : value;
  }
  Unrounded Reciprocal(const Converter& in, const ExactValue& x,
                       const ExactValue& s) const;
  Unrounded Wide(const Unrounded& q) const;
  Unrounded Divided(const ExactValue& x, const ExactValue& s) const;
  // x / s as the readings of the case say.
  Unrounded ByReading(ExactValue x, ExactValue s) const;
  // The same in the type to which numpy promotes both.
  Unrounded Promoted(const ExactValue& x, const ExactValue& s) const;
  bool XHasMoreDigits() const;
  bool OfFloats() const {
    return d_.x->type == DataType::kFloat && d_.y_scale->type == DataType::kFloat;
  }

  const DecodedQuantizeLinear& d_;
  const QuantizeLinearSwitches& s_;
  const NumberFormat* p_;
  std::optional<Converter> in_p_, in_p_truncated_, in_type_;
  std::optional<Converter> in_float_;  // where wide quotients are rounded to FLOAT
  Converter reciprocal_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_FAULT_QUOTIENT_H_
