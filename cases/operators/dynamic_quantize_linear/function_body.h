// Scale and zero point by the operator's function body, and wrong ways to compute them,
// which generators choose ranges against. No answer of a case comes from here.
#ifndef QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FUNCTION_BODY_H_
#define QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FUNCTION_BODY_H_

#include <cstdint>

#include "cases/core/exact_value.h"

namespace qconform::generators {

// Codes and values of FLOAT.
ExactValue FloatValue(uint32_t code);
uint32_t FloatCode(const Unrounded& value);  // nearest even, overflow to infinity
inline uint32_t FloatCode(int64_t significand, int exponent) {
  return FloatCode(ToUnrounded(Dyadic(significand, exponent)));
}
uint32_t NegatedFloat(uint32_t code);
// Returns the code `steps` values above (below, where negative).
uint32_t StepFloat(uint32_t code, int steps);
// Whether a lies below b. Precondition: neither is NaN.
bool IsBelow(uint32_t a, uint32_t b);

// The least and the greatest value of x with 0 (DYN-01). Finite.
struct FloatRange {
  ExactValue least;
  ExactValue greatest;
};
// Precondition: `lowest` and `highest` are finite codes.
FloatRange WithZero(uint32_t lowest, uint32_t highest);

// DYN-01, DYN-02. The zero point is 0 if the formula gives NaN.
ExactValue BodyScale(const FloatRange& range);
int BodyZeroPoint(const FloatRange& range, const ExactValue& scale);

// Whether x / scale rounds to another integer if it is multiplied by f32(1 / scale).
bool DiffersByReciprocal(const ExactValue& x, const ExactValue& scale);

// Scales by other formulas than the body's; the first two are readings of DYN-01.
enum class WrongScale : uint8_t {
  kExactRange,     // max - min is not rounded
  kDoubleRange,    // max - min and the quotient are DOUBLEs first
  kReciprocal,     // (max - min) * f32(1 / 255)
  kDividedBefore,  // f32(max / 255) - f32(min / 255)
};
inline constexpr int kWrongScales = 4;
ExactValue ScaleBy(WrongScale formula, const FloatRange& range);

// Zero points by other formulas than the body's, from its scale.
enum class WrongZeroPoint : uint8_t {
  kFromGreatest,     // rne(255 - max / y_scale)
  kReciprocal,       // rne(-(min * f32(1 / y_scale)))
  kExactQuotient,    // min / y_scale is not rounded before it is rounded to an integer
  kUnroundedScale,   // rne(-min * 255 / (max - min)), exact
  kMultipliedFirst,  // rne(f32(f32(-min * 255) / f32(max - min)))
};
inline constexpr int kWrongZeroPoints = 5;
int ZeroPointBy(WrongZeroPoint formula, const FloatRange& range, const ExactValue& scale);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_FUNCTION_BODY_H_
