// Stage 3 of QLinearMatMul: v = C * a_scale * b_scale / y_scale, exactly or by a
// reading of MM-02, and the tier of the scales (MM-20).
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_REQUANTIZE_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_REQUANTIZE_H_

#include <cstdint>
#include <optional>

#include "oracle/core/answer.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/operators/q_linear_mat_mul/parameters.h"

namespace qconform {

struct MatMulScales {
  ExactValue a, b, y;
};

// C as a rational number: (+-) numerator / denominator * 2^exponent.
struct MatMulSum {
  ValueClass value_class = ValueClass::kZero;
  bool negative = false;
  Uint128 numerator = 0;
  uint64_t denominator = 1;
  int exponent = 0;
};

class MatMulRequantizer {
 public:
  explicit MatMulRequantizer(const QLinearMatMulParameters& parameters);

  Unrounded operator()(const MatMulSum& c, const MatMulScales& scales) const;

 private:
  ExactValue Multiplier(const MatMulScales& scales) const;

  QLinearMatMulParameters parameters_;
  std::optional<Rounder> round_multiplier_;
  std::optional<Rounder> round_;
};

// What the tier of an element depends on beside its scales.
struct MatMulTypes {
  DataType scale;
  DataType a;
  DataType b;
  int64_t terms;  // K
};

// MM-20: kDegenerateScale or kRegular.
Tier TierOfScales(const MatMulTypes& types, const MatMulScales& scales);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_REQUANTIZE_H_
