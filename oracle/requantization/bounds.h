// Which codes an element may have where sums of products are formed in FLOAT or better,
// in any order, or where operands are dequantized to FLOAT first.
//
//   |C' - C| <= gamma(n) * sum |A_i B_i|,  gamma(n) = n u / (1 - n u),  u = 2^-24
//
// Every reading of the requantization is monotone in C', and so is the rounding to y: the
// ends of the interval of C' give the ends of the codes.
#ifndef QCONFORM_ORACLE_REQUANTIZATION_BOUNDS_H_
#define QCONFORM_ORACLE_REQUANTIZATION_BOUNDS_H_

#include <vector>

#include "oracle/core/answer.h"
#include "oracle/core/target.h"
#include "oracle/matmul/accumulate.h"
#include "oracle/requantization/reach.h"
#include "oracle/requantization/requantize.h"

namespace qconform {

// Returns C as a rational number.
RationalSum SumOf(const Accumulated& c);

class FloatSumBounds {
 public:
  struct Element {
    Accumulated sum;              // exact, with its magnitude, and with a bias
    int64_t terms = 0;            // a bias is one of them
    bool has_zero_point = false;  // of a or b
    bool integer = false;         // both operands
    RequantizationScales scales;
    PreparedZeroPoint zero_point;
  };

  // `scale` is the type of the scales; the readings of the target are kept. `p` is the
  // type of the last quotient, in which added_in_p adds: FLOAT, or `scale`.
  FloatSumBounds(DataType scale, DataType p, const TargetParameters& target,
                 const NumberFormat& y);

  // `answer` is the canonical one.
  CodeBounds Of(const Element& element, const ElementAnswer& answer) const;

  // The codes of what v may become.
  ArisingCodes CodesOf(const FloatReach& reach, const Element& element) const;

 private:
  class Hull;

  // How many roundings move the v of operands that are dequantized. Of integers no
  // product and no sum is rounded where sum|A_i B_i| a' b' <= 2^24, a' and b' being the
  // scales' significands without trailing zeros, in whatever order, and all is in FLOAT's
  // normal range: all are multiples of one unit. Then there is the division alone, or
  // where y_scale is a power of two nothing.
  static int64_t RoundingsOf(const Element& element);

  // Adds what `requantize` makes of C +- numerator / denominator * magnitude.
  void Add(const Element& element, Int128 numerator, int64_t denominator,
           const Requantizer& requantize, const Target& target, Hull& hull) const;

  struct Reading {
    Requantizer requantize;
    Target target;
  };
  const NumberFormat* y_;
  Reading exact_;
  std::vector<Reading> readings_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_REQUANTIZATION_BOUNDS_H_
