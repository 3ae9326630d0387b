// The requantization of a sum of products, v = C * a_scale * b_scale / y_scale, exactly
// or by a reading, and the tier of its scales.
#ifndef QCONFORM_ORACLE_REQUANTIZATION_REQUANTIZE_H_
#define QCONFORM_ORACLE_REQUANTIZATION_REQUANTIZE_H_

#include <cstdint>
#include <optional>

#include "oracle/core/answer.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/requantization/readings.h"

namespace qconform {

struct RequantizationScales {
  ExactValue a, b, y;
};

// C as a rational number: (+-) numerator / denominator * 2^exponent.
struct RationalSum {
  ValueClass value_class = ValueClass::kZero;
  bool negative = false;
  Uint128 numerator = 0;
  uint64_t denominator = 1;
  int exponent = 0;
};

class Requantizer {
 public:
  explicit Requantizer(const RequantizationParameters& parameters);

  Unrounded operator()(const RationalSum& c, const RequantizationScales& scales) const;

 private:
  ExactValue Multiplier(const RequantizationScales& scales) const;

  RequantizationParameters parameters_;
  std::optional<Rounder> round_multiplier_;
  std::optional<Rounder> round_;
};

// What the tier of an element depends on beside its scales.
struct TermTypes {
  DataType scale;
  DataType a;
  DataType b;
  int64_t terms;          // K
  bool has_bias = false;  // an INT32 is added to the sum
};

// kDegenerateScale or kRegular. A scale that is zero, negative, subnormal, infinite or
// NaN is degenerate; so are scales by which the multiplier, their product, or what is
// dequantized to FLOAT may leave the normal range.
Tier TierOfScales(const TermTypes& types, const RequantizationScales& scales);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_REQUANTIZATION_REQUANTIZE_H_
