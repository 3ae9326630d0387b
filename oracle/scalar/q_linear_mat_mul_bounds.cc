#include "oracle/scalar/q_linear_mat_mul_bounds.h"

#include "oracle/scalar/q_linear_mat_mul.h"

namespace qconform {
namespace {

constexpr int64_t kUnit = int64_t{1} << 24;  // 1 / u

Uint128 MagnitudeOf(Int128 value) {
  return value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value);
}

MatMulSum Rational(Int128 numerator, uint64_t denominator, int exponent) {
  return {.value_class = numerator == 0 ? ValueClass::kZero : ValueClass::kFinite,
          .negative = numerator < 0,
          .numerator = MagnitudeOf(numerator),
          .denominator = denominator,
          .exponent = exponent};
}

// P of added_in_p for a reading.
DataType SumPrecision(const QLinearMatMulParameters& parameters) {
  return parameters.formula == QLinearMatMulParameters::Formula::kExact ? DataType::kUndefined
                                                                        : parameters.precision;
}

}  // namespace

MatMulSum SumOf(const Accumulated& c) {
  MatMulSum sum = Rational(c.units, 1, c.exponent);
  sum.value_class = c.value_class;
  if (c.value_class == ValueClass::kInfinity) sum.negative = c.negative;
  return sum;
}

// The smallest and the largest of the codes so far, by value.
class MatMulBoundsOf::Hull {
 public:
  Hull(const NumberFormat& format, uint32_t code) : format_(&format), low_(code), high_(code) {}

  void Include(uint32_t code) {
    // A NaN at an end says that anything may be between.
    if (IsNan(*format_, code)) {
      IncludeAll();
      return;
    }
    if (ValueOrder(*format_, code) < ValueOrder(*format_, low_)) low_ = code;
    if (ValueOrder(*format_, code) > ValueOrder(*format_, high_)) high_ = code;
  }

  void IncludeAll() {
    if (format_->kind == NumberKind::kInteger) {
      const uint64_t mask = (uint64_t{1} << format_->bits) - 1;
      low_ = static_cast<uint32_t>(static_cast<uint64_t>(IntegerMin(*format_)) & mask);
      high_ = static_cast<uint32_t>(IntegerMax(*format_));
      return;
    }
    high_ = static_cast<uint32_t>(format_->has_infinity ? Infinity(*format_, false)
                                                        : LargestFinite(*format_));
    low_ = high_ | static_cast<uint32_t>(1u << (format_->bits - 1));
  }

  uint32_t low() const { return low_; }
  uint32_t high() const { return high_; }

 private:
  const NumberFormat* format_;
  uint32_t low_;
  uint32_t high_;
};

MatMulBoundsOf::MatMulBoundsOf(DataType scale, const TargetParameters& target,
                               const NumberFormat& y)
    // The v of `float_matmul` is a FLOAT: that is the P of added_in_p.
    : y_(&y), exact_{MatMulRequantizer({}), Target(y.type, target, DataType::kFloat)} {
  // Combinations for an integer y are those of MM-02 alone.
  for (const QLinearMatMulReadings& readings : ReadingCombinations(scale, DataType::kInt8)) {
    const QLinearMatMulParameters parameters = ParametersOf(readings, scale);
    readings_.push_back(
        {MatMulRequantizer(parameters), Target(y.type, target, SumPrecision(parameters))});
  }
}

void MatMulBoundsOf::Add(const Element& element, Int128 numerator, int64_t denominator,
                         const MatMulRequantizer& requantize, const Target& target,
                         Hull& hull) const {
  const Int128 middle = element.sum.units * denominator;
  const Int128 distance = static_cast<Int128>(element.sum.magnitude) * numerator;
  for (const Int128 end : {middle - distance, middle + distance}) {
    ElementAnswer answer;
    target.Round(requantize(Rational(end, static_cast<uint64_t>(denominator), element.sum.exponent),
                            element.scales),
                 element.zero_point, answer);
    hull.Include(answer.code);
  }
}

CodeBounds MatMulBoundsOf::Of(const Element& element, const ElementAnswer& answer) const {
  const bool special = element.sum.value_class == ValueClass::kNan ||
                       element.sum.value_class == ValueClass::kInfinity;
  if (special || answer.freedom == Freedom::kAnyCode || IsNan(*y_, answer.code)) {
    return {answer.code, answer.code, answer.code, answer.code};
  }
  // Differences of float8 values and their zero points may be rounded to FLOAT.
  const int64_t n = element.terms + (element.has_zero_point && !element.integer ? 2 : 0);
  Hull hull(*y_, answer.code);
  if (n + 3 >= kUnit) {
    hull.IncludeAll();
  } else {
    // `float_matmul`: two more roundings for the scales, one for the division.
    Add(element, n + 3, kUnit - (n + 3), exact_.requantize, exact_.target, hull);
    if (!element.integer) {
      for (const Reading& reading : readings_) {
        Add(element, n, kUnit - n, reading.requantize, reading.target, hull);
      }
    }
  }
  CodeBounds bounds{.low = hull.low(), .high = hull.high()};
  // K * 2^-10, and not less than what is admissible.
  if (!element.integer && element.terms < kUnit) {
    Add(element, element.terms, 1024, exact_.requantize, exact_.target, hull);
  }
  bounds.reduced_low = hull.low();
  bounds.reduced_high = hull.high();
  return bounds;
}

}  // namespace qconform
