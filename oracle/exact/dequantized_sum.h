// Sums of products of operands that are dequantized before they are multiplied (MM-02,
// MM-20), as sets of the values that rounding in any order may lead to.
//
//   alpha_i = round_D(A_i a_scale),  beta_i = round_D(B_i b_scale)
//   S = sum of alpha_i beta_i, in any order
//   v = S / y_scale
//
// Each product, sum and quotient is rounded to one of the types P, or not at all, as in
// a fused multiply-add or a wider accumulator.
#ifndef QCONFORM_ORACLE_EXACT_DEQUANTIZED_SUM_H_
#define QCONFORM_ORACLE_EXACT_DEQUANTIZED_SUM_H_

#include <cstddef>
#include <vector>

#include "oracle/exact/accumulator.h"
#include "oracle/exact/format.h"
#include "oracle/exact/value.h"

namespace qconform::exact {

// Extended reals: all numbers from `low` to `high`, and some specials.
struct Outcomes {
  bool has_numbers = false;
  mpq_class low = 0;  // where has_numbers
  mpq_class high = 0;
  bool plus_infinity = false;
  bool minus_infinity = false;
  bool nan = false;

  void Add(const Value& v);
};

// Returns what alpha_i beta_i may be. Float operands with a zero point have two values
// of alpha_i and beta_i where D is FLOAT, as A_i or B_i may be rounded to FLOAT first.
std::vector<Outcomes> Products(const Accumulator& element, const Value& a_scale,
                               const Value& b_scale, const Format& d);

// Types that a result may be rounded to; the coarsest first.
using Types = std::vector<const Format*>;

// Returns what S may be. `more_roundings` is for who does not know the products exactly:
// that much nearer to the end of the range a sum may be beyond it.
Outcomes Sum(const std::vector<Outcomes>& products, const Types& types,
             size_t more_roundings = 0);

// Returns what S / y_scale may be.
Outcomes Quotient(const Outcomes& sum, const Value& y_scale, const Types& types);

// Returns (1 + u)^n with u = 2^-p of P.
mpq_class Growth(const Format& p, size_t n);

mpq_class SmallestMember(const Format& p);

// Returns what `one` may be where it is rounded to one of `types`, or not: rounding is
// monotone, so that of both ends is enough.
Outcomes WithRounded(Outcomes one, const Types& types);

// Where no more is known of alpha_i and beta_i than that they are rounded: K + 2 factors
// for them, the products and the sums, and two for A_i and B_i with a zero point; and
// half the smallest member for each, four times, as what is rounded again grows and a
// bound may be simple.
Outcomes Widened(Outcomes sum, const Accumulator& element, const Value& a_scale,
                 const Value& b_scale, const Format& type);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_DEQUANTIZED_SUM_H_
