// QuantizeLinear for one element: the stages of quantize_linear_parameters.h.
// What depends on the types, the scale or the zero point alone is resolved once
// by the constructor, PrepareScale and PrepareZeroPoint.
#ifndef QCONFORM_ORACLE_SCALAR_QUANTIZE_LINEAR_ELEMENT_H_
#define QCONFORM_ORACLE_SCALAR_QUANTIZE_LINEAR_ELEMENT_H_

#include <array>
#include <cstdint>

#include "oracle/formats/number_format.h"
#include "oracle/scalar/answer.h"
#include "oracle/scalar/quantize_linear_parameters.h"

namespace qconform {

struct PreparedScale {
  ExactValue given;  // as the tensor has it
  ExactValue value;  // as the division takes it
  bool degenerate = false;          // QL-40
  bool out_of_range = false;        // in a type of tier_precisions
  bool subnormal = false;           // the same
  std::array<ExactValue, 2> in_tier_precision;
};

struct PreparedZeroPoint {
  bool present = false;
  bool zero = true;
  int64_t integer = 0;  // integer targets
  ExactValue value{};   // float targets
};

class QuantizeLinearElement {
 public:
  // The parameters are copied; types as in the cell.
  QuantizeLinearElement(DataType x, DataType y_scale, DataType y,
                        const QuantizeLinearParameters& parameters);

  PreparedScale PrepareScale(uint64_t code) const;
  PreparedZeroPoint PrepareZeroPoint(uint64_t code) const;

  ElementAnswer Evaluate(uint64_t x_code, const PreparedScale& scale,
                         const PreparedZeroPoint& zero_point) const;

 private:
  // One of tier_precisions.
  struct TierType {
    const NumberFormat* format = nullptr;
    bool holds_x = true;
    bool is_precision = false;  // the conversion of stage 1 is to it
    int smallest_normal = 0;    // exponent
  };

  ExactValue Convert(const ExactValue& value, const NumberFormat& format) const;
  Tier TierOf(uint64_t x_code, const ExactValue& given, const ExactValue& converted,
              const PreparedScale& scale) const;
  void RoundToInteger(const Unrounded& quotient, const PreparedZeroPoint& zero_point,
                      ElementAnswer& answer) const;
  void RoundToFloat(const Unrounded& quotient, const PreparedZeroPoint& zero_point,
                    ElementAnswer& answer) const;
  Rounded Encode(const Unrounded& value) const;
  Unrounded AddZeroPoint(const Unrounded& quotient, const ExactValue& zero_point) const;

  const NumberFormat* x_;
  const NumberFormat* y_scale_;
  const NumberFormat* y_;
  const NumberFormat* precision_ = nullptr;  // null: the quotient stays exact
  bool converts_x_ = false;
  bool converts_scale_ = false;
  OverflowPolicy overflow_ = OverflowPolicy::kSaturate;
  bool infinity_is_nan_ = false;
  std::array<TierType, 2> tiers_;
  int tier_count_ = 0;
  QuantizeLinearParameters parameters_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_SCALAR_QUANTIZE_LINEAR_ELEMENT_H_
