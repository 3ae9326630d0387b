// Wrong ways to compute the quotient, which generators choose x and y_scale against. No
// answer of a case comes from here.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_WRONG_QUOTIENTS_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_WRONG_QUOTIENTS_H_

#include <cstdint>
#include <span>

#include "cases/operators/quantize_linear/question.h"

namespace qconform::generators {

enum class WrongQuotient : uint8_t {
  kExact,                // x / y_scale, never rounded to P
  kConvertedExact,       // P(x) / P(y_scale), never rounded to P
  kUnconverted,          // x / y_scale, rounded once to P
  kReciprocal,           // P(x) * P(1 / P(y_scale)) in P
  kFloatDivision,        // P = FLOAT
  kFloat16Division,      // P = FLOAT16
  kBfloat16Division,     // P = BFLOAT16
  kDoubleDivision,       // P = DOUBLE
  kFloatReciprocal,      // the reciprocal in FLOAT
  kFloatReciprocalToP,   // the same, rounded to P
  kTruncatedQuotient,    // rounded to P toward zero
  kTruncatedConversion,  // operands converted to P toward zero
  kThroughFloat,         // the quotient rounded to P, then to FLOAT
  kThroughFloat16,
  kThroughBfloat16,
  kIntegerDivision,  // the quotient truncated to an integer
};

// Those that can differ at all from the canonical quotient for these types.
std::span<const WrongQuotient> WrongQuotients(const QuantizeLinearQuestion& question);

// Returns the code of y that follows from the canonical quotient; NaN codes are
// one code, and so are all of a NaN quotient.
uint64_t CanonicalCode(const QuantizeLinearQuestion& question,
                       const QuantizeLinearChannel& channel, uint64_t x_code);
// The canonical quotient, rounded to y with ties away from zero, and truncated.
uint64_t AwayCode(const QuantizeLinearQuestion& question,
                  const QuantizeLinearChannel& channel, uint64_t x_code);
uint64_t TowardZeroCode(const QuantizeLinearQuestion& question,
                        const QuantizeLinearChannel& channel, uint64_t x_code);
// The canonical quotient and zero point, added in P before the rounding to y.
uint64_t AddedInPCode(const QuantizeLinearQuestion& question,
                      const QuantizeLinearChannel& channel, uint64_t x_code);
uint64_t WrongCode(const QuantizeLinearQuestion& question,
                   const QuantizeLinearChannel& channel, uint64_t x_code,
                   WrongQuotient mistake);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_WRONG_QUOTIENTS_H_
