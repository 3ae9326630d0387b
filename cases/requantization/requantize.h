// Requantization of integer sums, v = C * a * b / y, for generators: scales of a size,
// the sum that a result needs, and wrong ways to requantize, which contents are chosen
// against. No answer of a case comes from here.
#ifndef QCONFORM_CASES_REQUANTIZATION_REQUANTIZE_H_
#define QCONFORM_CASES_REQUANTIZATION_REQUANTIZE_H_

#include <cstdint>

#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// The scales of both operands and of the result.
struct RequantizationScales {
  ExactValue a;
  ExactValue b;
  ExactValue y;
};

// What sums are requantized to. Sums are whole multiples of 2^sum_unit.
struct Requantization {
  const NumberFormat& scale;  // the type of the scales
  const NumberFormat& y;
  uint64_t y_zero_point = 0;
  int sum_unit = 0;
};

enum class ScaleFamily : uint8_t { kPowerOfTwo, kFewBits, kFull };
// Returns the code of a scale of about 2^exponent.
uint64_t ScaleCode(const NumberFormat& scale, ScaleFamily family, int exponent,
                   CounterRng& rng);

// Exponents of the three scales.
struct ScaleExponents {
  int a = 0;
  int b = 0;
  int y = 0;
};
// Returns exponents with which sums of 2^sum_exponent come to 2^result_exponent; all
// products and the multiplier are within the normal range of the scales' type where that
// is possible.
ScaleExponents ChooseScaleExponents(const NumberFormat& scale, int sum_exponent,
                                    int result_exponent, CounterRng& rng);

// Returns the sum whose requantization comes nearest to `target`, y_zero_point not added.
// Precondition: finite scales, not zero.
Int128 SumFor(const Requantization& requantization, const RequantizationScales& scales,
              const ExactValue& target);

// Returns the code next to `code` for the scale of an operand so that `sum` comes as near
// to `target` as the scales' type allows: the sum and its multiples then lie next to
// boundaries. It returns `code` if that would move the scale by more than two binades.
// `other` is the scale of the other operand, `y` that of the result.
uint64_t AimedScale(const Requantization& requantization, uint64_t code,
                    const ExactValue& other, const ExactValue& y,
                    const ExactValue& target, int64_t sum);

// Requantizations other than the exact one: the readings of MM-02, and three
// that are deviations.
enum class WrongRequantization : uint8_t {
  kMultiplierAbFirst,  // m = f32(f32(a * b) / y), f32(f32(C) * m)
  kMultiplierByFirst,
  kMultiplierAyFirst,
  kDequantizeQuantize,
  kCombined,
  kDoubleProduct,
  kDoubleChain,
  kScaleTypeMultiplier,
  kReciprocal,    // * f32(1 / y) in place of / y
  kFixedPoint,    // m as a 31-bit integer and a shift
  kNarrowScales,  // rounded to FLOAT16, or BFLOAT16 where they are that
};
inline constexpr int kWrongRequantizations = 11;

uint64_t ExactCode(const Requantization& requantization,
                   const RequantizationScales& scales, Int128 sum);
uint64_t WrongCode(const Requantization& requantization,
                   const RequantizationScales& scales, Int128 sum,
                   WrongRequantization mistake);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_REQUANTIZATION_REQUANTIZE_H_
