// QLinearConv, by the judge: exact sums of exact products, rational scales.
//
//   C = conv(x - x_zero_point, w - w_zero_point) + B
//   y = saturate(round_half_even(C * x_scale * w_scale / y_scale) + y_zero_point)
//
// Clauses QC-01 to QC-09 of docs/semantics.md. Models are not validated.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_CONV_Q_LINEAR_CONV_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_CONV_Q_LINEAR_CONV_H_

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/exact/answer.h"
#include "oracle/exact/convolution.h"
#include "oracle/exact/requantization.h"

namespace qconform::exact {

struct QLinearConvInput {
  ConvolutionAttributes attributes;
  Codes x, x_scale, x_zero_point;
  Codes w, w_scale, w_zero_point;  // one element, or one for each output channel
  Codes y_scale, y_zero_point;
  std::optional<Codes> b;
};

// QC-01: how v becomes an integer, and when the zero point is added to it.
enum class ConvRounding : uint8_t {
  kCanonical,                        // nearest, ties to even, then + zero point
  kTiesAway,                         // ties away from 0
  kTiesUp,                           // floor(v + 1/2), exactly
  kZeroPointBeforeRounding,          // v + zero point in the type of v, ties to even
  kZeroPointBeforeRoundingTiesAway,  // the same, ties away from 0
};

struct QLinearConvReadings : RequantizationReadings {
  ConvRounding rounding = ConvRounding::kCanonical;

  friend bool operator==(const QLinearConvReadings&,
                         const QLinearConvReadings&) = default;
};

// Returns all combinations of QC-01 and QC-04, the canonical one first.
std::vector<QLinearConvReadings> AllowedConvReadings();

// One element before it is requantized. Its `a` are those of x, its `b` those of w;
// `c` and `magnitude` hold the bias, `terms` counts padded positions and no bias.
struct ConvAccumulator : Accumulator {
  std::optional<mpq_class> bias;
  std::vector<Value> padded_b;  // of w, where x is padded
};

// Returns C for each element of y, row-major; `shape` becomes that of y. QC-02, QC-03:
// the sum overflows where it is outside of INT32 with its bias or without.
std::vector<ConvAccumulator> Accumulate(const QLinearConvInput& input,
                                        std::vector<int64_t>& shape);

// Returns y.
Answer QLinearConv(const QLinearConvInput& input,
                   const QLinearConvReadings& readings = {});

// Values of y, both ends included.
struct ConvInterval {
  int64_t low = 0;
  int64_t high = 0;
};

// A set of codes of y.
using ConvCodes = std::bitset<256>;

struct ConvBounds {
  // `float_conv` within its bound, and the canonical value: |v' - v| <= gamma(n + 3) *
  // (sum |X_i W_i| + |B|) * |x_scale w_scale / y_scale|.
  ConvInterval float_conv;
  // QC-04: `unspecified_requantization`.
  ConvInterval unspecified;
  // What operands that are dequantized to FLOAT and summed in any order lead to, where
  // scales are degenerate (QC-08, MM-20). `widest`: for who knows no more of them than
  // that each is off by one rounding. A bound may admit that much, and no more.
  ConvCodes derived;
  ConvCodes widest;
};

// Returns the bounds of each element, by one reading of QC-01. Elements that are free or
// whose v is no number have the canonical value.
std::vector<ConvBounds> Bounds(const QLinearConvInput& input, ConvRounding rounding);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_CONV_Q_LINEAR_CONV_H_
