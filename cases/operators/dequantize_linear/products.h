// Ways to compute the product, right ones and wrong ones, which generators choose x and
// x_scale against. No answer of a case comes from here.
#ifndef QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_PRODUCTS_H_
#define QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_PRODUCTS_H_

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cases/operators/dequantize_linear/question.h"

namespace qconform::generators {

// y = round_P(inner(difference(x - x_zero_point) * scale(x_scale))). A type of kUndefined
// does not round.
struct ProductWay {
  DataType difference = DataType::kUndefined;
  DataType scale = DataType::kUndefined;
  DataType inner = DataType::kUndefined;
  enum class Rounding : uint8_t { kNearest, kAway, kTowardZero };
  Rounding rounding = Rounding::kNearest;
  bool distributed = false;      // x * s - x_zero_point * s, each rounded to P
  bool truncates_scale = false;  // converts the scale toward zero

  friend bool operator==(const ProductWay&, const ProductWay&) = default;
};

// Returns the code of y that follows. NaN codes are one code.
uint64_t CodeOfWay(const DequantizeLinearQuestion& question,
                   const DequantizeLinearChannel& channel, uint64_t x_code,
                   const ProductWay& way);

// The canonical way: DQ-02 to DQ-05, DQ-11.
ProductWay CanonicalWay(const DequantizeLinearQuestion& question);

// Two ways that some x and x_scale tell apart.
struct ProductPair {
  ProductWay a;
  ProductWay b;
};

// Pairs for the types of a question: what clauses leave open (each step rounded or not),
// and mistakes. Those that the types cannot show are left out.
std::vector<ProductPair> ProductPairs(const DequantizeLinearQuestion& question);

// The most significant bits that differences and scales have, and the precision of y.
int BitsOfDifference(const DequantizeLinearQuestion& question);
int BitsOfScale(const DequantizeLinearQuestion& question);
inline int PrecisionOf(const NumberFormat& format) { return format.mantissa_bits + 1; }
// Whether a product of normal operands can be inexact in y.
bool CanRound(const DequantizeLinearQuestion& question);
// Whether converting x_scale or a difference to y's type can overflow, or give zero.
bool HasConversionRange(const DequantizeLinearQuestion& question);

// The odd part of the significand. Precondition: a finite value, not 0.
inline uint64_t OddPart(const ExactValue& value) {
  return value.significand >> std::countr_zero(value.significand);
}

// Returns an odd factor of at most `bits` bits whose product with the odd number `other`
// is a tie of `precision` bits: it has one bit more than that. 0 if there is none.
uint64_t FactorOfTie(uint64_t other, int bits, int precision, CounterRng& rng);

// Returns a factor of `bits` bits whose product with the odd number `other` lies next to
// a tie of `precision` bits, so near that rounding it to `inner` bits gives the tie; 0 if
// the search finds none.
uint64_t FactorBesideTie(uint64_t other, int bits, int precision, int inner,
                         CounterRng& rng);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DEQUANTIZE_LINEAR_PRODUCTS_H_
