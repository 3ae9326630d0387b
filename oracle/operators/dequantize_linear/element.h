// DequantizeLinear for one element: the stages of parameters.h. What depends on the
// types, the scale or the zero point alone is resolved once by the constructor,
// PrepareScale and PrepareZeroPoint.
#ifndef QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_ELEMENT_H_
#define QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_ELEMENT_H_

#include <cstdint>
#include <optional>

#include "oracle/core/answer.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/operators/dequantize_linear/parameters.h"

namespace qconform::dequantize_linear {

struct PreparedScale {
  ExactValue given;                  // as the tensor has it
  ExactValue in_p;                   // rounded to P
  ExactValue multiplier;             // as the product takes it
  Tier least_tier = Tier::kRegular;  // of every element of this scale
};

// A value of x's type: units * 2^n, where 2^n is the smallest positive one.
struct FixedValue {
  ValueClass value_class = ValueClass::kZero;
  bool negative = false;
  int64_t units = 0;  // with the sign; 0 unless the class is kFinite
};

struct PreparedZeroPoint {
  bool present = false;
  FixedValue value{};
};

class Element {
 public:
  // The parameters are copied; types as in the cell.
  Element(DataType x, DataType x_scale, DataType y, const Parameters& parameters);

  PreparedScale PrepareScale(uint64_t code) const;
  PreparedZeroPoint PrepareZeroPoint(uint64_t code) const {
    return {.present = true, .value = Read(code)};
  }

  void Evaluate(uint64_t x_code, const PreparedScale& scale,
                const PreparedZeroPoint& zero_point, ElementAnswer& answer) const;

 private:
  FixedValue Read(uint64_t code) const;
  ExactValue ToExact(const FixedValue& value) const;
  // x - zp by IEEE 754, exactly.
  FixedValue Subtract(const FixedValue& x, const FixedValue& zero_point) const;
  Tier TierOf(const ExactValue& difference, const PreparedScale& scale) const;
  void MultiplyAndRound(const ExactValue& difference, const PreparedScale& scale,
                        ElementAnswer& answer) const;

  const NumberFormat* x_;
  const NumberFormat* x_scale_;
  const NumberFormat* y_;
  Parameters parameters_;
  bool x_is_integer_;
  bool has_free_zero_points_;  // DQ-06
  int unit_;                   // the smallest positive x is 2^unit
  Decoder decode_x_;
  Decoder decode_scale_;
  Rounder round_to_p_;
  std::optional<Rounder> round_difference_;
  std::optional<Rounder> round_multiplicand_;
  std::optional<Rounder> round_product_;
  // Tiers.
  bool p_holds_differences_;
  bool p_holds_scales_;
  int smallest_normal_;  // of P, its exponent
};

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_ELEMENT_H_
