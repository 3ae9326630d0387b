// QuantizeLinear for one element: the stages of quantize_linear_parameters.h.
// What depends on the types, the scale or the zero point alone is resolved once
// by the constructor, PrepareScale and PrepareZeroPoint.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_ELEMENT_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_ELEMENT_H_

#include <array>
#include <cstdint>
#include <optional>

#include "oracle/core/answer.h"
#include "oracle/core/target.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform {

struct PreparedScale {
  ExactValue given;                  // as the tensor has it
  Divisor divisor;                   // as the division takes it
  Tier least_tier = Tier::kRegular;  // of every element of this scale
  std::array<ExactValue, 2> in_tier_precision;
};

class QuantizeLinearElement {
 public:
  // The parameters are copied; types as in the cell.
  QuantizeLinearElement(DataType x, DataType y_scale, DataType y,
                        const QuantizeLinearParameters& parameters);

  PreparedScale PrepareScale(uint64_t code) const;
  PreparedZeroPoint PrepareZeroPoint(uint64_t code) const {
    return target_.PrepareZeroPoint(code);
  }

  void Evaluate(uint64_t x_code, const PreparedScale& scale,
                const PreparedZeroPoint& zero_point, ElementAnswer& answer) const;

 private:
  // One of tier_precisions.
  struct TierType {
    const NumberFormat* format = nullptr;
    bool holds_operands = true;  // conversion to it changes nothing
    bool is_precision = false;   // stage 1 converts x to it
    int smallest_normal = 0;     // exponent
  };

  ExactValue ConvertTo(const NumberFormat& format, const ExactValue& value) const;
  Tier TierOf(const ExactValue& given, const ExactValue& converted,
              const PreparedScale& scale) const;
  void DivideAndRound(const ExactValue& given, const ExactValue& x,
                      const PreparedScale& scale, const PreparedZeroPoint& zero_point,
                      ElementAnswer& answer) const;

  const NumberFormat* x_;
  const NumberFormat* y_scale_;
  QuantizeLinearParameters parameters_;
  Decoder decode_x_;
  // Stage 1 and 2; no precision: the quotient stays exact.
  const NumberFormat* precision_ = nullptr;
  bool converts_x_ = false;
  bool converts_scale_ = false;
  std::optional<Rounder> round_quotient_;
  // Stages 3 and 4.
  Target target_;
  // Tiers. Below these exponents x, or the quotient, is subnormal somewhere.
  std::array<TierType, 2> tiers_;
  int tier_count_ = 0;
  bool tiers_hold_operands_ = true;
  int smallest_normal_x_;
  int smallest_normal_quotient_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_ELEMENT_H_
