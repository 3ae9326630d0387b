// DynamicQuantizeLinear, by the judge: rational arithmetic, rounded where the function
// body of ONNX's schema rounds.
//
//   y_scale      = f32(f32(max(0, max x) - min(0, min x)) / 255)
//   y_zero_point = round_half_even(clip(0 - f32(min(0, min x) / y_scale), 0, 255))
//   y            = saturate(round_half_even(f32(x / y_scale)) + y_zero_point)
//
// Clauses DYN-01 to DYN-09 of docs/semantics.md.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_

#include <cstdint>

#include "oracle/exact/answer.h"

namespace qconform::exact {

struct DynamicQuantizeLinearReadings {
  // DYN-01: how the range is divided by 255.
  enum class Range : uint8_t {
    kInFloat,        // canonical: the range is rounded, then the quotient
    kFused,          // fused_range: the exact quotient, rounded once
    kFusedInDouble,  // fused_range: range and quotient in DOUBLE, then rounded
  };
  // DYN-04: the scale where all of x is 0.
  enum class ZeroScale : uint8_t {
    kZero,  // canonical: y and y_zero_point come from 0 / 0
    kUnit,  // f32(1 / 255): the range is taken as 1
    kOne,   // 1
  };
  Range range = Range::kInFloat;
  ZeroScale zero_scale = ZeroScale::kZero;

  friend bool operator==(const DynamicQuantizeLinearReadings&,
                         const DynamicQuantizeLinearReadings&) = default;
};

struct DynamicQuantizeLinearAnswers {
  Answer y;
  Answer y_scale;       // a scalar (DYN-08)
  Answer y_zero_point;  // a scalar
};

// Returns the three outputs for the codes of x, of type FLOAT. Any code is allowed
// wherever the formula has a NaN or 0 / 0 to convert, and for the whole output where x
// has a NaN (DYN-05) or no elements (DYN-07). The tier does not follow the reading:
//   degenerate_scale  all outputs: no scale, or one that is not positive, finite and
//                     normal (DYN-06, as QL-40), or NaN or Inf in x
//   subnormal         all outputs: an end of the range is subnormal; an element of y or
//                     y_zero_point: its quotient is, or x
DynamicQuantizeLinearAnswers DynamicQuantizeLinear(
    const Codes& x, const DynamicQuantizeLinearReadings& readings = {});

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
